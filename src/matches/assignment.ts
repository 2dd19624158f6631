/**
 * Assigns people to orders: the most openings filled first, then the highest total score.
 *
 * It adds one opening at a time and looks for the cheapest chain of moves that fills it: a shortest path with potentials,
 * as in R. Jonker and A. Volgenant, "A Shortest Augmenting Path Algorithm for Dense and Sparse Linear Assignment
 * Problems", Computing 38 (1987). Here an order can take several people, and an opening can stay empty.
 */

interface Problem {
  /** How many people each order takes. */
  openings: readonly number[];
  /** How many people there are. */
  people: number;
  /** The score of each pair, order by order: a whole number, or 0 if the two are never assigned to each other. */
  scores: Uint16Array | Uint32Array;
}

const nobody = -1;

class Assignment {
  /** The index of the order of each person, or the value of `nobody` for a person without one. */
  readonly orderOf: Int32Array;
  readonly #people: number;
  readonly #scores: Uint16Array | Uint32Array;
  /** The cost of an empty opening. It is more than all scores together. */
  readonly #emptyCost: number;
  /** Potentials. The cost of a pair, less both, is never negative, and 0 for each assigned pair. */
  readonly #orderPotential: Float64Array;
  readonly #personPotential: Float64Array;
  /** State of one search. For each person: the cost to reach them, and the order from which. */
  readonly #costTo: Float64Array;
  readonly #from: Int32Array;
  /** Of each order that the search has reached: the cost, and the person who would leave it. */
  readonly #isReached: Uint8Array;
  readonly #orderCost: Float64Array;
  readonly #leaver: Int32Array;

  constructor({ openings, people, scores }: Problem) {
    const orders = openings.length;
    let greatest = 0;
    for (const score of scores) greatest = Math.max(greatest, score);
    const places = openings.reduce((sum, count) => sum + count, 0);
    this.#people = people;
    this.#scores = scores;
    this.#emptyCost = greatest * (Math.min(places, people) + 1);
    this.orderOf = new Int32Array(people).fill(nobody);
    this.#orderPotential = new Float64Array(orders).fill(-greatest);
    this.#personPotential = new Float64Array(people);
    this.#costTo = new Float64Array(people);
    this.#from = new Int32Array(people);
    this.#isReached = new Uint8Array(orders);
    this.#orderCost = new Float64Array(orders);
    this.#leaver = new Int32Array(orders);
  }

  /** Fills one more opening of an order, if that is best. Returns whether the order has one more person than before. */
  *fill(first: number): Generator<undefined, boolean> {
    this.#costTo.fill(Number.POSITIVE_INFINITY);
    this.#isReached.fill(0);
    let order = first;
    let cost = 0;
    let leaver = nobody;
    let emptied = first;
    let emptyCost = Number.POSITIVE_INFINITY;
    for (;;) {
      this.#isReached[order] = 1;
      this.#orderCost[order] = cost;
      this.#leaver[order] = leaver;
      const costIfEmptied = cost + this.#emptyCost - this.#orderPotential[order]!;
      if (costIfEmptied < emptyCost) [emptied, emptyCost] = [order, costIfEmptied];
      const next = this.#findNext(order);
      yield;
      const nextCost = next === nobody ? Number.POSITIVE_INFINITY : this.#costTo[next]!;
      if (emptyCost <= nextCost) {
        this.#move(this.#leaver[emptied]!, first);
        this.#raisePotentials(emptyCost);
        return emptied !== first;
      }
      [leaver, order, cost] = [next, this.orderOf[next]!, nextCost];
      if (order !== nobody) continue;
      this.#move(next, first);
      this.#raisePotentials(cost);
      return true;
    }
  }

  /**
   * Looks from an order at all people that no reached order has. Returns the one who is cheapest to reach: of several,
   * one without an order, because that ends the search.
   */
  #findNext(order: number): number {
    // Locals, because this loop takes nearly all of the time.
    const { orderOf } = this;
    const [scores, costTo, from] = [this.#scores, this.#costTo, this.#from];
    const [potentials, isReached] = [this.#personPotential, this.#isReached];
    const row = order * this.#people;
    const base = this.#orderCost[order]! - this.#orderPotential[order]!;
    let [next, least, isFree] = [nobody, Number.POSITIVE_INFINITY, true];
    for (let person = 0; person < orderOf.length; person += 1) {
      const current = orderOf[person]!;
      if (current !== nobody && isReached[current] === 1) continue;
      const score = scores[row + person]!;
      let cost = costTo[person]!;
      if (score > 0 && base - score - potentials[person]! < cost) {
        cost = base - score - potentials[person]!;
        costTo[person] = cost;
        from[person] = order;
      }
      if (cost > least || (cost === least && (isFree || current !== nobody))) continue;
      next = person;
      least = cost;
      isFree = current === nobody;
    }
    return next;
  }

  /**
   * Moves a person to the order that reached them, then the person who leaves that order, until `first` has one more.
   */
  #move(last: number, first: number): void {
    let person = last;
    while (person !== nobody) {
      const order = this.#from[person]!;
      this.orderOf[person] = order;
      person = order === first ? nobody : this.#leaver[order]!;
    }
  }

  #raisePotentials(cost: number): void {
    for (let order = 0; order < this.#isReached.length; order += 1)
      if (this.#isReached[order]) this.#orderPotential[order]! += cost - this.#orderCost[order]!;
    for (let person = 0; person < this.#people; person += 1) {
      const order = this.orderOf[person]!;
      if (order === nobody || !this.#isReached[order]) continue;
      const score = this.#scores[order * this.#people + person]!;
      this.#personPotential[person] = -score - this.#orderPotential[order]!;
    }
  }
}

/**
 * Returns the order of each person, or -1. Yields after each short step, so that a caller can pause.
 *
 * No other assignment fills more openings or, with as many filled, has a higher total score. Of equally good
 * assignments, the sequence of orders and people alone decides which.
 */
export function* assign(problem: Problem): Generator<undefined, Int32Array> {
  const assignment = new Assignment(problem);
  for (const [order, openings] of problem.openings.entries())
    for (let filled = 0; filled < openings; filled += 1) if (!(yield* assignment.fill(order))) break;
  return assignment.orderOf;
}
