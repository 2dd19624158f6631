/**
 * Reads the words of a text in any script. Case, accents and English plurals make no difference.
 *
 * `readPhrase` and `hasAllWords` compare two texts. `foldText` is for a comparison by substring.
 */
import { memoize, mostTextBytes } from './cache.ts';

export interface Word {
  /** As written, without the signs around it. */
  text: string;
  /** Folded: first the word itself, then its possible singulars. Two words are the same if they share a form. */
  forms: readonly string[];
  /** Parts of a word with a dot inside that count as words too: `asp` and `.net` of `ASP.NET`. */
  parts: readonly string[];
  /** Words of which a query must have one as well: `Objective` for the `C` of `Objective-C`. */
  partners?: readonly Word[];
  /** The words that hyphens join it with, itself included, in order. Absent if there are no others. */
  compound?: readonly Word[];
  /** The signs and spaces between it and the word before it. */
  before?: string;
  /** One word of each name that it is short for. A text that has the short form has one of these words. */
  names?: readonly Word[];
}

export interface Phrase {
  text: string;
  /** Its words without duplicates. */
  words: readonly Word[];
  /** The words that a match must have: all but the idle ones, or all if there are no others. */
  wanted: readonly Word[];
  /** All forms of its words. */
  forms: ReadonlySet<string>;
  /** The forms of the words that count alone. */
  alone: ReadonlySet<string>;
  /** The partners of the words that count only together with one, by the forms of these words. */
  partners: ReadonlyMap<string, readonly Word[]>;
}

const ascii = /^[\x20-\x7e]*$/;

/** Letters that Unicode does not decompose, and the final sigma. */
const rewritten: Readonly<Record<string, string>> = {
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ø: 'o',
  ħ: 'h',
  ı: 'i',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ς: 'σ',
};
const rewritable = new RegExp(`[${Object.keys(rewritten).join('')}]`, 'g');
/** A letter with accents. In other scripts a mark is a part of the word, such as a vowel sign of Devanagari. */
const accented = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu;

/**
 * The most characters of a unified text. A ligature can be a sentence of 18 letters; a text of many such ones is compared
 * as it is, because its length is all that callers bound.
 */
const mostUnified = ({ length }: string) => 2 * length + 100;

/** Unifies full width, ligatures and apostrophes, and removes invisible characters. Keeps the case of letters. */
function unify(text: string): string {
  if (ascii.test(text)) return text;
  const visible = text.replace(/\p{Cf}|\p{Variation_Selector}/gu, '').replace(/[™®©℠]/g, ' ');
  const unified = visible.normalize('NFKC');
  return (unified.length > mostUnified(visible) ? visible : unified)
    .replace(/[’ʼ‘]/g, "'")
    .replaceAll('♯', '#');
}

/** Returns the text without case and accents. Folding it again changes nothing. */
export function foldText(text: string): string {
  if (ascii.test(text)) return text.toLowerCase();
  return unify(text)
    .toLowerCase()
    .normalize('NFD')
    .replace(accented, '$1')
    .replace(rewritable, (letter) => rewritten[letter]!)
    .normalize('NFC');
}

/** Guesses the singulars of a folded English word by its ending. A wrong guess does no harm. */
function listSingulars(word: string): string[] {
  if (word.length > 4 && word.endsWith('ies')) return [`${word.slice(0, -3)}y`, word.slice(0, -1)];
  if (word.length > 4 && /(?:ss|sh|ch|x|z)es$/.test(word)) return [word.slice(0, -2), word.slice(0, -1)];
  if (word.length > 4 && word.endsWith('men')) return [`${word.slice(0, -3)}man`];
  if (word.length > 4 && word.endsWith('uses')) return [word.slice(0, -1), word.slice(0, -2)];
  if (/(?:ly|gno|the)ses$/.test(word)) return [`${word.slice(0, -3)}sis`];
  if (word.length > 3 && word.endsWith('s') && !/(?:ss|us|is)$/.test(word)) return [word.slice(0, -1)];
  return [];
}

/** An acronym: two to four capitals, or capitals without a vowel. Its plural needs a small s: RNs, but not ACLS. */
const acronym = /^\p{Lu}{2,4}$|^[^\P{Lu}AEIOUY]{2,}$|\p{Ll}\p{Lu}+$/u;
const acronyms = /^\p{Lu}{2,}s$/u;

function listForms(text: string): string[] {
  const folded = foldText(text);
  if (acronym.test(text)) return [folded];
  if (acronyms.test(text)) return [folded, folded.slice(0, -1)];
  return [folded, ...listSingulars(folded)];
}

const piece = String.raw`[\p{L}\p{N}][\p{L}\p{N}\p{M}]*`;
/** A dot before a letter, pieces joined by an apostrophe, a dot or an ampersand, and plus or hash signs at the end. */
const wordShape = new RegExp(
  String.raw`(?:(?<![\p{L}\p{N}\p{M}.])\.(?=\p{L}))?${piece}(?:['.&]${piece})*(?:(?![+#]+\p{L})[+#]+)?`,
  'gu',
);
/** A run of a script that puts no spaces between words. */
const unspaced =
  /(?!\p{M})[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]+/gu;
const singleLetter = /^\p{L}$/u;
const hyphen = /^[-‐‒–−]$/;

/** Whether a word is of a script without spaces, so that it may be a whole sentence. */
export const isUnspaced = ({ forms }: Word) => forms[0]!.search(unspaced) === 0;

function parseWord(written: string): Word {
  const text = written.replace(/'|(?<!^|\p{N})\.|(?<!^)\.(?!\p{N})/gu, '');
  const pieces = written.replaceAll("'", '').split('.');
  const isCompound = pieces.length > 1 && pieces.every((part) => /^\p{L}{2,}$/u.test(part));
  const [first, ...rest] = isCompound ? pieces.map(foldText) : [];
  const parts = first === undefined ? [] : [first, ...rest.map((part) => `.${part}`)];
  return { text, forms: listForms(text), parts };
}

/** A word that only introduces the letter after it: `Class-A` is `Class A`. */
const label = 'class';

/**
 * Binds each single letter of words joined by hyphens to the word before it, or else to the word after it. A letter in
 * front changes the meaning of its word, so that word is bound as well: `T-SQL` is not SQL.
 */
function bindLetters(group: readonly Word[]): void {
  const isLetter = (word: Word) => singleLetter.test(word.forms[0]!) && !isUnspaced(word);
  for (const [at, word] of group.entries()) {
    if (!isLetter(word)) continue;
    const before = group.slice(0, at).findLast((other) => !isLetter(other));
    if (before?.forms[0] === label) continue;
    const after = group.slice(at + 1).find((other) => !isLetter(other));
    word.partners = [before ?? after ?? group[at === 0 ? 1 : at - 1]!];
    if (!before && after) after.partners ??= [word];
  }
}

function joinWords(group: readonly Word[]): void {
  if (group.length < 2) return;
  for (const word of group) word.compound = group;
  bindLetters(group);
}

/** Returns the words of a text, in order. The caller bounds its length. */
export function readWords(text: string): Word[] {
  // A word begins and ends where such a script does: `Java開発` is two words.
  const spaced = unify(text).replace(unspaced, ' $& ');
  const words: Word[] = [];
  let group: Word[] = [];
  let end = 0;
  for (const { 0: written, index } of spaced.matchAll(wordShape)) {
    const before = spaced.slice(end, index);
    const word: Word = { ...parseWord(written), before };
    if (!hyphen.test(before)) {
      joinWords(group);
      group = [];
    }
    group.push(word);
    words.push(word);
    end = index + written.length;
  }
  joinWords(group);
  return words;
}

const idle = new Set('an and at by for in of on or the to with'.split(' '));
/** Whether a word does not matter. A word in capitals does: "OR" is an operating room. */
const isIdle = ({ text, forms }: Word) => idle.has(forms[0]!) && !/^\p{Lu}{2}/u.test(text);

const noPartners: ReadonlyMap<string, readonly Word[]> = new Map();

/** Creates a phrase of these words. If there are none, the whole text is its only word, such as "!". */
export function createPhrase(text: string, given: readonly Word[], isLeftOut = isIdle): Phrase {
  const words = given.length > 0 ? given : [{ text, forms: [foldText(text).trim()], parts: [] }];
  const byWord = new Map<string, Word>();
  const alone = new Set<string>();
  const partners = new Map<string, Word[]>();
  for (const word of words) {
    const { forms, parts, partners: others } = word;
    if (!others || !byWord.has(forms[0]!)) byWord.set(forms[0]!, word);
    if (others) for (const form of forms) partners.set(form, [...(partners.get(form) ?? []), ...others]);
    else for (const form of [...forms, ...parts]) alone.add(form);
  }
  const forms = new Set(words.flatMap((word) => word.forms));
  const different = [...byWord.values()];
  const counting = different.filter((word) => !isLeftOut(word));
  const wanted = counting.length > 0 ? counting : different;
  return {
    text,
    words: different,
    wanted,
    forms,
    alone,
    partners: partners.size > 0 ? partners : noPartners,
  };
}

/** Estimated bytes of a phrase in memory. */
export const sizeOfPhrase = ({ text, words }: Phrase) => 250 + text.length + words.length * 150;

export const readPhrase: (text: string) => Phrase = memoize((text) => createPhrase(text, readWords(text)), {
  most: mostTextBytes,
  sizeOf: sizeOfPhrase,
});

/** Whether a phrase has a word of `query`: alone, or with a partner that `query` has too. */
export function hasWord({ alone, partners }: Phrase, { forms }: Word, query: Phrase): boolean {
  if (forms.some((form) => alone.has(form))) return true;
  if (partners.size === 0) return false;
  return forms.some((form) =>
    partners.get(form)?.some((partner) => partner.forms.some((form) => query.forms.has(form))),
  );
}

/** Whether a phrase has all words that `query` wants. */
export const hasAllWords = (phrase: Phrase, query: Phrase): boolean =>
  query.wanted.every((word) => hasWord(phrase, word, query));

/** Matches texts without characters that are joined or rewritten. In them a substring can rule a word out. */
export const plainText = /^[a-z0-9 ,/()-]*$/i;
