import type { Mutant, Step } from './briefs.ts';

export const create = (members: object): Step => ['create', 'placement', members];
export const propose = (person: string, order: string, onetCode: string): Step =>
  create({ candidateId: `#${person}`, jobOrderId: `#${order}`, onetCode, status: 'proposed' });
/** Proposes a person, and calls the placement `key` in later steps. */
export const proposeAs = (key: string, person: string, order: string, onetCode: string): Step =>
  create({ candidateId: `#${person}`, jobOrderId: `#${order}`, onetCode, status: 'proposed', key });
export const place = (person: string, order: string, onetCode: string, startDate: string): Step =>
  create({ candidateId: `#${person}`, jobOrderId: `#${order}`, onetCode, startDate });
export const decline = (key: string, declineReason: string): Step => [
  'update',
  key,
  { status: 'declined', declineReason },
];
export const move = (key: string, status: string): Step => ['update', key, { status }];

export const stateAt = (key: string, result: string, asOf: string): Step => ['state', key, { result, asOf }];
export const ask = (key: string): Step => ['confirm', key, { party: 'client' }];
export const range = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => from + index);

/**
 * A mistake: other steps in place of the one at an index, or of `drop` steps, and the check that must fail.
 */
export const instead = (at: number, fails: string, add: readonly Step[], drop = 1): Mutant => ({
  at,
  drop,
  add,
  fails,
});
/** A mistake: one step too many. */
export const also = (fails: string, ...add: readonly Step[]): Mutant => ({ add, fails });

export interface Solution {
  steps: readonly Step[];
  /** Another way to an end that passes. */
  otherSteps?: readonly Step[];
  /** What an agent does that ignores what people answer. It must fail. */
  careless?: readonly Step[];
  /** Mistakes besides those that fit every brief. */
  mutants: readonly Mutant[];
}

/** Proposes people for an order. Each placement is called by person and order: `c3-j0`. */
export const proposeAll = (people: readonly number[], order: string, code: string): Step[] =>
  people.map((person) => proposeAs(`c${person}-${order}`, `c${person}`, order, code));
export const share = (order: string): Step => ['share', order, { replace: true }];
export const offerAll = (people: readonly number[], order: string, members = {}): Step[] =>
  people.map((person) => ['update', `c${person}-${order}`, { status: 'offered', ...members }]);
export const withdraw = (key: string): Step => move(key, 'withdrawn');
