import { dayMs, noon, today } from './days.ts';
import type { Reply } from './http.ts';
import { nurseCode } from './sandbox.ts';
import type { World } from './world.ts';

/** The parts of a world that begins 10 days before `today`, and whose workspaces live for a year. */
export const yearLong = { now: noon - 10 * dayMs, settings: { retentionSeconds: 365 * 86_400 } };

/** A placement of people of the seed, without a start. */
export const samplePlacement = { candidateId: 'cand_036', jobOrderId: 'job_034', onetCode: nurseCode };

/** Makes a placement in a new workspace that starts `today`, and calls on it. */
export async function openPlacement(world: World, body: object = {}) {
  const desk = await world.open({ ...samplePlacement, startDate: today, ...body }, '/placements');
  const id: string = desk.reply.body.placement.id;
  const path = `/placements/${id}`;
  const request = (party = 'client', headers: object = {}) =>
    desk.post(`${path}/confirmations`, { party }, headers);
  return {
    ...desk,
    id,
    read: () => desk.read(path),
    change: (members: object) => desk.patch(path, members),
    state: (result: string, more: object = {}) => desk.post(`${path}/outcome`, { result, ...more }),
    /** Requests the confirmation of a party. */
    request,
    /** Requests it, and returns its token. */
    token: async (party?: string): Promise<string> => (await request(party)).body.confirmation.token,
    receipt: () => desk.get(`${path}/receipt`),
  };
}

/** Makes the same, on its 45th day. */
export async function openPlacementOn45(world: World, body?: object) {
  world.toDay(-9);
  const placement = await openPlacement(world, body);
  world.toDay(45);
  return placement;
}

export const showConfirmation = (world: World, token: string): Promise<Reply> =>
  world.get('/confirmation', { 'x-confirmation': token });

/** Answers what the token shows now, unless `more` or `headers` name a statement. */
export async function confirm(
  world: World,
  token: string,
  agrees: boolean,
  more: object = {},
  headers: object = {},
): Promise<Reply> {
  const { tag } = (await showConfirmation(world, token)).body;
  const statement = 'if-match' in headers || !tag ? {} : { tag };
  const body = { agrees, ...statement, ...more };
  return world.post('/confirmation', body, { 'x-confirmation': token, ...headers });
}
