const shortestSpelled = 5;
/** Letters of a known word that an unknown one may nearly spell. */
const shortestKnown = 4;
const shortestBegun = 4;
const shortestMisbegun = 8;
/** Slips that a wrong first letter counts in addition. */
const otherStart = 0.6;
/** The fewest letters of a word that is still recognised with one wrong. A shorter one may be another word. */
const shortestSlipped = 8;
/** What a changed letter counts. A letter that was left out, added or swapped counts 1. */
const changed = 1.1;

/** The known word that an unknown word most likely stands for. */
interface Correction {
  /** The number of the known word. */
  word: number;
  /** Whether only one letter of a word of eight or more was corrected: a slip, not a guess. */
  isSlip: boolean;
}

/** Returns a bit mask of the letters of a word. */
function maskLetters(word: string): number {
  let letters = 0;
  for (let at = 0; at < word.length; at += 1) letters |= 1 << (word.charCodeAt(at) & 31);
  return letters;
}

function countBits(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count += 1;
  return count;
}

/** The most slips that any word may have. */
const mostSlips = 2;
/** A changed letter counts more than a slip, so two of them are a little more than two slips. */
const leeway = 0.5;
/** Keeps a word that is exactly as near as the best, whatever the rounding of the sums. */
const tolerance = 1e-9;

/**
 * Creates a function that counts the slips that turn `a` into `b`: a letter left out, added or changed, or two letters
 * swapped (optimal string alignment). A changed letter counts a little more than the others. The function returns
 * Infinity for more than `limit`, which must be below 3.
 */
function createSlipCounter() {
  let [beforeLast, last, next]: number[][] = [[], [], []];

  /** Fills the row `next`, of the first `i` letters of `a`, and returns its least value. */
  function fillRow(a: string, b: string, i: number): number {
    // Further from the diagonal there are three slips at least.
    const from = Math.max(1, i - mostSlips);
    const to = Math.min(b.length, i + mostSlips);
    next![from - 1] = from === 1 ? i : Number.POSITIVE_INFINITY;
    if (to < b.length) next![to + 1] = Number.POSITIVE_INFINITY;
    let least = next![from - 1]!;
    for (let j = from; j <= to; j += 1) {
      const isSame = a.charCodeAt(i - 1) === b.charCodeAt(j - 1);
      let slips = Math.min(last![j]! + 1, next![j - 1]! + 1, last![j - 1]! + (isSame ? 0 : changed));
      const isSwapped =
        i > 1 &&
        j > 1 &&
        a.charCodeAt(i - 1) === b.charCodeAt(j - 2) &&
        a.charCodeAt(i - 2) === b.charCodeAt(j - 1);
      if (isSwapped) slips = Math.min(slips, beforeLast![j - 2]! + 1);
      next![j] = slips;
      if (slips < least) least = slips;
    }
    return least;
  }

  return (a: string, b: string, limit: number): number => {
    for (let j = 0; j <= b.length; j += 1) last![j] = j;
    for (let i = 1; i <= a.length; i += 1) {
      if (fillRow(a, b, i) > limit) return Number.POSITIVE_INFINITY;
      [beforeLast, last, next] = [last, next, beforeLast];
    }
    return last![b.length]! <= limit ? last![b.length]! : Number.POSITIVE_INFINITY;
  };
}

/**
 * Creates a function that finds the known word that an unknown word most likely stands for, or returns undefined.
 *
 * A word that begins with the unknown word (four letters or more) comes first. Otherwise it is the word with the fewest
 * slips: at most one in five or six letters, and two in more. The most common word wins a tie.
 * Only an unknown word of eight letters or more may have a wrong first letter: flebotomist is phlebotomist.
 */
export function createSpelling(words: readonly string[], howCommon: (word: number) => number) {
  const countSlips = createSlipCounter();
  const letters = Int32Array.from(words, maskLetters);
  const lengths = Uint32Array.from(words, ({ length }) => length);
  const initials = Uint16Array.from(words, (word) => word.charCodeAt(0));

  return (unknown: string): Correction | undefined => {
    const { length } = unknown;
    const initial = unknown.charCodeAt(0);
    const wanted = maskLetters(unknown);
    const most = length < shortestSpelled ? 0 : length < 7 ? 1 : mostSlips;
    let best: { word: number; slips: number; letters: number } | undefined;

    /** Letters that are wrong if the unknown word stands for this one; Infinity if they are more than `limit`. */
    function countWrong(word: number, limit: number): number {
      const isSpelled = most > 0 && lengths[word]! >= shortestKnown;
      if (!isSpelled || Math.abs(lengths[word]! - length) > limit) return Number.POSITIVE_INFINITY;
      // A slip changes two of the letters that a word has at most.
      if (countBits(letters[word]! ^ wanted) > 2 * Math.floor(limit)) return Number.POSITIVE_INFINITY;
      return countSlips(unknown, words[word]!, limit);
    }

    let limit = most + leeway;
    for (let word = 0; word < words.length; word += 1) {
      const isSameInitial = initials[word] === initial;
      if (!isSameInitial && length < shortestMisbegun) continue;
      const isBegun = isSameInitial && length >= shortestBegun && words[word]!.startsWith(unknown);
      const wrong = isBegun ? lengths[word]! - length : countWrong(word, limit);
      if (wrong === Number.POSITIVE_INFINITY) continue;
      const slips = isBegun ? 0 : wrong + (isSameInitial ? 0 : otherStart);
      const isBetter =
        !best || slips < best.slips || (slips === best.slips && howCommon(word) > howCommon(best.word));
      if (!isBetter) continue;
      best = { word, slips, letters: wrong };
      limit = Math.min(limit, slips + tolerance);
    }
    if (!best) return undefined;
    return { word: best.word, isSlip: length >= shortestSlipped && best.letters <= changed };
  };
}
