import * as v from 'valibot';
import { jobOrder } from '../job-orders/job-order.ts';
import { say, upTo } from '../kernel/text.ts';
import { ClosenessWeights } from '../occupations/content-files.ts';
import type { Factor } from '../records/factor.ts';

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
  meets: say(v.boolean(), 'Whether nothing is unmet; those who meet come first. No part of the score.'),
  unmet: upTo(23, text, 'Must-haves, licence, start and shift that are not met, in words.'),
  met: upTo(
    20,
    v.object({ phrase: say(text, 'The must-have.'), by: say(text, 'What shows it.') }),
    'Each must-have that is met, and the credential or skill that shows it.',
  ),
  reasons: upTo(factors.length, Reason, 'What gave points, by factor.'),
  gaps: upTo(factors.length + 2, text, 'What is missing or not stated, in words.'),
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
  'Candidates who meet all must-haves come first. It is no hiring decision: a person decides. See /guides/matching.html.';
