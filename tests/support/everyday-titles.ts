import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A title, and the O*NET-SOC codes that a recruiter could file it under. */
type Title = readonly [title: string, ...codes: string[]];

/** Reads the titles of a file: one a line, the title and its codes separated by tabs. */
export const readTitles = (name: string): readonly Title[] =>
  readFileSync(join(import.meta.dirname, name), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t') as [string, ...string[]]);

/** Job titles as people type them, each with its one code. */
export const everydayTitles = readTitles('everyday-titles.tsv') as readonly (readonly [string, string])[];
