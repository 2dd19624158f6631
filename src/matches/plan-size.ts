import type { Matchable } from '../records/kind/factor.ts';

/** One plan has at most this many openings, because its reply has a row for each. */
export const mostOpenings = 1000;
/** One plan compares at most this many pairs. Their scores take two bytes each. */
const mostPairs = 2_000_000;
/**
 * One plan compares at most this many pairs of phrases: those of its orders times those of all people. See the guide to
 * speed.
 */
const mostComparisons = 300_000_000;
/** The fixed cost of comparing an order, in phrases. */
const phrasesOfAnyOrder = 20;

function countPhrases(record: Matchable): number {
  const { skills = [], requires = [], credentials = [] } = record as Partial<Record<string, unknown[]>>;
  return skills.length + requires.length + credentials.length;
}

/** How large a plan is. Add all people first. */
export class PlanSize {
  #people = 0;
  #phrasesOfPeople = 0;
  #orders = 0;
  #openings = 0;
  #phrasesOfOrders = 0;

  addPerson(person: Matchable): void {
    this.#people += 1;
    this.#phrasesOfPeople += 1 + countPhrases(person);
  }

  /** Adds an order. Returns whether one plan can be that large. */
  addOrder(openings: number, order: Matchable): boolean {
    this.#orders += 1;
    this.#openings += openings;
    this.#phrasesOfOrders += phrasesOfAnyOrder + countPhrases(order);
    return (
      this.#openings <= mostOpenings &&
      this.#orders * this.#people <= mostPairs &&
      this.#phrasesOfOrders * this.#phrasesOfPeople <= mostComparisons
    );
  }
}
