/**
 * Reads the words of a text in any script. Case, accents and English plurals make no difference.
 *
 * `readPhrase` and `covers` compare two texts. `foldText` is for a comparison by substring.
 */
import { keepByText } from './cache.ts';

export interface Word {
  /** As written, without the signs around it. */
  text: string;
  /** Folded: the word itself first, then what its singular may be. Two words are the same if they share a form. */
  forms: readonly string[];
  /** Parts of a word with a dot inside that count as words too: `asp` and `.net` of `ASP.NET`. */
  parts: readonly string[];
  /** The word that has to be asked for as well: `Objective` for the `C` of `Objective-C`. */
  partner?: Word;
}

export interface Phrase {
  text: string;
  words: readonly Word[];
  /** Forms of the words that count alone. */
  alone: ReadonlySet<string>;
  /** The words that count only together with their partner. */
  bound: readonly Word[];
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
/** Accents. In other scripts a mark is a part of the word, such as a vowel sign of Devanagari. */
const accents = /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]\p{M}*)\p{M}/gu;

/** Writes what looks alike in one way, with letter case kept: full width, ligatures, apostrophes, invisible characters. */
function unify(text: string): string {
  if (ascii.test(text)) return text;
  return text
    .replace(/\p{Cf}|\p{Variation_Selector}/gu, '')
    .replace(/[™®©℠]/g, ' ')
    .normalize('NFKC')
    .replace(/[’ʼ‘]/g, "'")
    .replaceAll('♯', '#');
}

/** The text without case and accents. Folding it again changes nothing. */
export function foldText(text: string): string {
  if (ascii.test(text)) return text.toLowerCase();
  return unify(text)
    .toLowerCase()
    .normalize('NFD')
    .replace(accents, '')
    .replace(rewritable, (letter) => rewritten[letter]!)
    .normalize('NFC');
}

/** What the singular of a folded English word may be, by its ending. A guess too many does no harm. */
function toSingulars(word: string): string[] {
  if (word.length > 4 && word.endsWith('ies')) return [`${word.slice(0, -3)}y`, word.slice(0, -1)];
  if (word.length > 4 && /(?:ss|sh|ch|x|z)es$/.test(word)) return [word.slice(0, -2), word.slice(0, -1)];
  if (word.length > 4 && word.endsWith('men')) return [`${word.slice(0, -3)}man`];
  if (word.length > 4 && word.endsWith('uses')) return [word.slice(0, -1), word.slice(0, -2)];
  if (/(?:ly|gno|the)ses$/.test(word)) return [`${word.slice(0, -3)}sis`];
  if (word.length > 3 && word.endsWith('s') && !/(?:ss|us|is)$/.test(word)) return [word.slice(0, -1)];
  return [];
}

/** Up to four capitals are an acronym, which has no plural without a small s: ACLS, but RNs. */
const acronym = /^\p{Lu}{2,4}$/u;
const acronyms = /^\p{Lu}{2,}s$/u;

function toForms(text: string): string[] {
  const folded = foldText(text);
  if (acronym.test(text)) return [folded];
  if (acronyms.test(text)) return [folded, folded.slice(0, -1)];
  return [folded, ...toSingulars(folded)];
}

const piece = String.raw`[\p{L}\p{N}][\p{L}\p{N}\p{M}]*`;
/** A dot before a letter, pieces joined by an apostrophe, a dot or an ampersand, and plus or hash signs at the end. */
const wordShape = new RegExp(
  String.raw`(?:(?<![\p{L}\p{N}\p{M}.])\.(?=\p{L}))?${piece}(?:['.&]${piece})*(?:(?![+#]+\p{L})[+#]+)?`,
  'gu',
);
/** Letters of the scripts that put no spaces between words. */
const unspaced =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]+/gu;
const singleLetter = /^\p{L}$/u;
const hyphen = /^[-‐‒–−]$/;

/** Whether a word is of a script that puts no spaces between words, so that it may be a whole sentence. */
export const isUnspaced = ({ forms }: Word) => forms[0]!.search(unspaced) === 0;

function toWord(written: string): Word {
  const text = written.replace(/'|(?<!^|\p{N})\.|(?<!^)\.(?!\p{N})/gu, '');
  const pieces = written.replaceAll("'", '').split('.');
  const isCompound = pieces.length > 1 && pieces.every((one) => /^\p{L}{2,}$/u.test(one));
  const [first, ...rest] = isCompound ? pieces.map(foldText) : [];
  const parts = first === undefined ? [] : [first, ...rest.map((one) => `.${one}`)];
  return { text, forms: toForms(text), parts };
}

/** Splits where a script without spaces begins or ends: `Java開発` is two words. */
function splitByScript(written: string): string[] {
  if (written.search(unspaced) < 0) return [written];
  return written
    .replace(unspaced, ' $& ')
    .split(' ')
    .filter((one) => /[\p{L}\p{N}]/u.test(one));
}

/**
 * Binds each single letter of words joined by hyphens to the word before it, or else to the one after it. A letter in
 * front changes what its word means, so that the word is bound as well: `T-SQL` is not SQL.
 */
function bindLetters(group: readonly Word[]): void {
  const isLetter = (word: Word) => singleLetter.test(word.forms[0]!) && !isUnspaced(word);
  for (const [at, word] of group.entries()) {
    if (!isLetter(word)) continue;
    const before = group.slice(0, at).findLast((one) => !isLetter(one));
    const after = group.slice(at + 1).find((one) => !isLetter(one));
    word.partner = before ?? after ?? group[at === 0 ? 1 : at - 1]!;
    if (!before && after) after.partner ??= word;
  }
}

/** The words of a text, in order. Takes any text; the caller bounds its length. */
export function readWords(text: string): Word[] {
  const unified = unify(text);
  const words: Word[] = [];
  let group: Word[] = [];
  let end = 0;
  for (const { 0: written, index } of unified.matchAll(wordShape)) {
    const found = splitByScript(written).map(toWord);
    if (!hyphen.test(unified.slice(end, index))) {
      if (group.length > 1) bindLetters(group);
      group = [];
    }
    group.push(...found);
    words.push(...found);
    end = index + written.length;
  }
  if (group.length > 1) bindLetters(group);
  return words;
}

/** A phrase of these words. If there are none, the whole text is its one word, such as "!". */
export function toPhrase(text: string, words: readonly Word[]): Phrase {
  if (words.length === 0) {
    const whole = { text, forms: [foldText(text).trim()], parts: [] };
    return { text, words: [whole], alone: new Set(whole.forms), bound: [] };
  }
  const counted = words.filter(({ partner }) => !partner);
  const alone = new Set(counted.flatMap(({ forms, parts }) => [...forms, ...parts]));
  return { text, words, alone, bound: words.filter(({ partner }) => partner) };
}

export const readPhrase: (text: string) => Phrase = keepByText((text) => toPhrase(text, readWords(text)));

const isSame = (a: Word, b: Word) => a.forms.some((form) => b.forms.includes(form));

/** Whether a phrase has a word, asked for together with others: a word with a partner counts if that is among them. */
export function hasWord({ alone, bound }: Phrase, word: Word, together: readonly Word[]): boolean {
  if (word.forms.some((form) => alone.has(form))) return true;
  return bound.some((one) => isSame(one, word) && together.some((other) => isSame(one.partner!, other)));
}

/** Whether a phrase has all words of `wanted`, which are asked for together with others. */
export const covers = (phrase: Phrase, wanted: readonly Word[], together = wanted): boolean =>
  wanted.every((word) => hasWord(phrase, word, together));

/** Texts that are read without joining or rewriting anything, so that a substring can rule a word out. */
export const plainText = /^[a-z0-9 ,/()-]*$/i;

/** Makes the test for texts that have all words of a value. */
export function toWordTest(value: string): (text: string) => boolean {
  const { words } = readPhrase(value);
  const [shortest = ''] = words[0]!.forms.toSorted((a, b) => a.length - b.length);
  // A plural and its singular differ in the last letters alone.
  const beginning = shortest.slice(0, -2);
  return (text) => {
    if (plainText.test(text) && !text.toLowerCase().includes(beginning)) return false;
    return covers(readPhrase(text), words);
  };
}
