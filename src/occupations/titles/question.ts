import { createLookup } from './exact-titles.ts';
import { createReading, type EverydayWords } from './reading.ts';
import { createSpelling } from './spelling.ts';
import { noTitle, ownTitle, type TitleIndex } from './title-index.ts';
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
export function createQuestion(index: TitleIndex, vocabulary: readonly string[], everyday: EverydayWords) {
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
    for (let at = entry === 0 ? 0 : ownerEnds[entry - 1]!; at < ownerEnds[entry]!; at += 1) {
      if (titles[at] === ownTitle) own.push(owners[at]!);
      if (titles[at] !== noTitle) exact.push(owners[at]!);
    }
    return own.length > 0 ? { exact: own, isOwn: true } : { exact, isOwn: false };
  }

  return (q: string): Question => {
    const [text = ''] = toForms(q);
    const plain = toWords(text);
    const numbers = toNumbers(plain);
    const found = toExact(plain, numbers);
    if (found.exact.length > 0 && !isShortForm(text))
      return { words: plain, numbers, isRead: true, readShare: 1, ...found };
    const said = read(text);
    let left = mostSpelled;
    let known = 0;
    const understood = (said.length > 0 ? said : plain).map((word) => {
      const near = numberOf.has(word) || left-- <= 0 ? undefined : spell(word);
      known += numberOf.has(word) ? 1 : near === undefined ? 0 : spelledShare;
      return near === undefined ? word : vocabulary[near]!;
    });
    const numbered = toNumbers(understood);
    return {
      words: understood,
      numbers: numbered,
      isRead: known === understood.length,
      readShare: known / Math.max(1, understood.length),
      ...toExact(understood, numbered),
    };
  };
}
