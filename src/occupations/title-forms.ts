import SearchableMap from 'minisearch/SearchableMap';
import { toForms, toWords } from './title-words.ts';

/** Numbers in lists of different lengths, a list a key, without an object for each. */
class Lists {
  readonly #ends: Int32Array;
  readonly #items: Int32Array;

  /** `ends`: where the list of each key ends in `items`; it begins where the one before it ends. */
  constructor(ends: Int32Array, items: Int32Array) {
    this.#ends = ends;
    this.#items = items;
  }

  #startOf(key: number): number {
    return key === 0 ? 0 : this.#ends[key - 1]!;
  }

  of(key: number): Int32Array {
    return this.#items.subarray(this.#startOf(key), this.#ends[key]);
  }

  lengthOf(key: number): number {
    return this.#ends[key]! - this.#startOf(key);
  }

  has(key: number, item: number): boolean {
    const end = this.#ends[key]!;
    for (let at = this.#startOf(key); at < end; at += 1) if (this.#items[at] === item) return true;
    return false;
  }

  /** The keys that each item from 0 to `count` - 1 is in the list of, or is the first of. */
  invert(count: number, only: 'all' | 'first'): Lists {
    const counted = (key: number) => (only === 'all' ? this.of(key) : this.of(key).subarray(0, 1));
    const next = new Int32Array(count + 1);
    for (let key = 0; key < this.#ends.length; key += 1)
      for (const item of counted(key)) next[item + 1]! += 1;
    for (let item = 0; item < count; item += 1) next[item + 1]! += next[item]!;
    const keys = new Int32Array(next[count]!);
    for (let key = 0; key < this.#ends.length; key += 1)
      for (const item of counted(key)) keys[next[item]!++] = key;
    return new Lists(next.subarray(0, count), keys);
  }
}

type Titles = readonly [id: string, title: string, alternateTitles: string[]][];

/**
 * Titles looked up by their words: those that hold a query whole, and those that a query holds whole. Words,
 * and the forms that titles take, are told by number: there are 60,000 forms, and an object for each costs
 * memory.
 */
export class TitleForms {
  readonly #occupations: Titles;
  readonly #numbers = new Map<string, number>();
  readonly #vocabulary: SearchableMap<number>;
  /** The occupation of each form, and which of its alternate titles it is; -1 for the occupation's own title. */
  readonly #occupation: Int32Array;
  readonly #alternate: Int32Array;
  readonly #words: Lists;
  readonly #withWord: Lists;
  readonly #fromWord: Lists;

  constructor(occupations: Titles) {
    this.#occupations = occupations;
    const [owners, alternates]: [number[], number[]] = [[], []];
    const [ends, words]: [number[], number[]] = [[], []];
    const add = (occupation: number, alternate: number, title: string) => {
      owners.push(occupation);
      alternates.push(alternate);
      for (const word of toWords(title)) words.push(this.#number(word));
      ends.push(words.length);
    };
    for (const [occupation, [, title, others]] of occupations.entries()) {
      add(occupation, -1, title);
      for (const [alternate, other] of others.entries()) {
        for (const form of toForms(other)) add(occupation, alternate, form);
      }
    }
    this.#occupation = Int32Array.from(owners);
    this.#alternate = Int32Array.from(alternates);
    this.#words = new Lists(Int32Array.from(ends), Int32Array.from(words));
    this.#withWord = this.#words.invert(this.#numbers.size, 'all');
    this.#fromWord = this.#words.invert(this.#numbers.size, 'first');
    this.#vocabulary = SearchableMap.from([...this.#numbers]);
  }

  #number(word: string): number {
    const known = this.#numbers.get(word) ?? this.#numbers.size;
    if (known === this.#numbers.size) this.#numbers.set(word, known);
    return known;
  }

  /** How many forms hold a word. */
  howCommon(word: string): number {
    const number = this.#numbers.get(word);
    return number === undefined ? 0 : this.#withWord.lengthOf(number);
  }

  /** How many words a form has. */
  lengthOf(form: number): number {
    return this.#words.lengthOf(form);
  }

  /** The alternate title that a form is of, as published; undefined for the occupation's own title. */
  alternateOf(form: number): string | undefined {
    return this.#occupations[this.#occupation[form]!]![2][this.#alternate[form]!];
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

  /** By occupation, the shortest form that holds every word; each must be a word of some title. */
  holding(words: readonly string[]): Map<number, number> {
    const [rarest, ...others] = words
      .toSorted((a, b) => this.howCommon(a) - this.howCommon(b))
      .map((word) => this.#numbers.get(word)!);
    return this.#pick(
      this.#withWord.of(rarest!),
      (form) => others.every((word) => this.#words.has(form, word)),
      -1,
    );
  }

  /** By occupation, the longest form whose every word is among these; each must be a word of some title. */
  heldBy(words: readonly string[]): Map<number, number> {
    const wanted = words.map((word) => this.#numbers.get(word)!);
    const isHeld = (form: number) => this.#words.of(form).every((word) => wanted.includes(word));
    const longest = new Map<number, number>();
    for (const word of wanted) this.#pick(this.#fromWord.of(word), isHeld, 1, longest);
    return longest;
  }

  /** By occupation, the first of the longest (`sign` 1) or shortest (-1) forms that fit. */
  #pick(
    forms: Int32Array,
    fits: (form: number) => boolean,
    sign: 1 | -1,
    picked = new Map<number, number>(),
  ) {
    for (const form of forms) {
      const occupation = this.#occupation[form]!;
      const known = picked.get(occupation);
      const isBetter = known === undefined || sign * (this.lengthOf(form) - this.lengthOf(known)) > 0;
      if (isBetter && fits(form)) picked.set(occupation, form);
    }
    return picked;
  }
}
