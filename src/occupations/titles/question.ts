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

/** A title that was read, and the occupations that have exactly this title. */
export interface TitleQuery extends ExactMatch {
  words: string[];
  /** The numbers of the different words that some title has. */
  numbers: number[];
  /** Whether every word was known as written. */
  isRead: boolean;
  /** The share of its words that is known, 0 to 1. A corrected word counts in part. */
  readShare: number;
  /** Whether its main word was guessed from its spelling. */
  isGuess: boolean;
  /** Whether it means one occupation: as its own title, or as an alternate title of only one. */
  isClear: boolean;
}

/** The titles and words that a parser looks up. */
interface KnownTitles {
  index: TitleIndex;
  postings: Postings;
  vocabulary: readonly string[];
  /** Occupations by a part of their own title; see `collectTitleParts`. */
  parts: ReadonlyMap<string, readonly number[]>;
  /** The hashes of the words and pairs that the network knows. */
  features: Uint32Array;
  everyday: EverydayWords;
}

/** Words in front of a title that say only that a person holds it. */
const licensed = new Set(['certified', 'licensed', 'registered']);

/** What was read from a title. `core` has its tokens without idle ones. */
interface ReadTitle extends Omit<TitleQuery, keyof ExactMatch | 'isClear'> {
  core?: readonly string[];
}

/** Completes a query with whether it is clear. If `isContested`, alternate titles of others make it unclear. */
function completeQuery(
  exact: ExactMatch,
  { core = [], ...read }: ReadTitle,
  isContested = false,
): TitleQuery {
  const { own, alternate } = exact;
  // A short form has more meanings than O*NET lists. One of two letters is clear only if it is an own title.
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

/** Creates a function that reads a text as a title. See `createSearch`. */
export function createTitleParser(known: KnownTitles): (q: string) => TitleQuery {
  const steps = createSteps(known);
  const { find, toNumbers, read, isShortForm, findHints, readCompounds, understand, isGuessed } = steps;

  /** Finds the occupations of a text as it was read, and of the text without words such as `certified`. */
  function findExactMatches(variants: readonly (readonly string[])[], words: readonly string[]) {
    const others = variants.slice(1).map((variant) => read(variant).said);
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
      return { words, numbers: toNumbers(new Set(words)), isRead: true, readShare: 1, isGuess: false };
    };
    const written = find(stems);
    if (written.own.length > 0) return completeQuery(written, markAsRead(stems));

    const asTyped = read(tokens);
    const { usual, variants } = readCompounds(asTyped.core);
    const hasVariants = variants.length > 1;
    const { said, core, isTranslated } = hasVariants ? read(usual) : asTyped;
    const plain = hasVariants
      ? mergeExactMatches([written, ...variants.map((variant) => find(toStems(variant)))])
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
      // What a short form stands for comes before titles that O*NET itself shortens to it.
      const shortened = isShort ? find(toStems(core)) : noExactMatch;
      const stated = exact.own.length > 0 ? exact : mergeExactMatches([without, exact]);
      const isWhole =
        stated.isWhole && shortened.alternate.every((occupation) => stated.own.includes(occupation));
      return completeQuery(mergeExactMatches([{ ...stated, isWhole }, shortened]), asRead, isShort);
    }
    // A title that O*NET has means itself. It also means what its short forms stand for, if that is a title.
    if (exact.own.length + exact.alternate.length + without.own.length === 0)
      return completeQuery(plain, { ...markAsRead(hasVariants ? toStems(usual) : stems), core }, isShort);
    const others = { ...noExactMatch, alternate: [...exact.own, ...exact.alternate] };
    return completeQuery(mergeExactMatches([{ ...without, isWhole: false }, plain, others]), asRead, true);
  };
}
