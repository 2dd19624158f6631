import type { ExactMatch, TitleWords } from './exact-titles.ts';
import { createSpelling } from './spelling.ts';
import { tokenise } from './words.ts';

const mostSpelled = 3;
/** What a corrected word counts. A known word counts 1. */
const spelledShare = 0.7;
/** Ends the part of a title that has its main word. */
const breaks = /[,;:(|/\u2013\u2014]|\s-+\s|\s(?:at|for|with|of|in|to)\s/i;

/** How a word was understood: as written, with one slip corrected, or as a guess. An unknown word is a guess too. */
type Understanding = 'known' | 'slip' | 'guess';

/** Functions that read titles and look them up. */
interface Reader {
  read(tokens: readonly string[]): { said: string[] };
  find(said: readonly string[]): ExactMatch;
}

/** Creates functions that correct unknown words, and judge whether the main word is a guess. */
export function createUnderstanding(
  vocabulary: readonly string[],
  { numberOf, howOften }: TitleWords,
  { read, find }: Reader,
) {
  const spell = createSpelling(vocabulary, howOften);

  /** Replaces at most three unknown words by the nearest known ones. */
  function understand(titleWords: readonly string[]) {
    let left = mostSpelled;
    let share = 0;
    const how = new Map<string, Understanding>();
    const words = titleWords.map((word) => {
      const correction = numberOf.has(word) ? undefined : left-- > 0 ? spell(word) : undefined;
      if (numberOf.has(word)) share += 1;
      else if (correction) share += spelledShare;
      how.set(word, numberOf.has(word) ? 'known' : correction?.isSlip ? 'slip' : 'guess');
      return correction ? vocabulary[correction.word]! : word;
    });
    const isRead = share === titleWords.length;
    return { words, isRead, readShare: share / Math.max(1, titleWords.length), how };
  }

  /** Whether the main word of a text is a guess. It is the last word before a break. */
  function isGuessed(text: string, how: ReadonlyMap<string, Understanding>): boolean {
    if (![...how.values()].includes('guess')) return false;
    const segments = text.split(breaks).map((segment) => read(tokenise(segment)).said);
    const [head, ...others] = segments.filter((segment) => segment.length > 0);
    if (!head || how.get(head.at(-1)!) !== 'guess') return false;
    const isTitle = (candidateWords: readonly string[]) => {
      const { own, alternate } = find(candidateWords);
      return own.length + alternate.length > 0;
    };
    // After a whole title an unknown word is a name: "Delivery driver Acme".
    const isNamed = head.length > 2 && isTitle(head.slice(0, -1));
    return !isNamed && !others.some(isTitle);
  }

  return { understand, isGuessed };
}
