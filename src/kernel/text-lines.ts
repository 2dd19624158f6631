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

/** Returns the first place, at `from` or later, of one of the needles, or -1. */
function findFirst(text: string, needles: Needles, from: number): number {
  let first = -1;
  for (const needle of needles) {
    const at = findNeedle(text, needle, from);
    if (at >= 0 && (first < 0 || at < first)) first = at;
  }
  return first;
}

/** Whether a text may have a word with these needles. */
export const canHaveWord = (text: string, needles: Needles): boolean =>
  !plainText.test(text) || findFirst(text.toLowerCase(), needles, 0) >= 0;

/**
 * Texts without line breaks that are searched together. One search through all of them is much cheaper than one through
 * each.
 */
export class TextLines {
  readonly #texts: readonly string[];
  /** The texts in lower case, one on each line, or undefined if one of them is not plain. */
  readonly #lower: string | undefined;

  constructor(texts: readonly string[]) {
    this.#texts = texts;
    const joined = texts.join('\n');
    this.#lower = notPlain.test(joined) ? undefined : joined.toLowerCase();
  }

  /** Yields the texts that may have all words with these needles, in their order. */
  *listWith(words: readonly Needles[]): Generator<string> {
    const texts = this.#texts;
    const lower = this.#lower;
    if (lower === undefined) {
      for (const text of texts) if (words.every((needles) => canHaveWord(text, needles))) yield text;
      return;
    }
    // Where the text at `place` begins. A slice of the joined texts would keep all of them in memory.
    let begin = 0;
    let place = 0;
    while (place < texts.length) {
      const start = findLine(lower, words, begin);
      if (start < 0) return;
      while (begin < start) {
        begin += texts[place]!.length + 1;
        place += 1;
      }
      yield texts[place]!;
      begin += texts[place]!.length + 1;
      place += 1;
    }
  }
}

/** Returns where the first line that has a needle of each word begins, or -1. `from` is where a line begins. */
function findLine(text: string, words: readonly Needles[], from: number): number {
  let start = from;
  let place = 0;
  // How many words in a row were found in the line at `start`.
  let found = 0;
  while (found < words.length) {
    const at = findFirst(text, words[place]!, start);
    if (at < 0) return -1;
    const line = at === start ? start : text.lastIndexOf('\n', at) + 1;
    found = line > start ? 1 : found + 1;
    start = Math.max(start, line);
    place = (place + 1) % words.length;
  }
  return start;
}
