import content from '../../../../content/must-haves.json' with { type: 'json' };
import { foldText, type Word } from '../../../kernel/words.ts';
import { createStateWord, readCode } from './state-codes.ts';

/** Other names of states, folded. */
const otherNames = [
  ['us virgin islands', 'VI'],
  ['u.s. virgin islands', 'VI'],
] as const;

/** The USPS code of a state, the District of Columbia or a territory, by its folded code or names. */
export const stateByName: ReadonlyMap<string, string> = new Map([
  ...Object.entries(content.states).flatMap(([code, name]) => [
    [foldText(code), code] as const,
    [foldText(name), code] as const,
  ]),
  ...otherNames,
]);

/** The folded name of a state, by its code. */
export const nameByState: ReadonlyMap<string, string> = new Map(
  Object.entries(content.states).map(([code, name]) => [code, foldText(name)]),
);

const mostWords = Math.max(...[...nameByState.values()].map((name) => name.split(' ').length));
const firstWords = new Set([...nameByState.values()].map((name) => name.split(' ')[0]!));
/** Words behind the name of a state that make it the name of a place, which may be in another state: "Kansas City". */
const placeWords = new Set(['city', 'beach', 'county']);

const firstForm = (word: Word | undefined): string => word?.forms[0] ?? '';

/** Returns the longest name of a state that begins at a word, and how many words it has. */
function findName(words: readonly Word[], at: number): { code: string; count: number } | undefined {
  if (!firstWords.has(firstForm(words[at]))) return undefined;
  for (let count = mostWords; count > 0; count -= 1) {
    const name = words.slice(at, at + count).map(firstForm);
    const code = name.length === count ? stateByName.get(name.join(' ')) : undefined;
    if (code === undefined || nameByState.get(code) !== name.join(' ')) continue;
    const next = firstForm(words[at + count]);
    if (code === 'WA' && next === 'dc') return { code: 'DC', count: 2 };
    return placeWords.has(next) && code !== 'NY' ? undefined : { code, count };
  }
  return undefined;
}

/** Returns the state that is written at a word, how many words it takes, and the word that stands for it. */
function findState(words: readonly Word[], at: number): { count: number; mark: Word } | undefined {
  const name = findName(words, at);
  if (name) return { count: name.count, mark: wordByState.get(name.code)! };
  const form = firstForm(words[at]);
  const code = form.length === 2 ? stateByName.get(form) : undefined;
  if (code === undefined) return undefined;
  const mark = readCode(code, words, at, (other) => findName(words, other) !== undefined);
  return mark && { count: 1, mark };
}

/** The word for each state that is written as its name. */
const wordByState = new Map([...nameByState.keys()].map((code) => [code, createStateWord(code)]));

/** Whether a word stands for a state. */
export const isState = ({ forms }: Word): boolean => forms[0]!.startsWith('state ');

/** Finds the states in the words of a phrase, by the place of their first word. */
function findStates(words: readonly Word[]): Map<number, { count: number; mark: Word }> {
  const states = new Map<number, { count: number; mark: Word }>();
  for (let at = 0; at < words.length; at += 1) {
    const state = findState(words, at);
    if (!state) continue;
    states.set(at, state);
    at += state.count - 1;
  }
  return states;
}

/** Returns the words of a phrase that name a state. */
export const listStateWords = (words: readonly Word[]): ReadonlySet<Word> =>
  new Set([...findStates(words)].flatMap(([at, { count }]) => words.slice(at, at + count)));

/**
 * Replaces each state in the words of a phrase by one word. A state is written as its name or as its code, in any case.
 *
 * A code that is also a word or a title, such as MD, is replaced where it can only be a state.
 */
export function markStates(words: readonly Word[]): Word[] {
  const states = findStates(words);
  const marks = new Map<Word, Word>();
  const marked: Word[] = [];
  for (let at = 0; at < words.length; ) {
    const state = states.get(at);
    const count = state?.count ?? 1;
    const first = words[at]!;
    const { partners } = first;
    const mark: Word = state ? { ...state.mark, ...(partners && { partners }) } : first;
    for (const word of words.slice(at, at + count)) marks.set(word, mark);
    marked.push(mark);
    at += count;
  }
  return marked.map((word) =>
    word.partners
      ? { ...word, partners: word.partners.map((partner) => marks.get(partner) ?? partner) }
      : word,
  );
}

const anyCode = new RegExp(String.raw`\b(?:${[...nameByState.keys()].join('|')})\b`, 'i');
const anyFirstWord = new RegExp(String.raw`\b(?:${[...firstWords].join('|')})\b`, 'i');

/** Whether a plain text may name a state, so that `markStates` may replace some of its words. */
export const canNameState = (text: string): boolean => anyCode.test(text) || anyFirstWord.test(text);
