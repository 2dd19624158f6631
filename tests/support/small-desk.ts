import { noon } from './days.ts';
import type { Body, Reply } from './http.ts';
import { onetCode, toBody } from './sandbox.ts';
import { type Desk, World } from './world.ts';

/** Opens a desk with candidates `a`, `b` and job orders `o`, `p`, at noon of `today`. It lives for years. */
export function openSmallDesk({ a, o }: { a?: object; o?: object } = {}): Promise<Desk> {
  const world = new World({ now: noon, settings: { retentionSeconds: 4000 * 86_400 } });
  return world.open({
    candidates: [toBody.candidate({ ref: 'a', ...a }), toBody.candidate({ ref: 'b', name: 'Bo Sample' })],
    jobOrders: [toBody.jobOrder({ ref: 'o', ...o }), toBody.jobOrder({ ref: 'p', client: 'Example Press' })],
  });
}

/** Places `a` on `o`, unless the body names others. */
export const place = (desk: Desk, body: object = {}, headers: object = {}): Promise<Reply> =>
  desk.post('/placements', { candidateId: '#a', jobOrderId: '#o', onetCode, ...body }, headers);

export const changePlacement = (
  desk: Desk,
  ref: string,
  body: object,
  headers: object = {},
): Promise<Reply> => desk.patch(`/placements/%23${ref}`, body, headers);

export const stateOutcome = (desk: Desk, ref: string, body: object): Promise<Reply> =>
  desk.post(`/placements/%23${ref}/outcome`, body);

export const readCandidate = (desk: Desk, ref = 'a'): Promise<Body> => desk.read(`/candidates/%23${ref}`);
export const readOrder = (desk: Desk, ref = 'o'): Promise<Body> => desk.read(`/job-orders/%23${ref}`);
export const readPlacement = (desk: Desk, ref: string): Promise<Body> => desk.read(`/placements/%23${ref}`);

/** Returns the candidates of the workspace that match an order, best first. */
export const listMatches = async (desk: Desk, ref = 'o', query = ''): Promise<Body[]> =>
  (await desk.get(`/job-orders/%23${ref}/matches?scope=workspace${query}`)).body.matches ?? [];

export const isRefused = ({ status }: Reply): boolean => status >= 400;

/** Returns the codes of the warnings of a reply, or of its issues, or their paths if they have no code. */
export const codesOf = ({ body }: { body: Body }): string[] =>
  (body.warnings ?? body.issues ?? []).map(({ code, path }: Body) => code ?? path);
