import { nurseCode as onetCode } from './sandbox.ts';
import { asAgent, fillByMcp } from './workspace-page.ts';

const credentials = ['PA RN license'];
const ann = { ref: 'a', name: 'Ann Sample', title: 'RN II, ICU', onetCode, credentials, shifts: ['night'] };
const bo = { ref: 'b', name: 'Bo Sample', onetCode, skills: ['ICU', 'Triage'], availableFrom: '2027-01-04' };

/** The title of the order. */
export const title = 'ICU nurse';
const order = { ref: 'o', client: 'Example Hospital', title, onetCode, openings: 2 };

/**
 * Proposes two people for an order, of whom Ann meets its must-have and Bo does not. Returns the token to decide on them.
 * `changedAnn` and `changedOrder` replace members.
 */
export async function proposeTwo(origin: string, changedAnn: object = {}, changedOrder: object = {}) {
  const proposed = { jobOrderId: '#o', onetCode, status: 'proposed' };
  const { workspace } = await fillByMcp(origin, {
    candidates: [{ ...ann, ...changedAnn }, bo],
    jobOrders: [{ ...order, requires: ['RN license - PA'], shift: 'night', ...changedOrder }],
    placements: ['a', 'b'].map((ref) => ({ ref, candidateId: `#${ref}`, ...proposed })),
  });
  const agent = async (method: string, path: string, body?: object) =>
    (await asAgent(origin, workspace, method, path, body)).body;
  const { shortlist } = await agent('POST', '/job-orders/%23o/shortlist', {});
  return {
    agent,
    token: shortlist.token as string,
    read: async (ref: string) => (await agent('GET', `/placements/%23${ref}`)).placement,
    promote: () => agent('PATCH', '/candidates/%23b', { title: 'Charge nurse' }),
  };
}
