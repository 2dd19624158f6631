import { keepByObject } from './cache.ts';
import { hasAllWords, type Phrase, plainText, readPhrase, type Word } from './words.ts';

/** Phrases asked for whose beginnings are kept. */
const mostAsked = 1000;

/**
 * What a plain text that has this word contains, in lower case. A word and its plural may differ in their last two
 * letters, but not if the singular is that short or ends in a digit.
 */
function findBeginning({ forms }: Word): string {
  const shortest = forms.toSorted((a, b) => a.length - b.length)[0]!;
  // Such a form stands for several words, which a text may also write in another way.
  if (shortest.includes(' ')) return '';
  return shortest.length < 3 || /\d$/.test(shortest) ? shortest : shortest.slice(0, -2);
}

/** Reading a phrase takes a hundred times as long as looking for these in it. */
const findBeginnings = keepByObject(mostAsked, ({ wanted }: Phrase) => wanted.map(findBeginning));

/** A plain text in lower case; undefined for one of which only reading tells what words it has. */
const foldPlain = (text: string) => (plainText.test(text) ? text.toLowerCase() : undefined);

/** Whether a text may have all words with these beginnings. */
const canCover = (folded: string | undefined, beginnings: readonly string[]): boolean =>
  folded === undefined || beginnings.every((one) => folded.includes(one));

/** Texts that are searched for phrases. Only those that may have all words of one are read. */
export class PhraseList {
  readonly #texts: readonly string[];
  readonly #read: (text: string) => Phrase | undefined;
  #folded: readonly (string | undefined)[] | undefined;
  /** All texts as one. */
  #all: string | undefined;

  /** `read` returns undefined for a text that does not count. */
  constructor(texts: readonly string[], read: (text: string) => Phrase | undefined) {
    this.#texts = texts;
    this.#read = read;
  }

  /** The first phrase that has every word of another. */
  find(asked: Phrase): Phrase | undefined {
    const beginnings = findBeginnings(asked);
    const folded = this.#fold();
    if (!canCover(this.#all, beginnings)) return undefined;
    for (let at = 0; at < folded.length; at += 1) {
      const phrase = canCover(folded[at], beginnings) ? this.#read(this.#texts[at]!) : undefined;
      if (phrase && hasAllWords(phrase, asked)) return phrase;
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

/** Makes the test for texts that have all words of a value. */
export function createWordTest(value: string): (text: string) => boolean {
  const asked = readPhrase(value);
  const beginnings = findBeginnings(asked);
  return (text) => canCover(foldPlain(text), beginnings) && hasAllWords(readPhrase(text), asked);
}
