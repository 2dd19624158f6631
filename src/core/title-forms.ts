import SearchableMap from 'minisearch/SearchableMap';
import { toForms, toWords } from './title-words.ts';

/** A title in one of its forms. */
export interface Form {
  /** The occupation's place in the index. */
  occupation: number;
  /** The alternate title as published; undefined for the occupation's own title. */
  alternate?: string;
  words: string[];
}

/** Titles looked up by their words: those that hold a query whole, and those that a query holds whole. */
export class TitleForms {
  readonly #withWord = new Map<string, Form[]>();
  readonly #fromWord = new Map<string, Form[]>();
  readonly #vocabulary: SearchableMap<number>;

  constructor(occupations: readonly [id: string, title: string, alternateTitles: string[]][]) {
    for (const [occupation, [, title, alternates]] of occupations.entries()) {
      this.#add({ occupation, words: toWords(title) });
      for (const alternate of alternates) {
        for (const form of toForms(alternate)) this.#add({ occupation, alternate, words: toWords(form) });
      }
    }
    this.#vocabulary = SearchableMap.from([...this.#withWord].map(([word, forms]) => [word, forms.length]));
  }

  #add(form: Form): void {
    for (const [place, word] of form.words.entries()) {
      push(this.#withWord, word, form);
      if (place === 0) push(this.#fromWord, word, form);
    }
  }

  /** How many forms hold a word. */
  howCommon(word: string): number {
    return this.#withWord.get(word)?.length ?? 0;
  }

  /**
   * The most common word that begins with this one (3 letters or more), else the most common of those that
   * differ from it in the fewest letters: one in a word of 5 or 6, two in a longer one.
   */
  nearest(word: string): string | undefined {
    const longer = word.length < 3 ? [] : [...this.#vocabulary.atPrefix(word).keys()];
    if (longer.length > 0) return this.#mostCommon(longer);
    const slips = word.length < 5 ? 0 : word.length < 7 ? 1 : 2;
    const near = [...this.#vocabulary.fuzzyGet(word, slips)].map(([text, [, distance]]) => ({
      text,
      distance,
    }));
    const least = Math.min(...near.map(({ distance }) => distance));
    return this.#mostCommon(near.filter(({ distance }) => distance === least).map(({ text }) => text));
  }

  #mostCommon(words: string[]): string | undefined {
    return words.sort((a, b) => this.howCommon(b) - this.howCommon(a) || (a < b ? -1 : 1))[0];
  }

  /** By occupation, the shortest form that holds every word. */
  holding(words: readonly string[]): Map<number, Form> {
    const [rarest = '', ...others] = [...words].sort((a, b) => this.howCommon(a) - this.howCommon(b));
    const shortest = new Map<number, Form>();
    for (const form of this.#withWord.get(rarest) ?? []) {
      const known = shortest.get(form.occupation);
      if (known && known.words.length <= form.words.length) continue;
      if (others.every((word) => form.words.includes(word))) shortest.set(form.occupation, form);
    }
    return shortest;
  }

  /** By occupation, the longest form whose every word is among these. */
  heldBy(words: readonly string[]): Map<number, Form> {
    const longest = new Map<number, Form>();
    for (const word of words) {
      for (const form of this.#fromWord.get(word) ?? []) {
        const known = longest.get(form.occupation);
        if (known && known.words.length >= form.words.length) continue;
        if (form.words.every((other) => words.includes(other))) longest.set(form.occupation, form);
      }
    }
    return longest;
  }
}

function push(lists: Map<string, Form[]>, word: string, form: Form): void {
  const list = lists.get(word);
  if (list) list.push(form);
  else lists.set(word, [form]);
}
