import type { Body } from './http.ts';
import { makeWorld } from './outcome-world.ts';
import { toBody } from './sandbox.ts';

const onetCode = '29-1141.00';

/** Proposes a person for an order, and returns calls on both by the agent and by the holder of the link. */
async function propose() {
  const world = await makeWorld();
  world.to(0);
  const { ask, clock } = world;
  const made = await ask('POST', '/batch', {
    candidates: [toBody.candidate({ ref: 'c', name: 'Ann Sample', onetCode })],
    jobOrders: [toBody.jobOrder({ ref: 'o', onetCode })],
    placements: [{ candidateId: '#c', jobOrderId: '#o', onetCode, status: 'proposed', note: 'Nights' }],
  });
  const mine = { 'x-workspace': made.body.workspace };
  const agent = (method: string, path: string, body?: object) => ask(method, path, body, mine);
  const shared = await agent('POST', '/job-orders/%23o/shortlist', {});
  const held = { 'x-shortlist': shared.body.shortlist.token };
  const { id } = made.body.placements[0];
  const see = async () => (await ask('GET', '/shortlist', undefined, held)).body.shortlist.placements;
  const row = async (): Promise<Body> => (await see()).find((one: Body) => one.id === id);
  const send = (body: object, headers: object = {}) =>
    ask('POST', '/shortlist', { placementId: id, ...body }, { ...held, ...headers });
  /** Sends a decision on the placement as it is now. */
  const decide = async (decision: string, others: object = {}) =>
    send({ decision, tag: (await row()).tag, ...others });
  return {
    id,
    agent,
    see,
    row,
    send,
    decide,
    read: async (): Promise<Body> => (await agent('GET', `/placements/${id}`)).body.placement,
    /** Moves the clock of the service. */
    pass: (milliseconds: number) => {
      clock.now += milliseconds;
    },
  };
}

export { onetCode, propose };
