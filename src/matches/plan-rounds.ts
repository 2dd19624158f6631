import type { Steps } from '../kernel/steps.ts';
import type { CandidateHolds, Hold } from '../placements/period.ts';
import type { PlacementRecord } from '../placements/placement-record.ts';
import { readPeriod } from '../placements/status.ts';
import type { ViewedRecord } from '../records/kind/record.ts';
import { assign } from './assignment.ts';
import { readTerms } from './plan-placement.ts';

/** What rounds need of a plan. */
interface RoundsInput {
  orders: readonly { order: ViewedRecord; openings: number }[];
  people: readonly ViewedRecord[];
  /** What each pair is worth, order by order, and 0 for a pair that must not be planned. */
  scores: Uint16Array | Uint32Array;
  today: string;
  readHeld(candidateId: string): CandidateHolds;
  /** Whether a person fits an order while held so. */
  canWork(order: ViewedRecord, person: ViewedRecord, held: CandidateHolds): boolean;
}

/** Returns the days and hours that a person works if a plan is followed. */
function readPlannedHold({ record }: ViewedRecord, today: string): Hold {
  const hold = readPeriod(readTerms(record, today) as PlacementRecord, today, record);
  return hold ?? { from: today, to: null, hours: 0 };
}

/** Plans people round by round, and remembers what is left of openings, days and hours. */
class Rounds {
  /** The places of the people of each order. */
  readonly planned: number[][];
  readonly #input: RoundsInput;
  readonly #scores: Uint16Array | Uint32Array;
  readonly #holds = new Map<number, Hold[]>();

  constructor(input: RoundsInput) {
    this.#input = input;
    this.#scores = input.scores.slice();
    this.planned = input.orders.map(() => []);
  }

  /** Adds the best plan with everybody once. Returns the places of the people in it. */
  *add(): Steps<number[]> {
    const { orders, people, today } = this.#input;
    const openings = orders.map((order, at) => order.openings - this.planned[at]!.length);
    const orderOf = yield* assign({ openings, people: people.length, scores: this.#scores });
    const added: number[] = [];
    for (const [place, at] of orderOf.entries()) {
      if (at < 0) continue;
      this.planned[at]!.push(place);
      const holds = [...(this.#holds.get(place) ?? []), readPlannedHold(orders[at]!.order, today)];
      this.#holds.set(place, holds);
      added.push(place);
    }
    return added;
  }

  /** Leaves only the pairs that can be added to the plan so far. Returns whether there are any. */
  *keepFree(added: readonly number[]): Steps<boolean> {
    const { orders, people, readHeld, canWork } = this.#input;
    const before = this.#scores.slice();
    this.#scores.fill(0);
    let isLeft = false;
    for (const [at, { order, openings }] of orders.entries()) {
      if (this.planned[at]!.length >= openings) continue;
      // Of the others, each could already have been added.
      for (const place of added) {
        const pair = at * people.length + place;
        yield;
        if (before[pair] === 0 || this.planned[at]!.includes(place)) continue;
        const held = readHeld(people[place]!.record.id);
        const holds = [...held.holds, ...this.#holds.get(place)!];
        if (!canWork(order, people[place]!, { ...held, holds })) continue;
        this.#scores[pair] = before[pair]!;
        isLeft = true;
      }
    }
    return isLeft;
  }
}

/**
 * Returns the places of the people whom a plan gives to each order: the best plan with everybody once, then the best over
 * what is left of openings, days and hours, until nothing is added.
 */
export function* assignInRounds(input: RoundsInput): Steps<readonly (readonly number[])[]> {
  const rounds = new Rounds(input);
  for (;;) {
    const added = yield* rounds.add();
    if (added.length === 0 || !(yield* rounds.keepFree(added))) return rounds.planned;
  }
}
