import type { Signer } from '../../src/kernel/signer.ts';
import { makeSigner } from './receipts.ts';
import { World } from './world.ts';

const dayMs = 86_400_000;
/** The first day of the placements in these tests. */
const startDate = '2026-11-22';
const start = Date.parse(`${startDate}T12:00:00Z`);

/** A placement of people of the seed, without a start. */
const sample = { candidateId: 'cand_036', jobOrderId: 'job_034', onetCode: '29-1141.00' };

/** Returns the day this many days after the start. */
const toDate = (days: number) => new Date(start + days * dayMs).toISOString().slice(0, 10);

/** Makes a service in memory with a fake clock, whose workspaces live for a year. */
async function makeWorld({ signer, retentionDays = 365 }: { signer?: Signer; retentionDays?: number } = {}) {
  const settings = { retentionSeconds: retentionDays * 86_400 };
  const core = new World({ now: start - 10 * dayMs, settings, signer: signer ?? (await makeSigner()) });
  const { ask, clock } = core;

  const world = {
    ...core,
    /** Moves the clock to noon, or another hour, this many days after the start. */
    to(days: number, hours = 12) {
      clock.now = start + days * dayMs + (hours - 12) * 3_600_000;
    },
    /** Makes a placement in a new workspace that starts on day 0, and calls on it. */
    async place(more: object = {}) {
      const made = await ask('POST', '/placements', { ...sample, startDate, ...more });
      const { id } = made.body.placement;
      const headers = { 'x-workspace': made.body.workspace };
      const inWorkspace = (method: string, path: string, body?: object, others: object = {}) =>
        ask(method, path, body, { ...headers, ...others });
      return {
        id,
        workspace: made.body.workspace as string,
        ask: inWorkspace,
        read: async () => (await inWorkspace('GET', `/placements/${id}`)).body.placement,
        patch: (body: object) => inWorkspace('PATCH', `/placements/${id}`, body),
        state: (result: string, others: object = {}) =>
          inWorkspace('POST', `/placements/${id}/outcome`, { result, ...others }),
        request: (party = 'client', others: object = {}) =>
          inWorkspace('POST', `/placements/${id}/confirmations`, { party }, others),
        token: async (party = 'client') =>
          (await inWorkspace('POST', `/placements/${id}/confirmations`, { party })).body.confirmation
            .token as string,
        receipt: () => inWorkspace('GET', `/placements/${id}/receipt`),
      };
    },
    /** Makes the same, on its 45th day. */
    async placeOn45(more: object = {}) {
      world.to(-9);
      const placed = await world.place(more);
      world.to(45);
      return placed;
    },
    show: (token: string) => ask('GET', '/confirmation', undefined, { 'x-confirmation': token }),
    /** Answers what the token shows now, unless `more` or `headers` name a statement. */
    async confirm(token: string, agrees: boolean, more: object = {}, headers: object = {}) {
      const { tag } = (await world.show(token)).body;
      const named = 'if-match' in headers || !tag ? {} : { tag };
      const sent = { agrees, ...named, ...more };
      return ask('POST', '/confirmation', sent, { 'x-confirmation': token, ...headers });
    },
  };
  return world;
}

export { makeWorld, sample, startDate, toDate };
