import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { createMatcher, type Matcher } from '../../src/matches/matcher.ts';
import { toMatchTables } from '../../src/matches/tables.ts';
import { Matching } from '../../src/matches/weights.ts';
import type { MajorGroupFile } from '../../src/occupations/occupation.ts';
import { RatingsFile } from '../../src/occupations/ratings.ts';

const folder = join(import.meta.dirname, '..', '..', 'content');
const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'));

/** What matching is made of, as content has it. */
export const facts = readdirSync(join(folder, 'occupations'))
  .sort()
  .flatMap((name) => (read(`occupations/${name}`) as MajorGroupFile).occupations);
export const ratings = v.parse(RatingsFile, read('ratings.json'));
export const matching = v.parse(Matching, read('matching.json'));

/** A matcher by these weights. */
export function toMatcher(weights: Matching): Matcher {
  return createMatcher(toMatchTables(facts, ratings, weights), weights, facts);
}
