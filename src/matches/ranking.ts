import { listEndsDuring } from '../job-orders/gate/ending.ts';
import { type GateOptions, meets } from '../job-orders/gate/gate.ts';
import { createBest } from '../kernel/best.ts';
import { type CandidateHolds, noHolds } from '../placements/period.ts';
import type { Matchable } from '../records/kind/factor.ts';
import type { Match } from './match.ts';
import { type Pair, type PairComparer, Profile } from './pairs.ts';

interface RankOptions {
  limit: number;
  /** The position of the last match on the previous page. */
  after?: number | undefined;
  /** From 0 to 100. Matches below it, and those with score 0, are neither listed nor counted. */
  minScore?: number | undefined;
  onlyMeets?: boolean | undefined;
  /** Whether what is not stated is unmet. */
  isUnstatedUnmet?: boolean | undefined;
  /** Returns what holds a candidate today. If it is left out, nothing does. */
  readHeld?: (candidateId: string) => CandidateHolds;
}

interface Ranked<T> {
  other: T;
  match: Match;
  /** A whole number below 10^15; smaller is better. It is the same until one of the two records changes. */
  position: number;
}

/** The most quarters of a point in a score. */
const most = 400;
/** Pairs with this many credentials that end during the work, and with more, rank alike. */
const mostEnding = 12;
/** How many positions pairs of the same rank share. */
const ties = 2 ** 36;

/** Mixes the bits of a hash, as MurmurHash3 does at its end. Without it FNV-1a favours ids by their last character. */
function mixBits(hash: number): number {
  const high = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  const low = Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
  return (low ^ (low >>> 16)) >>> 0;
}

/** Mixes the hash of an order and that of a candidate into one. */
const mixHashes = (order: number, candidate: number) => mixBits(order ^ mixBits(candidate));

/** Returns the place of a pair among pairs of the same score, a whole number below `ties`. It favours no id. */
function computeTieBreak({ order, candidate }: Pair): number {
  const [orderFirst, orderSecond] = order.idHashes;
  const [candidateFirst, candidateSecond] = candidate.idHashes;
  const highest = mixHashes(orderSecond, candidateSecond) >>> 28;
  return highest * 2 ** 32 + mixHashes(orderFirst, candidateFirst);
}

/**
 * Returns the first position of the pairs of a rank: those with an unmet gate come last, then those with more that ends
 * during the work, then those with a lower score. A score of 0 is not ranked.
 */
function computeFirstPosition(quarters: number, isMet: boolean | null, ending: number): number {
  const group = (isMet === false ? mostEnding + 1 : 0) + Math.min(ending, mostEnding);
  return (group * most + most - quarters) * ties;
}

/** Ranks records that are added one by one, and keeps at most `limit` of them in memory. */
export class Ranking<T extends { record: Matchable }> {
  readonly #comparer: PairComparer;
  readonly #pairWith: (other: Profile) => Pair;
  readonly #options: RankOptions;
  readonly #leastQuarters: number;
  readonly #ranked: ReturnType<typeof createBest<{ other: T; pair: Pair }>>;
  #total = 0;

  constructor(comparer: PairComparer, pairWith: (other: Profile) => Pair, options: RankOptions) {
    const { limit, after = -1, minScore = 0 } = options;
    this.#comparer = comparer;
    this.#pairWith = pairWith;
    this.#options = options;
    this.#leastQuarters = Math.max(1, Math.ceil(minScore * 4));
    this.#ranked = createBest(limit, after);
  }

  /** How many of the added records pass `minScore` and `onlyMeets`. */
  total(): number {
    return this.#total;
  }

  /** Adds a record. It reads no more of the record than its place in the ranking and the total need. */
  add(other: T, profile = new Profile(other.record)): void {
    const { onlyMeets = false } = this.#options;
    const pair = this.#pairWith(profile);
    const quick = this.#comparer.rateQuick(pair);
    const atMost = quick + this.#comparer.mostSlow;
    if (atMost < this.#leastQuarters) return;
    const isCounted = !onlyMeets && quick >= this.#leastQuarters;
    if (isCounted && !this.#canBeListed(pair, atMost)) {
      this.#total += 1;
      return;
    }
    const quarters = quick + this.#comparer.rateSlow(pair);
    if (quarters < this.#leastQuarters) return;
    if (!onlyMeets && !this.#canBeListed(pair, quarters)) {
      this.#total += 1;
      return;
    }
    const { need } = pair.order;
    const { offer } = pair.candidate;
    const options = this.#readGateOptions(pair);
    const isMet = meets(need, offer, options);
    if (onlyMeets && !isMet) return;
    this.#total += 1;
    const ending = listEndsDuring(need, offer, options.held ?? noHolds).length;
    const firstPosition = computeFirstPosition(quarters, isMet, ending);
    this.#ranked.add(firstPosition + computeTieBreak(pair), { other, pair });
  }

  /** Yields the best records, best first. Each is explained only when it is read, because that takes a while. */
  *explain(): Iterable<Ranked<T>> {
    for (const { position, item } of this.#ranked.list()) {
      const { other, pair } = item;
      yield { other, match: this.#comparer.match(pair, this.#readGateOptions(pair)), position };
    }
  }

  /** Whether a pair that scores at most this many quarters can be among the best so far. */
  #canBeListed(pair: Pair, quarters: number): boolean {
    return this.#ranked.hasPlaceFor(computeFirstPosition(quarters, true, 0) + computeTieBreak(pair));
  }

  #readGateOptions({ candidate }: Pair): GateOptions {
    const { isUnstatedUnmet = false, readHeld } = this.#options;
    return { held: readHeld?.(candidate.record.id) ?? noHolds, isUnstatedUnmet };
  }
}

/** Starts a ranking of other records for `record`. */
type Rank = <T extends { record: Matchable }>(record: Matchable, options: RankOptions) => Ranking<T>;

/** Ranks candidates for an order or, if `orderFirst` is false, orders for a candidate. */
export const createRank =
  (comparer: PairComparer, orderFirst: boolean): Rank =>
  <T extends { record: Matchable }>(record: Matchable, options: RankOptions) => {
    const profile = new Profile(record);
    const pairWith = (other: Profile): Pair =>
      orderFirst ? { order: profile, candidate: other } : { order: other, candidate: profile };
    return new Ranking<T>(comparer, pairWith, options);
  };
