import { createReading, type EverydayWords } from './reading.ts';
import { noTitle, ownTitle, type Postings, type TitleIndex } from './title-index.ts';
import { toForms, toStems, toTokens } from './words.ts';

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
  { ownerStarts, owners, titles, wordStarts, words }: TitleIndex,
  { starts, entries }: Postings,
  vocabulary: readonly string[],
  everyday: EverydayWords,
): (q: string) => Question {
  const numberOf = new Map(vocabulary.map((word, number) => [word, number]));
  const howOften = (word: number) => starts[word + 1]! - starts[word]!;
  const spell = createSpelling(vocabulary, howOften);
  const { read, isShortForm } = createReading(everyday);

  function toNumbers(said: readonly string[]): number[] {
    return [...new Set(said)].map((word) => numberOf.get(word)).filter((one) => one !== undefined);
  }

  /** The entry that has these words and no others. */
  function findEntry(numbers: readonly number[]): number | undefined {
    const wanted = numbers.toSorted((a, b) => a - b);
    const rarest = wanted.reduce((best, word) => (howOften(word) < howOften(best) ? word : best));
    return entries.subarray(starts[rarest], starts[rarest + 1]).find((entry) => {
      const from = wordStarts[entry]!;
      const isAsLong = wordStarts[entry + 1]! - from === wanted.length;
      return isAsLong && wanted.every((word, at) => words[from + at] === word);
    });
  }

  /** The occupations that O*NET gives a title of these words. */
  function toExact(said: readonly string[], numbers: readonly number[]): { exact: number[]; isOwn: boolean } {
    const isKnown = numbers.length > 0 && numbers.length === new Set(said).size;
    const entry = isKnown ? findEntry(numbers) : undefined;
    if (entry === undefined) return { exact: [], isOwn: false };
    const [own, exact]: [number[], number[]] = [[], []];
    for (let at = ownerStarts[entry]!; at < ownerStarts[entry + 1]!; at += 1) {
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
    const tokens = toTokens(text);
    const words = toStems(tokens);
    const numbers = toNumbers(words);
    const plain = { words, numbers, isRead: true, readShare: 1, ...toExact(words, numbers) };
    if (plain.isOwn) return plain;
    const { said, isTranslated } = read(tokens);
    const question =
      said.length > 0 ? understand(said) : { ...understand(words), isRead: isShortForm(tokens) };
    if (isTranslated) question.isRead = false;
    if (plain.exact.length === 0 || isShortForm(tokens)) return question;
    // A title that O*NET has is itself, and what its short forms stand for where that is a title too.
    if (question.exact.length === 0) return plain;
    return { ...question, exact: [...new Set([...question.exact, ...plain.exact])] };
  };
}

const shortestSpelled = 5;
const shortestBegun = 4;
const shortestMisbegun = 8;
/** Slips that another first letter counts for, beside its own. */
const otherStart = 0.6;

/** A bit for each letter that a word has. */
function toLetters(word: string): number {
  let letters = 0;
  for (let at = 0; at < word.length; at += 1) letters |= 1 << (word.charCodeAt(at) & 31);
  return letters;
}

function countBits(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count += 1;
  return count;
}

/**
 * How many slips make `b` of `a`: a letter left out, put in or changed, or two that changed places (optimal string
 * alignment); a changed one counts a little more than the others. More than `most` is told as Infinity.
 */
function countSlips(a: string, b: string, most: number): number {
  let [before, row]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let least = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (same ? 0 : 1.1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, before[j - 2]! + 1);
      next.push(least);
    }
    if (Math.min(...next) > most + 0.5) return Number.POSITIVE_INFINITY;
    [before, row] = [row, next];
  }
  return row[b.length]! <= most + 0.5 ? row[b.length]! : Number.POSITIVE_INFINITY;
}

/**
 * Makes a function that finds the known word that a stranger most likely stands for, or undefined: the one that it
 * begins (four letters or more), else the one that it nearly spells, with one slip in five letters or six, two in
 * more; the commonest where several are as near. Only a stranger of eight letters or more may begin with another
 * letter, and that counts too: flebotomist is phlebotomist.
 */
function createSpelling(words: readonly string[], howCommon: (word: number) => number) {
  const letters = Int32Array.from(words, toLetters);
  return (stranger: string): number | undefined => {
    const most = stranger.length < shortestSpelled ? 0 : stranger.length < 7 ? 1 : 2;
    const wanted = toLetters(stranger);
    let best: { word: number; slips: number } | undefined;
    for (let word = 0; word < words.length; word += 1) {
      const known = words[word]!;
      const begins = known.charCodeAt(0) === stranger.charCodeAt(0);
      if (!begins && stranger.length < shortestMisbegun) continue;
      let slips = Number.POSITIVE_INFINITY;
      if (begins && stranger.length >= shortestBegun && known.startsWith(stranger)) slips = 0;
      else if (
        most > 0 &&
        known.length >= 4 &&
        Math.abs(known.length - stranger.length) <= most &&
        countBits(letters[word]! ^ wanted) <= 2 * most
      )
        slips = countSlips(stranger, known, most) + (begins ? 0 : otherStart);
      if (slips === Number.POSITIVE_INFINITY) continue;
      const isBetter =
        !best || slips < best.slips || (slips === best.slips && howCommon(word) > howCommon(best.word));
      if (isBetter) best = { word, slips };
    }
    return best?.word;
  };
}
