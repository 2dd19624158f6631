import { createCompounds } from './compounds.ts';
import { isKnownPair } from './network.ts';
import { createReading, type EverydayWords } from './reading.ts';
import { createSpelling } from './spelling.ts';
import { noTitle, ownTitle, type Postings, type TitleIndex } from './title-index.ts';
import { toKey } from './title-parts.ts';
import { toForms, toStems, toTokens } from './words.ts';

/** A title as it is searched for. */
export interface Question extends Exact {
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

/** The occupations that have this very title. */
interface Exact {
  /** Those that it is the own title of, or a part of that. */
  own: number[];
  /** Whether it is an own title as a whole. */
  isWhole: boolean;
  /** Whether O*NET gives it to one of those as an alternate title too, or as a whole. */
  isGiven: boolean;
  /** Others that O*NET gives it as an alternate title. */
  alternate: number[];
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

const mostSpelled = 3;
/** What a word counts that was taken for another one. */
const spelledShare = 0.7;
/** Words in front of a title that say that somebody may bear it. */
const licensed = new Set(['certified', 'licensed', 'registered']);
/** What ends the part of a title that has its main word. */
const breaks = /[,;:(|/\u2013\u2014]|\s-+\s|\s(?:at|for|with|of|in|to)\s/i;

/** How a word was understood: as it was written, with one slip, or as the nearest known word if any. */
type Understanding = 'known' | 'slip' | 'guess';

const nothing: Exact = { own: [], isWhole: false, isGiven: false, alternate: [] };

/** What several ways to write a title have in common: the own titles of all, or else of none. */
function mergeExact(all: readonly Exact[]): Exact {
  if (all.length === 1) return all[0]!;
  const isWhole = all.some((one) => one.isWhole);
  const own = new Set(all.filter((one) => !isWhole || one.isWhole).flatMap((one) => one.own));
  const alternate = new Set(isWhole ? [] : all.flatMap((one) => one.alternate));
  const isGiven = all.some((one) => one.isGiven);
  return { own: [...own], isWhole, isGiven, alternate: [...alternate].filter((one) => !own.has(one)) };
}

/** Makes a function that finds the occupations that have a title of these words. */
function createExact({ index, postings, vocabulary, parts }: KnownTitles) {
  const { ownerStarts, owners, titles, wordStarts, words } = index;
  const { starts, entries } = postings;
  const numberOf = new Map(vocabulary.map((word, number) => [word, number]));
  const howOften = (word: number) => starts[word + 1]! - starts[word]!;

  const toNumbers = (said: readonly string[]): number[] =>
    [...new Set(said)].map((word) => numberOf.get(word)).filter((one) => one !== undefined);

  /** The entry that has these words and no others. */
  function findEntry(numbers: readonly number[]): number | undefined {
    const wanted = numbers.toSorted((a, b) => a - b);
    const rarest = wanted.reduce((best, word) => (howOften(word) < howOften(best) ? word : best));
    return entries.subarray(starts[rarest], starts[rarest + 1]).find((entry) => {
      const from = wordStarts[entry]!;
      const isAsLong = wordStarts[entry + 1]! - from === wanted.length;
      return isAsLong && wanted.every((word, at) => words[from + at] === word);
    });
  }

  /** Parts whose words some title has, by its entry; the others need their key. */
  const partsOf = new Map<number, readonly number[]>();
  for (const [key, places] of parts) {
    const numbers = toNumbers(key.split(' '));
    const entry = numbers.length === key.split(' ').length ? findEntry(numbers) : undefined;
    if (entry !== undefined) partsOf.set(entry, places);
  }

  function find(said: readonly string[]): Exact {
    const numbers = toNumbers(said);
    const isKnown = numbers.length > 0 && numbers.length === new Set(said).size;
    const entry = isKnown ? findEntry(numbers) : undefined;
    const [own, alternate]: [number[], number[]] = [[], []];
    for (let at = entry === undefined ? 0 : ownerStarts[entry]!; entry !== undefined; at += 1) {
      if (at === ownerStarts[entry + 1]!) break;
      if (titles[at] === ownTitle) own.push(owners[at]!);
      else if (titles[at] !== noTitle) alternate.push(owners[at]!);
    }
    if (own.length > 0) return { own, isWhole: true, isGiven: true, alternate: [] };
    const part = (entry === undefined ? isKnown && parts.get(toKey(said)) : partsOf.get(entry)) || [];
    const isGiven = alternate.some((one) => part.includes(one));
    const others = alternate.filter((one) => !part.includes(one));
    return { own: [...part], isWhole: false, isGiven, alternate: others };
  }

  /** How many titles have both words; 0 unless some have them side by side. */
  function countPair(first: string, second: string, features: Uint32Array): number {
    const [a, b] = [numberOf.get(first), numberOf.get(second)];
    if (a === undefined || b === undefined || !isKnownPair(first, second, features)) return 0;
    let often = 0;
    // Both lists ascend.
    for (let at = starts[a]!, other = starts[b]!; at < starts[a + 1]! && other < starts[b + 1]!; ) {
      const difference = entries[at]! - entries[other]!;
      if (difference === 0) often += 1;
      if (difference <= 0) at += 1;
      if (difference >= 0) other += 1;
    }
    return often;
  }

  return { find, toNumbers, numberOf, howOften, countPair };
}

/** Makes a function that reads a text as titles say it: see `createSearch`. */
export function createQuestion(known: KnownTitles): (q: string) => Question {
  const { vocabulary, everyday, features } = known;
  const { find, toNumbers, numberOf, howOften, countPair } = createExact(known);
  const spell = createSpelling(vocabulary, howOften);
  const { read, isShortForm, isPhrase, findHints } = createReading(everyday, (word) => numberOf.has(word));
  const readCompounds = createCompounds({
    isPhrase,
    count: (word) => (numberOf.has(word) ? howOften(numberOf.get(word)!) : 0),
    countPair: (first, second) => countPair(first, second, features),
  });

  /** Words as they are understood: those that no title has as the nearest that one has. */
  function understand(said: readonly string[]) {
    let left = mostSpelled;
    let share = 0;
    const how = new Map<string, Understanding>();
    const words = said.map((word) => {
      const near = numberOf.has(word) ? undefined : left-- > 0 ? spell(word) : undefined;
      if (numberOf.has(word)) share += 1;
      else if (near) share += spelledShare;
      how.set(word, numberOf.has(word) ? 'known' : near?.isSlip ? 'slip' : 'guess');
      return near ? vocabulary[near.word]! : word;
    });
    const isRead = share === said.length;
    return { words, numbers: toNumbers(words), isRead, readShare: share / Math.max(1, said.length), how };
  }

  /** Whether the main word of a text, the last before a break, is a guess. */
  function isGuessed(text: string, how: ReadonlyMap<string, Understanding>): boolean {
    if (![...how.values()].includes('guess')) return false;
    const segments = text.split(breaks).map((segment) => read(toTokens(segment)).said);
    const [head, ...others] = segments.filter((segment) => segment.length > 0);
    if (!head || how.get(head.at(-1)!) !== 'guess') return false;
    const isTitle = (said: readonly string[]) => {
      const { own, alternate } = find(said);
      return own.length + alternate.length > 0;
    };
    // "Delivery driver Acme": behind a whole title, an unknown word is a name.
    const isNamed = head.length > 2 && isTitle(head.slice(0, -1));
    return !isNamed && !others.some(isTitle);
  }

  /** The titles that a text is once it is read, and those of it without `certified` and the like. */
  function findRead(variants: readonly (readonly string[])[], words: readonly string[]) {
    const others = variants.slice(1).map((one) => read(one).said);
    const exact = mergeExact([words, ...others].map(find));
    const bare = words.filter((word) => !licensed.has(word));
    const without = bare.length < words.length ? find(bare) : nothing;
    return { exact, without: { ...without, alternate: [] } };
  }

  /** What a title says of itself, and the certainty that this allows. */
  function toQuestion(
    exact: Exact,
    read: Omit<Question, keyof Exact | 'isClear'>,
    core: readonly string[] = [],
    isContested = isShortForm(core),
  ): Question {
    const { own, alternate } = exact;
    // Short forms mean more than O*NET says: one of two letters is clear only if it is an own title.
    const isTiny = core.length === 1 && core[0]!.length < 3;
    const isOnly = own.length === 1 && (!isContested || alternate.length === 0);
    return { ...read, ...exact, isClear: isOnly || (own.length + alternate.length < 2 && !isTiny) };
  }

  return (q) => {
    const { text, hints, isKnown: areHintsKnown } = findHints(q);
    const tokens = toTokens(toForms(text)[0]!);
    const toRead = (said: readonly string[]) => {
      const words = [...said, ...hints];
      return { words, numbers: toNumbers(words), isRead: true, readShare: 1, isGuess: false };
    };
    const written = find(toStems(tokens));
    if (written.own.length > 0) return toQuestion(written, toRead(toStems(tokens)));

    const { usual, variants } = readCompounds(read(tokens).core);
    const { said, core, isTranslated } = read(variants.length > 1 ? usual : tokens);
    const isOther = variants.length > 1;
    const plain = isOther ? mergeExact([written, ...variants.map((one) => find(toStems(one)))]) : written;
    if (plain.own.length > 0) return toQuestion(plain, toRead(toStems(usual)));

    const isShort = isShortForm(core);
    const { how, ...understood } = understand(said.length > 0 ? said : toStems(tokens));
    const { exact, without } = findRead(variants, understood.words);
    const asRead = {
      ...toRead(understood.words),
      readShare: understood.readShare,
      isRead: (said.length > 0 ? understood.isRead : isShort) && !isTranslated && areHintsKnown,
      isGuess: isGuessed(text, how),
    };
    if (plain.alternate.length === 0 || isShort) {
      // What a short form stands for comes before what O*NET shortens so.
      const shortened = isShort ? find(toStems(core)) : nothing;
      const stated = exact.own.length > 0 ? exact : mergeExact([without, exact]);
      const isWhole = stated.isWhole && shortened.alternate.every((one) => stated.own.includes(one));
      return toQuestion(mergeExact([{ ...stated, isWhole }, shortened]), asRead, core);
    }
    // A title that O*NET has is itself, and what its short forms stand for where that is a title too.
    if (exact.own.length + exact.alternate.length + without.own.length === 0)
      return toQuestion(plain, toRead(toStems(usual)), core);
    const others = { ...nothing, alternate: [...exact.own, ...exact.alternate] };
    return toQuestion(mergeExact([{ ...without, isWhole: false }, plain, others]), asRead, core, true);
  };
}
