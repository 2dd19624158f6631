import type { Matchable } from '../records/factor.ts';
import type { Gated } from '../records/gate.ts';
import type { Match } from './match.ts';

/** An order or a candidate as it is compared. */
export interface Profile {
  id: string;
  /** What each factor compares of it, in their order. */
  parts: readonly unknown[];
  gate: Gated;
  /** Characters of all that: how much work a comparison is. */
  size: number;
}

/** What of a ranking is asked for. */
interface RankOptions {
  /** How many to answer at most. */
  limit: number;
  /** The position of the last that was answered before; from the first where there is none. */
  after?: number | undefined;
  /** From 0 to 100: those below, and those with score 0, are neither answered nor counted. */
  minScore?: number | undefined;
  /** Those alone that meet all must-haves. */
  onlyMeets?: boolean | undefined;
  /** Lets others have the processor: awaited after each slice of a few milliseconds. */
  pause(): Promise<unknown>;
}

interface Ranked<T> {
  record: T;
  match: Match;
  /** Its place: a whole number below 10^15, the same as long as the two records are. A smaller one is better. */
  position: number;
}

export interface Ranking<T> {
  matches: Ranked<T>[];
  /** How many reach `minScore`, over all pages. */
  total: number;
  /** Whether others follow. */
  more: boolean;
}

/** Ranks `others` for `one`, best first. Records are not changed afterwards: what was read of one is kept. */
export type Rank = <T extends Matchable>(
  one: Matchable,
  others: readonly T[],
  options: RankOptions,
) => Promise<Ranking<T>>;

/** How an order and a candidate compare. */
interface Compare {
  toProfile(record: Matchable): Profile;
  /** In quarters of a point, from 0 to 400. */
  score(order: Profile, candidate: Profile): number;
  /** Whether nothing that the order must have is unmet. */
  meets(order: Profile, candidate: Profile): boolean;
  match(order: Profile, candidate: Profile): Match;
}

/** The most quarters of a score, and what meeting all must-haves adds to a rank: those who do come first. */
const most = 400;
const best = 2 * most;
const ties = 2 ** 40;
/** Work of a slice, and of looking at a record, in characters: about 1 ms where nothing was read before. */
const [slice, least] = [16_384, 8];
/** How often a pair is compared to be explained. */
const explanations = 3;

/**
 * The place of a pair among pairs of the same score: a whole number below `ties` that follows from the two ids alone
 * and looks like chance, so that it favours no id. Two lanes of multiply and rotate (as in MurmurHash3).
 */
function toTieBreak(order: { id: string }, candidate: { id: string }): number {
  let [one, other] = [0x9e3779b9, 0x85ebca6b];
  const text = `${order.id} ${candidate.id}`;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    one = Math.imul(one ^ unit, 0x9e3779b1);
    other = Math.imul(other ^ unit, 0x5f356495);
    one ^= one >>> 15;
    other ^= other >>> 13;
  }
  one = Math.imul(one ^ (one >>> 16), 0x85ebca6b) ^ Math.imul(other ^ (other >>> 13), 0xc2b2ae35);
  other = Math.imul(other ^ (other >>> 16), 0x85ebca6b) ^ Math.imul(one ^ (one >>> 13), 0xc2b2ae35);
  one ^= one >>> 16;
  return (other >>> 24) * 2 ** 32 + (one >>> 0);
}

/** Awaits `pause` whenever the work of comparing `one` with others makes a slice. */
function toSlices(one: Profile, pause: () => Promise<unknown>) {
  const times = 1 + one.size / 1000;
  let work = 0;
  return (other: Profile, often = 1): Promise<unknown> | undefined => {
    work += (least + other.size * times) * often;
    if (work < slice) return undefined;
    work = 0;
    return pause();
  };
}

/** The worst rank that the next `limit` and one more after `first` can have. */
function toCutoff(counts: Uint32Array, first: number, limit: number): number {
  let found = 0;
  let rank = first;
  while (rank > 1 && found <= limit) {
    rank -= 1;
    found += counts[rank]!;
  }
  return rank;
}

/** Ranks by how two compare. `orderFirst`: whether it is an order that candidates are ranked for. */
export function createRank({ toProfile, score, meets, match }: Compare, orderFirst: boolean): Rank {
  return async (record, others, { limit, after = -1, minScore = 0, onlyMeets = false, pause }) => {
    const one = toProfile(record);
    const leastQuarters = Math.max(1, Math.ceil(minScore * 4));
    const both = <T>(of: (order: Profile, candidate: Profile) => T, other: Profile) =>
      orderFirst ? of(one, other) : of(other, one);
    const cut = toSlices(one, pause);
    // From 1 on; 0 where one is not asked for.
    const ranks = new Uint16Array(others.length);
    const counts = new Uint32Array(best + 2);
    let total = 0;
    for (let at = 0; at < others.length; at += 1) {
      const other = toProfile(others[at]!);
      const quarters = orderFirst ? score(one, other) : score(other, one);
      if (quarters >= leastQuarters) {
        const isMet = orderFirst ? meets(one, other) : meets(other, one);
        if (isMet || !onlyMeets) {
          const rank = isMet ? quarters + most : quarters;
          ranks[at] = rank;
          counts[rank]! += 1;
          total += 1;
        }
      }
      const paused = cut(other);
      if (paused) await paused;
    }
    const first = after < 0 ? best + 1 : best - Math.floor(after / ties);
    const last = toCutoff(counts, first, limit);
    const near: { at: number; position: number }[] = [];
    for (let at = 0; at < ranks.length; at += 1) {
      const rank = ranks[at]!;
      if (rank > first || rank < last) continue;
      const position = (best - rank) * ties + both(toTieBreak, toProfile(others[at]!));
      if (position > after) near.push({ at, position });
    }
    const bound = Float64Array.from(near, ({ position }) => position).sort()[limit] ?? Infinity;
    const page = near.filter(({ position }) => position < bound).sort((a, b) => a.position - b.position);
    const matches = [];
    for (const { at, position } of page) {
      const other = toProfile(others[at]!);
      matches.push({ record: others[at]!, match: both(match, other), position });
      const paused = cut(other, explanations);
      if (paused) await paused;
    }
    return { matches, total, more: near.length > page.length };
  };
}
