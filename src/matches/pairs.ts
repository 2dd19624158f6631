import { explainGate, type GateOptions } from '../job-orders/gate/gate.ts';
import { type OrderNeed, readNeed } from '../job-orders/gate/need.ts';
import { type CandidateOffer, readOffer } from '../job-orders/gate/offer.ts';
import { fnv1a } from '../kernel/entity-tag.ts';
import type { Comparison, Matchable } from '../records/kind/factor.ts';
import { factors, type Match, type Matching, type Reason } from './match.ts';

/** Where the second hash of an id begins, so that it differs from the first. */
const secondStart = 0x9e3779b9;

/** What is compared of a record. Each part is read when it is first compared. A record with fifty skills can take 200 kB. */
export class Profile {
  readonly record: Matchable;
  readonly #parts: unknown[] = [];
  #need: OrderNeed | undefined;
  #offer: CandidateOffer | undefined;
  #idHashes: readonly [number, number] | undefined;

  constructor(record: Matchable) {
    this.record = record;
  }

  /** Returns what the factor at this place in `factors` compares. */
  readPart(place: number): unknown {
    this.#parts[place] ??= factors[place]!.read(this.record);
    return this.#parts[place];
  }

  /** Two hashes of its id, which break ties. */
  get idHashes(): readonly [number, number] {
    const { id } = this.record;
    this.#idHashes ??= [fnv1a(id), fnv1a(id, secondStart)];
    return this.#idHashes;
  }

  /** What it needs, as a job order. */
  get need(): OrderNeed {
    this.#need ??= readNeed(this.record);
    return this.#need;
  }

  /** What it offers, as a candidate. */
  get offer(): CandidateOffer {
    this.#offer ??= readOffer(this.record);
    return this.#offer;
  }
}

/** An order and a candidate. */
export interface Pair {
  order: Profile;
  candidate: Profile;
}

const places = [...factors.keys()];
/** The places of the factors that are quick to rate, and of the others. */
const quick = places.filter((at) => !factors[at]!.isSlow);
const slow = places.filter((at) => factors[at]!.isSlow);

/** Rates and explains pairs of profiles. The comparisons are in the order of `factors`. Points are in quarters. */
export class PairComparer {
  /** The most that `rateSlow` returns. */
  readonly mostSlow: number;
  readonly #comparisons: readonly Comparison<unknown>[];

  constructor(comparisons: readonly Comparison<unknown>[], points: Matching['points']) {
    this.#comparisons = comparisons;
    this.mostSlow = slow.reduce((sum, at) => sum + 4 * points[factors[at]!.name]!, 0);
  }

  /** Returns the points of the factors that are quick to rate. */
  rateQuick(pair: Pair): number {
    return this.#rate(quick, pair);
  }

  /** Returns the points of the other factors. */
  rateSlow(pair: Pair): number {
    return this.#rate(slow, pair);
  }

  #rate(at: readonly number[], { order, candidate }: Pair): number {
    let sum = 0;
    for (const place of at)
      sum += this.#comparisons[place]!.rate(order.readPart(place), candidate.readPart(place));
    return sum;
  }

  /** Returns the score of a pair. */
  rate(pair: Pair): number {
    return this.rateQuick(pair) + this.rateSlow(pair);
  }

  /** Returns the match of a pair in words. A factor that gives no points can still have a gap. */
  match(pair: Pair, options: GateOptions): Match {
    const { order, candidate } = pair;
    const reasons: Reason[] = [];
    const gaps: string[] = [];
    let score = 0;
    for (const [at, { rate, explain }] of this.#comparisons.entries()) {
      const parts = [order.readPart(at), candidate.readPart(at)] as const;
      const points = rate(...parts) / 4;
      const { reason, gap } = explain(...parts);
      score += points;
      if (points > 0) reasons.push({ factor: factors[at]!.name, points, text: reason! });
      if (gap !== undefined) gaps.push(gap);
    }
    const gate = explainGate(order.need, candidate.offer, options);
    return {
      score,
      meets: gate.meets,
      unmet: gate.unmet.map(({ text }) => text),
      unknown: gate.unknown,
      met: gate.met,
      endsDuring: gate.endsDuring,
      ...gate.compared,
      reasons,
      gaps: [...gaps, ...gate.expiring, ...gate.gaps],
    };
  }
}
