import { noon } from './days.ts';
import type { Body, Reply } from './http.ts';
import { yearLong } from './outcomes.ts';
import { nurseCode, toBody } from './sandbox.ts';
import { World } from './world.ts';

/** Proposes a person for an order, and returns calls in the workspace and by the holder of the link. */
export async function propose(world = new World({ ...yearLong, now: noon })) {
  const onetCode = nurseCode;
  const desk = await world.open({
    candidates: [toBody.candidate({ ref: 'c', name: 'Ann Sample', onetCode })],
    jobOrders: [toBody.jobOrder({ ref: 'o', onetCode })],
    placements: [{ candidateId: '#c', jobOrderId: '#o', onetCode, status: 'proposed', note: 'Nights' }],
  });
  const id: string = desk.reply.body.placements[0].id;
  const { shortlist } = (await desk.post('/job-orders/%23o/shortlist', {})).body;
  const link = { 'x-shortlist': shortlist.token };
  const see = async (): Promise<Body[]> => (await world.get('/shortlist', link)).body.shortlist.placements;
  const row = async (): Promise<Body> => (await see()).find((one) => one.id === id);
  const send = (body: object, headers: object = {}): Promise<Reply> =>
    world.post('/shortlist', { placementId: id, ...body }, { ...link, ...headers });
  return {
    ...desk,
    id,
    see,
    row,
    send,
    /** Sends a decision on the placement as it is now. */
    decide: async (decision: string, more: object = {}) =>
      send({ decision, tag: (await row()).tag, ...more }),
    read: () => desk.read(`/placements/${id}`),
  };
}
