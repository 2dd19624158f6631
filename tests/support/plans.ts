import * as assert from 'uvu/assert';
import { dayAt, noon } from './days.ts';
import type { Body, Reply } from './http.ts';
import { place } from './small-desk.ts';
import { type Desk, World } from './world.ts';

export const [critical, registered, carpenters] = ['29-1141.03', '29-1141.00', '47-2031.00'] as const;

export const nurse = (ref: string, more: object = {}) => ({
  ref,
  name: `Nurse ${ref}`,
  onetCode: critical,
  skills: ['ICU'],
  metro: 'Columbus, OH',
  ...more,
});

export const order = (ref: string, more: object = {}) => ({
  ref,
  client: 'Example Hospital',
  title: `Order ${ref}`,
  onetCode: critical,
  skills: ['ICU'],
  metro: 'Columbus, OH',
  ...more,
});

/** A carpenter has no skill that the orders here ask for, and some points because of the state. */
export const carpenter = {
  ref: 'carpenter',
  name: 'Carpenter',
  onetCode: carpenters,
  metro: 'Cleveland, OH',
};

/** One service for all tests of a file, because the tables of matches take seconds to build. */
export const world = new World({ now: noon });

export const askPlan = (desk: Desk, query = ''): Promise<Reply> =>
  desk.get(`/workspace/plan${query && `?${query}`}`);

export async function readPlan(desk: Desk, query = ''): Promise<Body> {
  const { status, body, text } = await askPlan(desk, query);
  assert.is(status, 200, text);
  return body;
}

export const propose = { status: 'proposed' };

/** Places a candidate on a job order, and returns the id of the placement. */
export async function placeOn(
  desk: Desk,
  candidateId: string,
  jobOrderId: string,
  more: object = {},
): Promise<string> {
  const { status, body, text } = await place(desk, { candidateId, jobOrderId, onetCode: critical, ...more });
  assert.is(status, 201, text);
  return body.placement.id;
}

export async function changeRecord(desk: Desk, path: string, body: object): Promise<void> {
  const { status, text } = await desk.patch(path, body);
  assert.is(status, 200, text);
}

const left = { startDate: dayAt(-9) };
const declined = (declineReason?: string) => ({ status: 'declined', declineReason });

/** What a placement is made with, and what is then changed of it, to bring it to each stage. */
const stages = {
  proposed: [propose, {}],
  interviewing: [propose, { status: 'interviewing' }],
  declined: [propose, declined()],
  'declined-by-client': [propose, declined('client')],
  'declined-by-candidate': [propose, declined('candidate')],
  'declined-closed': [propose, declined('closed')],
  accepted: [{}, {}],
  left: [left, { endDate: dayAt(-1), endReason: 'candidate-left' }],
  cancelled: [{ startDate: dayAt(9) }, { endDate: dayAt(0), endReason: 'cancelled' }],
} as const;

export type Stage = keyof typeof stages;

/** Places a candidate on a job order, and brings the placement to a stage. Returns its id. */
export async function placeAt(
  desk: Desk,
  stage: Stage,
  [candidateId, jobOrderId]: readonly [string, string],
  more: object = {},
): Promise<string> {
  const [terms, change] = stages[stage];
  const id = await placeOn(desk, candidateId, jobOrderId, { ...terms, ...more });
  if (Object.keys(change).length > 0) await changeRecord(desk, `/placements/${id}`, change);
  return id;
}

/** The pairs of a plan, by their refs. */
export const pairsOf = ({ plan }: Body): string[] =>
  plan.map(({ jobOrder, candidate }: Body) => `${jobOrder.ref} ${candidate.ref}`);
