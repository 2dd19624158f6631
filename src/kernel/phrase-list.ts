import { canHaveWord, type Needles, TextLines } from './text-lines.ts';
import { hasAllWords, type Phrase, plainText, type Word } from './words.ts';

/**
 * Returns the needles for a word. A word and its plural may differ in their last two letters, unless the singular has
 * two letters or ends in a digit.
 */
export function listNeedles({ forms, names }: Word): Needles {
  if (names) return names.flatMap(listNeedles);
  const shortest = forms.toSorted((a, b) => a.length - b.length)[0]!;
  if (/^\d+$/.test(shortest))
    return [shortest, `${shortest}s`].map((part) => ({ part, isBeginning: true, isEnd: true }));
  const part = shortest.length < 3 || /\d$/.test(shortest) ? shortest : shortest.slice(0, -2);
  return [{ part, isBeginning: true }];
}

/** Returns the needles of the words of a phrase. Finding them in a text is cheaper than reading its words. */
const listPhraseNeedles = ({ wanted }: Phrase) => wanted.map(listNeedles);

/**
 * Whether a plain text has the first form of a word between spaces or signs. Returns false if the text has a hyphen,
 * because a hyphen can bind a letter to a word.
 */
export const hasPlainWord = (text: string, { forms }: Word): boolean =>
  plainText.test(text) &&
  !text.includes('-') &&
  ` ${text.toLowerCase().replace(/[,/()]/g, ' ')} `.includes(` ${forms[0]} `);

/** Texts that are searched for phrases. It reads only those that may have all words of a phrase. */
export class PhraseList {
  readonly #texts: readonly string[];
  readonly #read: (text: string) => Phrase;
  readonly #keepsWords: (text: string) => boolean;
  #lines: TextLines | undefined;

  /** `keepsWords` returns false for a text in which `read` may replace words by others. */
  constructor(
    texts: readonly string[],
    read: (text: string) => Phrase,
    keepsWords: (text: string) => boolean = () => true,
  ) {
    this.#texts = texts;
    this.#read = read;
    this.#keepsWords = keepsWords;
  }

  /** Returns the first phrase that has every word of `query`. */
  find(query: Phrase): Phrase | undefined {
    for (const text of this.#listPossible(query)) {
      const phrase = this.#read(text);
      if (hasAllWords(phrase, query)) return phrase;
    }
    return undefined;
  }

  /** Whether a phrase has every word of `query`. This reads fewer texts than `find`. */
  has(query: Phrase): boolean {
    for (const text of this.#listPossible(query)) {
      const isPlain = query.wanted.every((word) => hasPlainWord(text, word));
      if ((isPlain && this.#keepsWords(text)) || hasAllWords(this.#read(text), query)) return true;
    }
    return false;
  }

  /** Yields the texts that may have every word of `query`. */
  #listPossible(query: Phrase): Generator<string> {
    this.#lines ??= new TextLines(this.#texts);
    return this.#lines.listWith(listPhraseNeedles(query));
  }
}

/** Returns a test for texts that have all words of `query`, as `read` reads them. */
export function createWordTest(query: Phrase, read: (text: string) => Phrase): (text: string) => boolean {
  const needles = listPhraseNeedles(query);
  return (text) => needles.every((ofWord) => canHaveWord(text, ofWord)) && hasAllWords(read(text), query);
}
