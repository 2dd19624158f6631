import type { ExactMatch, TitleWords } from './exact-titles.ts';
import { createSpelling } from './spelling.ts';
import { tokenise } from './words.ts';

const mostSpelled = 3;
/** What a word counts that was taken for another one. */
const spelledShare = 0.7;
/** What ends the part of a title that has its main word. */
const breaks = /[,;:(|/\u2013\u2014]|\s-+\s|\s(?:at|for|with|of|in|to)\s/i;

/** How a word was understood: as it was written, with one slip, or as the nearest known word if any. */
type Understanding = 'known' | 'slip' | 'guess';

/** What reads titles and looks them up. */
interface Reader {
  read(tokens: readonly string[]): { said: string[] };
  find(said: readonly string[]): ExactMatch;
}

/** Makes functions that take unknown words for the nearest known ones, and judge what that is worth. */
export function createUnderstanding(
  vocabulary: readonly string[],
  { numberOf, howOften }: TitleWords,
  { read, find }: Reader,
) {
  const spell = createSpelling(vocabulary, howOften);

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
    return { words, isRead, readShare: share / Math.max(1, said.length), how };
  }

  /** Whether the main word of a text, the last before a break, is a guess. */
  function isGuessed(text: string, how: ReadonlyMap<string, Understanding>): boolean {
    if (![...how.values()].includes('guess')) return false;
    const segments = text.split(breaks).map((segment) => read(tokenise(segment)).said);
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

  return { understand, isGuessed };
}
