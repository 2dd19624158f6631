import { createLookup } from './exact-titles.ts';
import { createReading, type EverydayWords } from './reading.ts';
import { createSpelling } from './spelling.ts';
import { noTitle, ownTitle, startOf, type TitleIndex } from './title-index.ts';
import { toForms, toWords } from './words.ts';

/** A title as it is searched for. */
export interface Question {
  words: string[];
  /** The different words that some title has, by number. */
  numbers: number[];
  /** Whether every word was known as it was written. */
  isRead: boolean;
  /** How much of it is known, 0 to 1; a word that was taken for another one counts in part. */
  readShare: number;
  /** The occupations that O*NET gives this very title, the own one alone where it is one. */
  exact: number[];
  isOwn: boolean;
}

const mostSpelled = 3;
/** What a word counts that was taken for another one. */
const spelledShare = 0.7;

/** Makes a function that reads a text as titles say it: see `createSearch`. */
export function createQuestion(
  index: TitleIndex,
  vocabulary: readonly string[],
  everyday: EverydayWords,
): (q: string) => Question {
  const { ownerEnds, owners, titles, words } = index;
  const numberOf = new Map(vocabulary.map((word, number) => [word, number]));
  const often = new Uint32Array(vocabulary.length);
  for (const word of words) often[word]! += 1;
  const spell = createSpelling(vocabulary, (word) => often[word]!);
  const lookUp = createLookup(index);
  const { read, isShortForm } = createReading(everyday);

  function toNumbers(said: readonly string[]): number[] {
    return [...new Set(said)].map((word) => numberOf.get(word)).filter((one) => one !== undefined);
  }

  /** The occupations that O*NET gives a title of these words. */
  function toExact(said: readonly string[], numbers: readonly number[]): { exact: number[]; isOwn: boolean } {
    const entry = numbers.length > 0 && numbers.length === new Set(said).size ? lookUp(numbers) : -1;
    if (entry < 0) return { exact: [], isOwn: false };
    const [own, exact]: [number[], number[]] = [[], []];
    for (let at = startOf(ownerEnds, entry); at < ownerEnds[entry]!; at += 1) {
      if (titles[at] === ownTitle) own.push(owners[at]!);
      if (titles[at] !== noTitle) exact.push(owners[at]!);
    }
    return own.length > 0 ? { exact: own, isOwn: true } : { exact, isOwn: false };
  }

  /** A text as it is read, its strange words as the nearest known. */
  function understand(said: readonly string[]): Question {
    let left = mostSpelled;
    let known = 0;
    const understood = said.map((word) => {
      if (numberOf.has(word)) {
        known += 1;
        return word;
      }
      const near = left-- > 0 ? spell(word) : undefined;
      if (near === undefined) return word;
      known += spelledShare;
      return vocabulary[near]!;
    });
    const numbers = toNumbers(understood);
    const isRead = known === said.length;
    return {
      words: understood,
      numbers,
      isRead,
      readShare: known / Math.max(1, said.length),
      ...toExact(understood, numbers),
    };
  }

  return (q) => {
    const [text = ''] = toForms(q);
    const words = toWords(text);
    const numbers = toNumbers(words);
    const plain = { words, numbers, isRead: true, readShare: 1, ...toExact(words, numbers) };
    if (plain.isOwn) return plain;
    const said = read(text);
    const question = said.length > 0 ? understand(said) : { ...understand(words), isRead: isShortForm(text) };
    if (plain.exact.length === 0 || isShortForm(text)) return question;
    // A title that O*NET has is itself, and what its short forms stand for where that is a title too.
    if (question.exact.length === 0) return plain;
    return { ...question, exact: [...new Set([...question.exact, ...plain.exact])] };
  };
}
