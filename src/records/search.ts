import { distance } from 'fastest-levenshtein';
import {
  foldText,
  hasWord,
  isUnspaced,
  type Phrase,
  plainText,
  readPhrase,
  type Word,
} from '../kernel/words.ts';
import type { StoredRecord } from '../workspace/record.ts';
import { readPlace } from './fields/places.ts';
import { nameByState } from './fields/states.ts';
import type { Filters } from './filters.ts';

/** Members that words are searched in: no ids, and nothing that only its maker reads. */
const searched = ['name', 'title', 'client', 'ref', 'skills', 'credentials', 'requires'];

/** Letters from which a word may be the beginning of another, and from which one letter of it may be wrong. */
const [shortestBeginning, shortestMisspelt] = [3, 5];

const hasLetter = /[\p{L}\p{N}]/u;
const letters = /^\p{L}+$/u;

/** Whether two different words differ in one letter: another one, one too many or one too few. */
function isMisspelt(sent: string, word: string): boolean {
  if (sent.length < shortestMisspelt || Math.abs(sent.length - word.length) > 1) return false;
  return letters.test(sent) && letters.test(word) && distance(sent, word) === 1;
}

/** A word that is searched for, and what has to be in a plain text that has it. */
interface Wanted {
  word: Word;
  /** One of these. */
  parts: readonly string[];
}

/** A misspelt word has one of its halves as it is. */
function listParts({ forms }: Word): string[] {
  return forms.flatMap((form) => {
    // Forms of one word differ in their last letters.
    if (form.length < shortestMisspelt) return [form.slice(0, Math.max(1, form.length - 2))];
    const middle = Math.floor(form.length / 2);
    return [form.slice(0, middle), form.slice(middle)];
  });
}

function hasWanted({ word }: Wanted, phrase: Phrase, asked: Phrase): boolean {
  if (hasWord(phrase, word, asked)) return true;
  const [sent = ''] = word.forms;
  if (isUnspaced(word) || !hasLetter.test(sent)) return foldText(phrase.text).includes(sent);
  if ([...sent].length < shortestBeginning) return false;
  return phrase.words.some(({ forms: [form = ''], partner }) => {
    return !partner && (form.startsWith(sent) || isMisspelt(sent, form));
  });
}

/** Whether a place is in a state that a word names, alone or with others: `ohio`, or `new` and `york`. */
function isInState(metro: string, { forms }: Word): boolean {
  const states = readPlace(metro).readings.flatMap((reading) => reading.states);
  return states.some((code) => {
    const names = [foldText(code), ...nameByState.get(code)!.split(' ')];
    return forms.some((form) => names.includes(form));
  });
}

/** Makes the test for records that have each word of a value somewhere. */
function createSearchTest(value: string): (record: StoredRecord) => boolean {
  const query = readPhrase(value);
  const all: Wanted[] = query.wanted.map((word) => ({ word, parts: listParts(word) }));
  const isIn = (text: string, one: Wanted) => {
    if (plainText.test(text)) {
      const lower = text.toLowerCase();
      if (!one.parts.some((part) => lower.includes(part))) return false;
    }
    return hasWanted(one, readPhrase(text), query);
  };
  return (record) => {
    const texts = searched.flatMap((member) => (record[member] as string | string[] | undefined) ?? []);
    const { metro } = record as { metro?: string };
    return all.every((one) => {
      if (texts.some((text) => isIn(text, one))) return true;
      return metro !== undefined && (isIn(metro, one) || isInState(metro, one.word));
    });
  };
}

/** Search words over everything that a record calls itself, has or asks for. */
export const searchFilter: Filters = {
  q: {
    title: 'Words',
    description: 'Each in name, title, client, metro, ref, skills, credentials or requires.',
    createTest: createSearchTest,
  },
};
