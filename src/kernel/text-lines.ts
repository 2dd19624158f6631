import { plainText } from './words.ts';

/** A part of a word, in lower case. A plain text that has the word contains it. */
export interface Needle {
  part: string;
  /** Whether the word begins with it. */
  isBeginning?: boolean;
  /** Whether the word ends with it. */
  isEnd?: boolean;
}

/** Needles for a word: a plain text that has the word contains one of them. */
export type Needles = readonly Needle[];

/** Needles for a word that any text may have. */
export const anyText: Needles = [{ part: '' }];

const notPlain = /[^a-z0-9 ,/()\n-]/i;

/** Whether the character at a place of a lower case plain text is in no word. */
function isBetweenWords(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  const isLetter = unit >= 97 && unit <= 122;
  const isDigit = unit >= 48 && unit <= 57;
  return !isLetter && !isDigit;
}

function findNeedle(text: string, { part, isBeginning, isEnd }: Needle, from: number): number {
  for (let at = text.indexOf(part, from); at >= 0; at = text.indexOf(part, at + 1)) {
    const begins = !isBeginning || isBetweenWords(text, at - 1);
    if (begins && (!isEnd || isBetweenWords(text, at + part.length))) return at;
  }
  return -1;
}

/** Returns where the first needle of a word is from a place on, or -1. */
function findFirst(text: string, needles: Needles, from: number): number {
  let first = -1;
  for (const needle of needles) {
    const at = findNeedle(text, needle, from);
    if (at >= 0 && (first < 0 || at < first)) first = at;
  }
  return first;
}

/** Whether a text may have a word with these needles. */
export const mayHaveWord = (text: string, needles: Needles): boolean =>
  !plainText.test(text) || findFirst(text.toLowerCase(), needles, 0) >= 0;

/**
 * Texts without line breaks that are searched together. One search through all of them is much cheaper than one through
 * each.
 */
export class TextLines {
  readonly #texts: readonly string[];
  /** The texts, one on each line. */
  readonly #joined: string;
  /** The same in lower case, or undefined if one of them is not plain. */
  readonly #lower: string | undefined;

  constructor(texts: readonly string[]) {
    this.#texts = texts;
    this.#joined = texts.join('\n');
    this.#lower = notPlain.test(this.#joined) ? undefined : this.#joined.toLowerCase();
  }

  /** Yields the texts that may have all words with these needles, in their order. */
  *listWith(words: readonly Needles[]): Generator<string> {
    const lower = this.#lower;
    if (lower === undefined) {
      for (const text of this.#texts) if (words.every((needles) => mayHaveWord(text, needles))) yield text;
      return;
    }
    if (this.#texts.length === 0) return;
    for (let start = findLine(lower, words, 0); start >= 0; ) {
      const end = lower.indexOf('\n', start);
      if (end < 0) {
        yield this.#joined.slice(start);
        return;
      }
      yield this.#joined.slice(start, end);
      start = findLine(lower, words, end + 1);
    }
  }
}

/** Returns where the first line with a needle of each word begins, at a line's beginning or later, or -1. */
function findLine(text: string, words: readonly Needles[], from: number): number {
  let start = from;
  // How many words in a row have a needle in the line, or in one after it.
  for (let place = 0, count = 0; count < words.length; place = (place + 1) % words.length) {
    const at = findFirst(text, words[place]!, start);
    if (at < 0) return -1;
    const line = at === start ? start : text.lastIndexOf('\n', at) + 1;
    count = line > start ? 1 : count + 1;
    start = Math.max(start, line);
  }
  return start;
}
