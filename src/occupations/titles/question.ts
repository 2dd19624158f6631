import { createCompounds } from './compounds.ts';
import {
  createExactSearch,
  createTitleWords,
  type ExactMatch,
  mergeExactMatches,
  noExactMatch,
} from './exact-titles.ts';
import { createHints } from './hints.ts';
import { createReading, type EverydayWords } from './reading.ts';
import type { Postings, TitleIndex } from './title-index.ts';
import { createUnderstanding } from './understanding.ts';
import { listTitleForms, tokenise, toStems } from './words.ts';

/** A title as it is searched for. */
export interface TitleQuery extends ExactMatch {
  words: string[];
  /** The different words that some title has, by number. */
  numbers: number[];
  /** Whether every word was known as it was written. */
  isRead: boolean;
  /** How much of it is known, 0 to 1; a word that was taken for another one counts in part. */
  readShare: number;
  /** Whether its main word is known only by a corrected spelling or by groups of letters. */
  isGuess: boolean;
  /** Whether it means one occupation: its own title, or an alternate title of no other. */
  isClear: boolean;
}

/** What a question is asked of. */
interface KnownTitles {
  index: TitleIndex;
  postings: Postings;
  vocabulary: readonly string[];
  /** Occupations by a part of their own title; see `toTitleParts`. */
  parts: ReadonlyMap<string, readonly number[]>;
  /** The network's names of words and pairs. */
  features: Uint32Array;
  everyday: EverydayWords;
}

/** Words in front of a title that say that somebody may bear it. */
const licensed = new Set(['certified', 'licensed', 'registered']);
/** What was read of a title beside the occupations that have it. `core` has its tokens without idle ones. */
interface ReadTitle extends Omit<TitleQuery, keyof ExactMatch | 'isClear'> {
  core?: readonly string[];
}

/** Puts a question together, and says whether it is clear. It is not if `isContested`, and others have the title. */
function completeQuery(
  exact: ExactMatch,
  { core = [], ...read }: ReadTitle,
  isContested = false,
): TitleQuery {
  const { own, alternate } = exact;
  // Short forms mean more than O*NET says: one of two letters is clear only if it is an own title.
  const isTiny = core.length === 1 && core[0]!.length < 3;
  const isOnly = own.length === 1 && (!isContested || alternate.length === 0);
  return { ...read, ...exact, isClear: isOnly || (own.length + alternate.length < 2 && !isTiny) };
}

/** The steps that a text is read in. */
function createSteps(known: KnownTitles) {
  const { vocabulary, everyday, features } = known;
  const titleWords = createTitleWords(vocabulary, known.postings, features);
  const { numberOf, howOften, countPair } = titleWords;
  const { find, toNumbers } = createExactSearch(known, titleWords);
  const { read, isShortForm, isPhrase } = createReading(everyday);
  const findHints = createHints(everyday.technologies, isPhrase, (word) => numberOf.has(word));
  const readCompounds = createCompounds({
    isPhrase,
    count: (word) => (numberOf.has(word) ? howOften(numberOf.get(word)!) : 0),
    countPair,
  });
  const understanding = createUnderstanding(vocabulary, titleWords, { read, find });
  return { find, toNumbers, read, isShortForm, findHints, readCompounds, ...understanding };
}

/** Makes a function that reads a text as titles say it: see `createSearch`. */
export function createTitleParser(known: KnownTitles): (q: string) => TitleQuery {
  const steps = createSteps(known);
  const { find, toNumbers, read, isShortForm, findHints, readCompounds, understand, isGuessed } = steps;

  /** The titles that a text is once it is read, and those of it without `certified` and the like. */
  function findExactMatches(variants: readonly (readonly string[])[], words: readonly string[]) {
    const others = variants.slice(1).map((one) => read(one).said);
    const exact = mergeExactMatches([words, ...others].map(find));
    const bare = words.filter((word) => !licensed.has(word));
    const without = bare.length < words.length ? find(bare) : noExactMatch;
    return { exact, without: { ...without, alternate: [] } };
  }

  return (q) => {
    const { text, hints, isKnown: areHintsKnown } = findHints(q);
    const tokens = tokenise(listTitleForms(text)[0]!);
    const stems = toStems(tokens);
    const markAsRead = (said: readonly string[]) => {
      const words = [...said, ...hints];
      return { words, numbers: toNumbers(words), isRead: true, readShare: 1, isGuess: false };
    };
    const written = find(stems);
    if (written.own.length > 0) return completeQuery(written, markAsRead(stems));

    const asTyped = read(tokens);
    const { usual, variants } = readCompounds(asTyped.core);
    const isOther = variants.length > 1;
    const { said, core, isTranslated } = isOther ? read(usual) : asTyped;
    const plain = isOther
      ? mergeExactMatches([written, ...variants.map((one) => find(toStems(one)))])
      : written;
    if (plain.own.length > 0) return completeQuery(plain, markAsRead(toStems(usual)));

    const isShort = isShortForm(core);
    const { how, ...understood } = understand(said.length > 0 ? said : stems);
    const { exact, without } = findExactMatches(variants, understood.words);
    const asRead = {
      core,
      ...markAsRead(understood.words),
      readShare: understood.readShare,
      isRead: (said.length > 0 ? understood.isRead : isShort) && !isTranslated && areHintsKnown,
      isGuess: isGuessed(text, how),
    };
    if (plain.alternate.length === 0 || isShort) {
      // What a short form stands for comes before what O*NET shortens so.
      const shortened = isShort ? find(toStems(core)) : noExactMatch;
      const stated = exact.own.length > 0 ? exact : mergeExactMatches([without, exact]);
      const isWhole = stated.isWhole && shortened.alternate.every((one) => stated.own.includes(one));
      return completeQuery(mergeExactMatches([{ ...stated, isWhole }, shortened]), asRead, isShort);
    }
    // A title that O*NET has is itself, and what its short forms stand for where that is a title too.
    if (exact.own.length + exact.alternate.length + without.own.length === 0)
      return completeQuery(plain, { ...markAsRead(isOther ? toStems(usual) : stems), core }, isShort);
    const others = { ...noExactMatch, alternate: [...exact.own, ...exact.alternate] };
    return completeQuery(mergeExactMatches([{ ...without, isWhole: false }, plain, others]), asRead, true);
  };
}
