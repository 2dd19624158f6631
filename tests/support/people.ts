import { occupationFacts as facts } from '../../scripts/onet/occupation-facts.ts';
import type { Matchable } from '../../src/records/kind/factor.ts';

/** Returns whole numbers below a bound, the same for the same seed (mulberry32). */
export function toChance(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  };
}

const skills = [
  ...['ICU', 'Telemetry', 'IV therapy', 'Python', 'SQL', 'Microsoft Excel', 'Forklift', 'Framing'],
  ...['MIG welding', 'Patient transfers', 'Dialysis', 'Spanish', 'Crop grading', 'Audit support'],
  ...['Vehicle inspection', 'Java'],
];
const licences = ['RN license - PA', 'Pennsylvania RN licence', 'CDL, class A', 'CDL B', 'no CDL'];
const phrases = [...licences, 'Forklift', 'ICU'];
const metros = ['Columbus, OH', 'Cleveland, OH', 'Cincinnati, OH-KY-IN', 'Austin, TX', 'Portland, OR', 'Ulm'];

/** What matches compare of an order or a candidate. */
export interface Person extends Matchable {
  skills?: string[] | undefined;
  metro?: string | undefined;
  requires?: string[] | undefined;
  credentials?: string[] | undefined;
}

/** Makes random orders or candidates: a few skills or none, a metro area or none. */
export function toPeople(prefix: string, count: number, chance: (bound: number) => number): Person[] {
  return Array.from({ length: count }, () => ({
    id: `${prefix}_${chance(2 ** 31).toString(36)}`,
    onetCode: facts[chance(facts.length)]!.id,
    ...(chance(5) > 0 && {
      skills: Array.from({ length: chance(6) }, () => skills[chance(skills.length)]!),
    }),
    ...(chance(3) === 0 && {
      [prefix === 'job' ? 'requires' : 'credentials']: Array.from(
        { length: 1 + chance(2) },
        () => phrases[chance(phrases.length)]!,
      ),
    }),
    ...(chance(4) > 0 && { metro: metros[chance(metros.length)]! }),
  }));
}
