import * as assert from 'uvu/assert';
import { noon } from './days.ts';
import type { Body } from './http.ts';
import { type Reply, World } from './world.ts';

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
export const core = new World({ now: noon });

/** Creates records in a workspace of their own, and reads plans of it. */
export async function openDesk(records: object) {
  const made = await core.ask('POST', '/batch', records);
  assert.is(made.status, 201, made.text);
  const { workspace } = made.body;
  const mine = { 'x-workspace': workspace };
  const ask = (method: string, path: string, body?: object) => core.ask(method, path, body, mine);
  return {
    ask,
    workspace,
    read: (query = ''): Promise<Reply> => ask('GET', `/workspace/plan${query && `?${query}`}`),
    async plan(query = ''): Promise<Body> {
      const { status, body, text } = await ask('GET', `/workspace/plan${query && `?${query}`}`);
      assert.is(status, 200, text);
      return body;
    },
    /** Places two records, and returns the id of the placement. */
    async place(candidateId: string, jobOrderId: string, more: object = {}): Promise<string> {
      const body = { candidateId, jobOrderId, onetCode: critical, ...more };
      const placed = await ask('POST', '/placements', body);
      assert.is(placed.status, 201, placed.text);
      return placed.body.placement.id;
    },
    async change(path: string, body: object): Promise<void> {
      const changed = await ask('PATCH', path, body);
      assert.is(changed.status, 200, changed.text);
    },
  };
}

/** The pairs of a plan, by their refs. */
export const pairsOf = ({ plan }: Body): string[] =>
  plan.map(({ jobOrder, candidate }: Body) => `${jobOrder.ref} ${candidate.ref}`);

export const propose = { status: 'proposed' };
