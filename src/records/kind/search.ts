import { distance } from 'fastest-levenshtein';
import { hasPlainWord, listNeedles } from '../../kernel/phrase-list.ts';
import { anyText, canHaveWord, type Needles, TextLines } from '../../kernel/text-lines.ts';
import { foldText, hasWord, isUnspaced, type Phrase, readPhrase, type Word } from '../../kernel/words.ts';
import type { StoredRecord } from '../../workspace/record.ts';
import { readPlace } from './fields/places.ts';
import { nameByState } from './fields/states.ts';
import type { Filters } from './filters.ts';
import { type FullMember, listMembersWith } from './member.ts';

/** A search word with at least this many letters also finds longer words that begin with it. */
const shortestBeginning = 3;
/** A search word with at least this many letters may have one wrong letter. */
const shortestMisspelt = 5;

const hasLetter = /[\p{L}\p{N}]/u;
const letters = /^\p{L}+$/u;

/** Whether two words differ in one letter: a wrong one, one too many or one too few. */
function isMisspelt(sent: string, word: string): boolean {
  if (sent.length < shortestMisspelt || Math.abs(sent.length - word.length) > 1) return false;
  return letters.test(sent) && letters.test(word) && distance(sent, word) === 1;
}

/** A search word, and its needles: a plain text that matches it contains one of them. */
interface SearchWord {
  word: Word;
  needles: Needles;
}

/** Returns needles for the texts that a search word finds. A misspelt word keeps one of its halves. */
function listSearchNeedles(word: Word): Needles {
  const [sent = ''] = word.forms;
  if (isUnspaced(word) || !hasLetter.test(sent)) return anyText;
  if (sent.length >= shortestMisspelt)
    return word.forms.flatMap((form) => {
      const middle = Math.floor(form.length / 2);
      return [{ part: form.slice(0, middle) }, { part: form.slice(middle) }];
    });
  return sent.length >= shortestBeginning && /^\d+$/.test(sent)
    ? [{ part: sent, isBeginning: true }]
    : listNeedles(word);
}

function hasSearchWord(word: Word, phrase: Phrase, query: Phrase): boolean {
  if (hasWord(phrase, word, query)) return true;
  const [sent = ''] = word.forms;
  if (isUnspaced(word) || !hasLetter.test(sent)) return foldText(phrase.text).includes(sent);
  if ([...sent].length < shortestBeginning) return false;
  return phrase.words.some(({ forms: [form = ''], partners }, at) => {
    if (partners) return false;
    if (form.startsWith(sent) || isMisspelt(sent, form)) return true;
    return sent.length >= shortestMisspelt && joinWithNext(phrase.words, at).startsWith(sent);
  });
}

/** Joins a word with the next one: "vankirk" for the first of "Van Kirk". */
const joinWithNext = (words: readonly Word[], at: number): string =>
  words[at]!.forms[0]! + (words[at + 1]?.forms[0] ?? '');

/** Returns the words of a query, each joined with the next one. */
const joinNeighbours = (words: readonly Word[]): (Word | undefined)[] =>
  words.map((word, at) => {
    const [form = '', next] = [word.forms[0], words[at + 1]?.forms[0]];
    const isJoined = next !== undefined && letters.test(form) && letters.test(next);
    return isJoined ? { text: form + next, forms: [form + next], parts: [] } : undefined;
  });

/** Whether a word names the state of a place. `ohio` does, and `new` and `york` do for New York. */
function isInState(metro: string, { forms }: Word): boolean {
  const states = readPlace(metro).readings.flatMap((reading) => reading.states);
  return states.some((code) => {
    const names = [foldText(code), ...nameByState.get(code)!.split(' ')];
    return forms.some((form) => names.includes(form));
  });
}

/** The texts of a record that are searched, and the place that it is in. */
interface SearchedTexts {
  texts: readonly string[];
  metro?: string | undefined;
}

/** Returns a test for records with each word of `value` in one of the texts that `read` returns. */
export function createSearchTest(
  value: string,
  read: (record: StoredRecord) => SearchedTexts,
): (record: StoredRecord) => boolean {
  const query = readPhrase(value);
  const toSearchWord = (word: Word): SearchWord => ({ word, needles: listSearchNeedles(word) });
  const searchWords = query.wanted.map(toSearchWord);
  const joined = joinNeighbours(query.wanted).map((word) => word && toSearchWord(word));
  const has = (text: string, { word }: SearchWord) =>
    hasPlainWord(text, word) || hasSearchWord(word, readPhrase(text), query);

  const isInPlace = (metro: string, searchWord: SearchWord) =>
    (canHaveWord(metro, searchWord.needles) && has(metro, searchWord)) || isInState(metro, searchWord.word);

  return (record) => {
    const { texts, metro } = read(record);
    const lines = new TextLines(texts);
    const isInTexts = (searchWord: SearchWord) => {
      for (const text of lines.listWith([searchWord.needles])) if (has(text, searchWord)) return true;
      return false;
    };
    const isJoinedInTexts = (word: SearchWord | undefined) => word !== undefined && isInTexts(word);
    return searchWords.every(
      (searchWord, at) =>
        isInTexts(searchWord) ||
        (metro !== undefined && isInPlace(metro, searchWord)) ||
        isJoinedInTexts(joined[at]) ||
        isJoinedInTexts(joined[at - 1]),
    );
  };
}

/** Returns the filter that searches for words in the members of a record, if a member of its kind is searched. */
export function createSearchFilter(members: Readonly<Record<string, FullMember>>): Filters {
  const names = listMembersWith(members, ({ search }) => search === 'words');
  const [place] = listMembersWith(members, ({ search }) => search === 'place');
  const searched = [...names, 'ref'];
  if (names.length === 0) return {};
  const read = (record: StoredRecord): SearchedTexts => ({
    texts: searched.flatMap((member) => (record[member] as string | string[] | undefined) ?? []),
    metro: place === undefined ? undefined : (record[place] as string | undefined),
  });
  const shown = [...names, ...(place === undefined ? [] : [place])].join(', ');
  return {
    q: {
      title: 'Words',
      description: `Each in ${shown} or ref.`,
      createTest: (value) => createSearchTest(value, read),
    },
  };
}
