import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  governmentFiles,
  listOnetTitles,
  readCodedTitles,
  readGovernmentTitles,
} from '../../src/occupations/titles/search-file.ts';
import { listTitleForms, stemTitle } from '../../src/occupations/titles/words.ts';
import { occupationFacts as facts } from '../onet/occupation-facts.ts';

export const folder = join(import.meta.dirname, '..', '..', 'content', 'titles');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

const codes = facts.map(({ id }) => id);

/** The texts of the U.S. Government's title files. */
export const governmentTexts = governmentFiles.map(read);
export const governmentTitles = governmentTexts.flatMap((file) => readGovernmentTitles(file, codes));
export const onetTitles = listOnetTitles(facts);
export const everyday = JSON.parse(read('everyday-words.json'));

/** Titles whose codes are known, to choose and to calibrate by. */
export const development = readCodedTitles(read('development.tsv'), codes);
/** Titles whose codes are known, to judge by and for nothing else. */
export const audit = readCodedTitles(read('audit.tsv'), codes);

/** What each form of a title is known by, whatever the order of its words. */
const toKeys = (title: string) =>
  listTitleForms(title).map((form) => [...new Set(stemTitle(form))].sort().join(' '));

/** Makes a function that tells whether a title, or a part of it, is one of these or a part of one. */
export function toWithheld(titles: readonly { title: string }[]): (title: string) => boolean {
  const keys = new Set(titles.flatMap(({ title }) => toKeys(title)));
  return (title) => toKeys(title).some((key) => keys.has(key));
}
