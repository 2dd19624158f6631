import * as v from 'valibot';
import { jobOrder } from '../job-orders/job-order.ts';
import { CalendarDate, may, say, upTo } from '../kernel/text.ts';
import { ClosenessWeights } from '../occupations/content-files.ts';
import type { Factor } from '../records/kind/factor.ts';

const text = v.pipe(v.string(), v.minLength(1));

/** The factors of a score, in the order of its reasons. Members of a job order declare them. */
export const factors: readonly Factor[] = jobOrder.factors;

const Reason = v.object({
  factor: say(v.picklist(factors.map(({ name }) => name)), 'What is compared.'),
  points: say(
    v.pipe(v.number(), v.gtValue(0), v.maxValue(100), v.multipleOf(0.25)),
    'In quarters of a point, so that any sum of them is exact.',
  ),
  text: say(text, 'What speaks for the pair, in words.'),
});
export type Reason = v.InferOutput<typeof Reason>;

/** The members of every match: how well an order and a candidate fit. The summary of one of the two comes with them. */
export const matchEntries = {
  score: say(
    v.pipe(v.number(), v.minValue(0), v.maxValue(100), v.multipleOf(0.25)),
    'From 0 to 100: exactly the sum of the points of its reasons.',
  ),
  meets: say(
    v.nullable(v.boolean()),
    'false if a gate is unmet, null if nothing could be compared. false comes last. No part of the score.',
  ),
  unmet: upTo(47, text, 'Must-haves, licence, start, shift, pay and workplace that are not met, in words.'),
  unknown: upTo(25, text, 'Gates that are not compared, because the candidate does not state it for sure.'),
  met: upTo(
    20,
    v.object({ phrase: say(text, 'The must-have.'), by: say(text, 'What shows it.') }),
    'Each must-have that is met, and the credential or skill that shows it.',
  ),
  endsDuring: upTo(
    21,
    v.object({
      requirement: say(text, 'The must-have or the licence.'),
      until: say(CalendarDate, 'The last day of what shows it.'),
    }),
    'What is met at the start of the work, and ends before its last day or that of its guarantee.',
  ),
  shift: may(
    v.object({
      order: say(text, 'The shift of the work.'),
      candidate: upTo(4, text, 'The shifts that the candidate works.'),
    }),
    'The shifts that were compared.',
  ),
  pay: may(
    v.object({
      asks: say(v.number(), 'US dollars that the candidate asks.'),
      most: say(v.number(), 'The most that the order pays.'),
      per: say(v.picklist(['hour', 'year']), 'An hour or a year.'),
    }),
    'The pay that was compared.',
  ),
  reasons: upTo(factors.length, Reason, 'What gave points, by factor.'),
  gaps: upTo(factors.length + 22, text, 'What a factor misses, what expires soon or did, and fewer hours.'),
};

export const Match = v.object(matchEntries);
export type Match = v.InferOutput<typeof Match>;

const Weight = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(100));

/** content/matching.json, from which scores are computed. The points add up to 100. */
export const Matching = v.pipe(
  v.strictObject({
    /** The most points that each factor can give. */
    points: v.strictObject(Object.fromEntries(factors.map(({ name }) => [name, Weight]))),
    settings: v.strictObject(
      Object.assign({}, ...factors.map(({ settings }) => settings)) as Record<
        string,
        v.GenericSchema<number>
      >,
    ),
    closeness: ClosenessWeights,
  }),
  v.check(
    ({ points }) => Object.values(points).reduce((sum, weight) => sum + weight, 0) === 100,
    'the points must be 100 together',
  ),
);
export type Matching = v.InferOutput<typeof Matching>;

const listFormat = new Intl.ListFormat('en-GB');

/** Says what a score uses and what it does not, and where the guide is. */
export const statement =
  `A score uses ${listFormat.format(factors.map(({ compares }) => compares))} alone: no name, id, date or earlier placement. ` +
  'Those with an unmet must-have, licence, start, shift, pay or workplace come last. It is no hiring decision: a person decides. See /guides/matching.html.';
