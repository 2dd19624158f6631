import { keepByObject } from './cache.ts';
import { hasAllWords, type Phrase, plainText, readPhrase, type Word } from './words.ts';

/** The needles of this many phrases are cached. */
const mostCached = 1000;

/** Needles for a word: a folded plain text that has the word contains one of them. */
export type Needles = readonly string[];

/**
 * Returns the needles for a word. A word and its plural may differ in their last two letters, unless the singular has
 * two letters or ends in a digit.
 */
export function listNeedles({ forms }: Word): Needles {
  const shortest = forms.toSorted((a, b) => a.length - b.length)[0]!;
  // A form with a space is a name of several words, which a text can also spell otherwise.
  if (shortest.includes(' ')) return [''];
  if (/^\d+$/.test(shortest)) return [` ${shortest} `, ` ${shortest}s `];
  return [` ${shortest.length < 3 || /\d$/.test(shortest) ? shortest : shortest.slice(0, -2)}`];
}

/** Returns the needles of the words of a phrase. Finding them in a text is cheaper than reading its words. */
const listPhraseNeedles = keepByObject(mostCached, ({ wanted }: Phrase) => wanted.map(listNeedles));

/**
 * Folds a plain text: lower case, and each word between spaces. Returns undefined for a text that must be read to know
 * its words.
 */
export const foldPlain = (text: string): string | undefined =>
  plainText.test(text) ? ` ${text.toLowerCase().replace(/[,/()-]/g, ' ')} ` : undefined;

/** Whether a folded text contains one of these needles. */
export const hasNeedle = (folded: string, needles: Needles): boolean =>
  needles.some((needle) => folded.includes(needle));

/** Whether a text may have all words with these needles. */
const canCover = (folded: string | undefined, needles: readonly Needles[]): boolean =>
  folded === undefined || needles.every((ofWord) => hasNeedle(folded, ofWord));

/** Whether a text has all words of `query` as they are, so that it need not be read. */
function hasPlainWords(text: string, folded: string | undefined, { wanted }: Phrase): boolean {
  // A hyphen can bind a letter to a word, so that the word does not count alone.
  if (folded === undefined || text.includes('-')) return false;
  return wanted.every(({ forms }) => folded.includes(` ${forms[0]} `));
}

/** Texts that are searched for phrases. It reads only those that may have all words of a phrase. */
export class PhraseList {
  readonly #texts: readonly string[];
  readonly #read: (text: string) => Phrase;
  readonly #counts: (text: string) => boolean;
  /** All texts folded, or undefined if one of them is not plain. Joined, they need the least memory. */
  #all: { folded: string | undefined } | undefined;

  /** Texts for which `counts` returns false are left out. */
  constructor(texts: readonly string[], read: (text: string) => Phrase, counts: (text: string) => boolean) {
    this.#texts = texts;
    this.#read = read;
    this.#counts = counts;
  }

  /** Returns the first phrase that has every word of `query`. */
  find(query: Phrase): Phrase | undefined {
    for (const { text } of this.#listPossible(query)) {
      const phrase = this.#read(text);
      if (hasAllWords(phrase, query)) return phrase;
    }
    return undefined;
  }

  /** Whether a phrase has every word of `query`. Only for a `read` that keeps the words of a text as they are. */
  has(query: Phrase): boolean {
    for (const { text, folded } of this.#listPossible(query))
      if (hasPlainWords(text, folded, query) || hasAllWords(this.#read(text), query)) return true;
    return false;
  }

  /** Lists the texts that may have every word of `query`. */
  *#listPossible(query: Phrase): Generator<{ text: string; folded: string | undefined }> {
    const needles = listPhraseNeedles(query);
    this.#all ??= { folded: foldPlain(this.#texts.join(' ')) };
    if (!canCover(this.#all.folded, needles)) return;
    for (const text of this.#texts) {
      const folded = foldPlain(text);
      if (canCover(folded, needles) && this.#counts(text)) yield { text, folded };
    }
  }
}

/** Returns a test for texts that have all words of a value. */
export function createWordTest(value: string): (text: string) => boolean {
  const query = readPhrase(value);
  const needles = listPhraseNeedles(query);
  return (text) => canCover(foldPlain(text), needles) && hasAllWords(readPhrase(text), query);
}
