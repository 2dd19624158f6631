import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { Matching } from '../../src/matches/match.ts';
import { createMatcher, type Matcher, toMatchTables } from '../../src/matches/matcher.ts';
import { RatingsFile } from '../../src/occupations/content-files.ts';
import { occupationFacts as facts } from '../onet/occupation-facts.ts';

const folder = join(import.meta.dirname, '..', '..', 'content');
const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'));

/** What matching is made of, as content has it. */
export const ratings = v.parse(RatingsFile, read('ratings.json'));
export const matching = v.parse(Matching, read('matching.json'));

/** A matcher by these weights. */
export function toMatcher(weights: Matching): Matcher {
  return createMatcher(toMatchTables(facts, ratings, weights), weights, facts);
}
