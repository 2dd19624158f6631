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

/** Titles with known codes, for choosing parameters and for calibration. */
export const development = readCodedTitles(read('development.tsv'), codes);
/** Titles with known codes, only for the final figures. */
export const audit = readCodedTitles(read('audit.tsv'), codes);

/** Returns a key for each form of a title. Keys do not depend on the order of words. */
const toKeys = (title: string) =>
  listTitleForms(title).map((form) => [...new Set(stemTitle(form))].sort().join(' '));

/** Creates a function that returns whether a title and one of these titles have a form in common. */
export function toWithheld(titles: readonly { title: string }[]): (title: string) => boolean {
  const keys = new Set(titles.flatMap(({ title }) => toKeys(title)));
  return (title) => toKeys(title).some((key) => keys.has(key));
}
