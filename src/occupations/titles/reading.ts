import * as v from 'valibot';
import { toStems, toTokens } from './words.ts';

/** What people write beside and instead of the words of titles: content/titles/everyday-words.json. */
export const EverydayWords = v.strictObject({
  /** A short form or a word of a trade, and what titles say instead. */
  shortForms: v.record(v.string(), v.string()),
  /** A Spanish job word or phrase in the singular, and what English titles say instead. */
  spanish: v.record(v.string(), v.string()),
  /** Words and phrases of level, shift, place and pay, which tell no two occupations apart. */
  idle: v.array(v.string()),
  /** Phrases in which a short form or an idle word stays what it is. */
  kept: v.array(v.string()),
});
export type EverydayWords = v.InferOutput<typeof EverydayWords>;

const mostTokens = 60;
/** A rate of pay, hours, or a count: no number of three digits, such as 911. */
const amount = /^(?:\d{1,2}|0\d+|\d{4,}|\d+(?:k|hrs?|[ap]m?|yrs?))$/;
const units = new Set('k hr hrs hour hours day days week wk wks month year years yr yrs'.split(' '));

/** Makes two functions that read what people write, in tokens, as titles say it. */
export function createReading({ shortForms, spanish, idle, kept }: EverydayWords) {
  const phrases = new Map<string, string[]>();
  /** By its first token, how many the longest phrase has. */
  const longest = new Map<string, number>();
  const add = (phrase: string, instead: string[]) => {
    const tokens = toTokens(phrase);
    longest.set(tokens[0]!, Math.max(longest.get(tokens[0]!) ?? 1, tokens.length));
    phrases.set(tokens.join(' '), instead);
  };
  const forms = new Set(Object.keys(shortForms).map((form) => toTokens(form).join(' ')));
  const translated = new Set<string[]>();
  for (const [phrase, instead] of Object.entries(spanish)) {
    const words = toTokens(instead);
    translated.add(words);
    for (const end of ['', 's', 'es']) add(phrase + end, words);
  }
  for (const phrase of idle) add(phrase, []);
  for (const [phrase, instead] of Object.entries(shortForms)) add(phrase, toTokens(instead));
  for (const phrase of kept) add(phrase, toTokens(phrase));

  /** The words of a text, titles' own in place of everyday and Spanish ones, and whether any was Spanish. */
  function read(said: readonly string[]) {
    const tokens = said.slice(0, mostTokens);
    const found: string[] = [];
    let isAfterAmount = false;
    let isTranslated = false;
    for (let at = 0; at < tokens.length; ) {
      let length = Math.min(longest.get(tokens[at]!) ?? 1, tokens.length - at);
      while (length > 1 && !phrases.has(tokens.slice(at, at + length).join(' '))) length -= 1;
      const phrase = tokens.slice(at, at + length);
      const instead = phrases.get(phrase.join(' '));
      isTranslated ||= instead !== undefined && translated.has(instead);
      const isUnit: boolean = isAfterAmount && length === 1 && units.has(phrase[0]!);
      isAfterAmount = isUnit || (!instead && amount.test(phrase[0]!));
      if (!isAfterAmount) found.push(...(instead ?? phrase));
      at += length;
    }
    return { said: toStems(found), isTranslated };
  }

  /** Whether the whole text is a short form. */
  const isShortForm = (said: readonly string[]) => forms.has(said.join(' '));
  return { read, isShortForm };
}
