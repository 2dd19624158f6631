import { keepByObject } from './cache.ts';
import { hasAllWords, type Phrase, plainText, readPhrase, type Word } from './words.ts';

/** How many phrases have their beginnings cached. */
const mostAsked = 1000;

/**
 * Returns what every plain text with this word contains, in lower case. A word and its plural may differ in their last
 * two letters, unless the singular has two letters or ends in a digit.
 */
function findBeginning({ forms }: Word): string {
  const shortest = forms.toSorted((a, b) => a.length - b.length)[0]!;
  // A form with a space is a name of several words, which a text can also spell otherwise.
  if (shortest.includes(' ')) return '';
  return shortest.length < 3 || /\d$/.test(shortest) ? shortest : shortest.slice(0, -2);
}

/** A search for these beginnings is much cheaper than reading a phrase. */
const findBeginnings = keepByObject(mostAsked, ({ wanted }: Phrase) => wanted.map(findBeginning));

/** Returns a plain text in lower case, or undefined for a text that must be read to know its words. */
const foldPlain = (text: string) => (plainText.test(text) ? text.toLowerCase() : undefined);

/** Whether a text may have all words with these beginnings. */
const canCover = (folded: string | undefined, beginnings: readonly string[]): boolean =>
  folded === undefined || beginnings.every((beginning) => folded.includes(beginning));

/** Texts that are searched for phrases. It reads only those that may have all words of a phrase. */
export class PhraseList {
  readonly #texts: readonly string[];
  readonly #read: (text: string) => Phrase | undefined;
  #folded: readonly (string | undefined)[] | undefined;
  /** All texts joined, or undefined if one of them is not plain. */
  #all: string | undefined;

  /** `read` returns undefined for a text that does not count. */
  constructor(texts: readonly string[], read: (text: string) => Phrase | undefined) {
    this.#texts = texts;
    this.#read = read;
  }

  /** Returns the first phrase that has every word of `query`. */
  find(query: Phrase): Phrase | undefined {
    const beginnings = findBeginnings(query);
    const folded = this.#fold();
    if (!canCover(this.#all, beginnings)) return undefined;
    for (let at = 0; at < folded.length; at += 1) {
      const phrase = canCover(folded[at], beginnings) ? this.#read(this.#texts[at]!) : undefined;
      if (phrase && hasAllWords(phrase, query)) return phrase;
    }
    return undefined;
  }

  #fold(): readonly (string | undefined)[] {
    if (this.#folded) return this.#folded;
    this.#folded = this.#texts.map(foldPlain);
    if (!this.#folded.includes(undefined)) this.#all = this.#folded.join(' ');
    return this.#folded;
  }
}

/** Returns a test for texts that have all words of a value. */
export function createWordTest(value: string): (text: string) => boolean {
  const query = readPhrase(value);
  const beginnings = findBeginnings(query);
  return (text) => canCover(foldPlain(text), beginnings) && hasAllWords(readPhrase(text), query);
}
