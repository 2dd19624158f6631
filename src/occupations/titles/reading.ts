import * as v from 'valibot';
import { stemTitle, tokenise, toStems } from './words.ts';

/** content/titles/everyday-words.json: what people write in addition to the words of titles, or instead of them. */
export const EverydayWords = v.strictObject({
  /** Short forms and trade words, each with what titles say instead. */
  shortForms: v.record(v.string(), v.string()),
  /** Spanish job words and phrases in the singular, each with what English titles say instead. */
  spanish: v.record(v.string(), v.string()),
  /** Short forms that count only if a text has no other word. With a title, `PT` means part time. */
  alone: v.record(v.string(), v.string()),
  /** Words and phrases of level, shift, place and pay, which do not distinguish occupations. */
  idle: v.array(v.string()),
  /** Phrases in which short forms and idle words stay as they are. */
  kept: v.array(v.string()),
  /** Names of technologies. In brackets after a title they are a hint, and not part of the title. */
  technologies: v.array(v.string()),
});
export type EverydayWords = v.InferOutput<typeof EverydayWords>;

const mostTokens = 60;
/** A rate of pay, hours or a count. A bare number of three digits, such as 911, is none of these. */
const amount = /^(?:\d{1,2}|0\d+|\d{4,}|\d+(?:k|hrs?|[ap]m?|yrs?))$/;
const units = new Set('k hr hrs hour hours day days week wk wks month year years yr yrs'.split(' '));

/** Collects the everyday phrases, in tokens, with what titles say instead. */
function collectPhrases({ shortForms, spanish, alone, idle, kept }: EverydayWords) {
  const phrases = new Map<string, string[]>();
  /** The number of tokens of the longest phrase that begins with a token. */
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

  /** Adds each phrase again with short forms in it, such as `eng` for `engineer`: one word for one word. */
  function addShorter(): void {
    const shorter = Map.groupBy(
      [...phrases].filter(([phrase, instead]) => !phrase.includes(' ') && instead.length === 1),
      ([, instead]) => instead[0]!,
    );
    for (const [phrase, instead] of [...phrases]) {
      const tokens = phrase.split(' ');
      for (const [at, token] of tokens.entries())
        for (const [short] of tokens.length > 1 || !forms.has(phrase) ? [] : (shorter.get(token) ?? [])) {
          const shortened = tokens.with(at, short);
          if (!phrases.has(shortened.join(' '))) addTokens(shortened, instead);
        }
    }
  }

  return { phrases, longest, forms, translated };
}

/** Creates functions that turn tokens that people write into the words of titles. */
export function createReading(everyday: EverydayWords) {
  const { alone } = everyday;
  const { phrases, longest, forms, translated } = collectPhrases(everyday);

  /**
   * Returns the words of a text as titles say them (`said`), and whether any word was Spanish. `core` has the tokens
   * as written, without idle ones.
   */
  function read(text: readonly string[]) {
    const tokens = text.slice(0, mostTokens);
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
  const isShortForm = (tokens: readonly string[]) => forms.has(tokens.join(' '));
  /** Whether these tokens are a phrase of the everyday words. */
  const isPhrase = (tokens: readonly string[]) => phrases.has(tokens.join(' '));

  return { read, isShortForm, isPhrase };
}
