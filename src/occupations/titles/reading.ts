import * as v from 'valibot';
import { stemTitle, tokenise, toStems } from './words.ts';

/** What people write beside and instead of the words of titles: content/titles/everyday-words.json. */
export const EverydayWords = v.strictObject({
  /** A short form or a word of a trade, and what titles say instead. */
  shortForms: v.record(v.string(), v.string()),
  /** A Spanish job word or phrase in the singular, and what English titles say instead. */
  spanish: v.record(v.string(), v.string()),
  /** Short forms that count only where a text has no other word: `PT` is part time beside a title. */
  alone: v.record(v.string(), v.string()),
  /** Words and phrases of level, shift, place and pay, which tell no two occupations apart. */
  idle: v.array(v.string()),
  /** Phrases in which a short form or an idle word stays what it is. */
  kept: v.array(v.string()),
  /** Names of technologies. In brackets behind a title they are a hint, and no part of it. */
  technologies: v.array(v.string()),
});
export type EverydayWords = v.InferOutput<typeof EverydayWords>;

const mostTokens = 60;
/** A rate of pay, hours, or a count: no number of three digits, such as 911. */
const amount = /^(?:\d{1,2}|0\d+|\d{4,}|\d+(?:k|hrs?|[ap]m?|yrs?))$/;
const units = new Set('k hr hrs hour hours day days week wk wks month year years yr yrs'.split(' '));

/** Collects the everyday phrases, in tokens, with what titles say instead. */
function collectPhrases({ shortForms, spanish, alone, idle, kept }: EverydayWords) {
  const phrases = new Map<string, string[]>();
  /** By its first token, how many the longest phrase has. */
  const longest = new Map<string, number>();
  const add = (phrase: string, instead: string[]) => addTokens(tokenise(phrase), instead);
  const addTokens = (tokens: string[], instead: string[]) => {
    longest.set(tokens[0]!, Math.max(longest.get(tokens[0]!) ?? 1, tokens.length));
    phrases.set(tokens.join(' '), instead);
  };
  const forms = new Set(
    [...Object.keys(shortForms), ...Object.keys(alone)].map((form) => tokenise(form).join(' ')),
  );
  const translated = new Set<string[]>();
  for (const [phrase, instead] of Object.entries(spanish)) {
    const words = tokenise(instead);
    translated.add(words);
    for (const end of ['', 's', 'es']) add(phrase + end, words);
  }
  for (const phrase of idle) add(phrase, []);
  for (const [phrase, instead] of Object.entries(shortForms)) add(phrase, tokenise(instead));
  for (const phrase of kept) add(phrase, tokenise(phrase));
  addShorter();

  /** Lets `eng` stand in a phrase for `engineer`, and so each short form of one word for one word. */
  function addShorter(): void {
    const shorter = Map.groupBy(
      [...phrases].filter(([phrase, instead]) => !phrase.includes(' ') && instead.length === 1),
      ([, instead]) => instead[0]!,
    );
    for (const [phrase, instead] of [...phrases]) {
      const tokens = phrase.split(' ');
      for (const [at, token] of tokens.entries())
        for (const [short] of tokens.length > 1 || !forms.has(phrase) ? [] : (shorter.get(token) ?? [])) {
          const other = tokens.with(at, short);
          if (!phrases.has(other.join(' '))) addTokens(other, instead);
        }
    }
  }

  return { phrases, longest, forms, translated };
}

/** Makes functions that read what people write, in tokens, as titles say it. */
export function createReading(everyday: EverydayWords) {
  const { alone } = everyday;
  const { phrases, longest, forms, translated } = collectPhrases(everyday);

  /**
   * Returns the words of a text, titles' own in place of everyday and Spanish ones, and whether any was Spanish. `core`
   * has its tokens as they were written, without idle ones.
   */
  function read(said: readonly string[]) {
    const tokens = said.slice(0, mostTokens);
    const found: string[] = [];
    const core: string[] = [];
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
      if (!isAfterAmount && instead?.length !== 0) core.push(...phrase);
      at += length;
    }
    const only = found.length > 0 ? undefined : tokens.find((token) => Object.hasOwn(alone, token));
    if (only !== undefined) return { said: stemTitle(alone[only]!), core: [only], isTranslated };
    return { said: toStems(found), core, isTranslated };
  }

  /** Whether the whole text is a short form. */
  const isShortForm = (said: readonly string[]) => forms.has(said.join(' '));
  /** Whether everyday words say what these tokens stand for. */
  const isPhrase = (tokens: readonly string[]) => phrases.has(tokens.join(' '));

  return { read, isShortForm, isPhrase };
}
