const shortestSpelled = 5;
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

/**
 * Counts the slips that turn `a` into `b`: a letter left out, added or changed, or two letters swapped (optimal string
 * alignment). A changed letter counts a little more than the others. Returns Infinity for more than `most`.
 */
function countSlips(a: string, b: string, most: number): number {
  let [before, row]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let least = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (same ? 0 : changed));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, before[j - 2]! + 1);
      next.push(least);
    }
    if (Math.min(...next) > most + 0.5) return Number.POSITIVE_INFINITY;
    [before, row] = [row, next];
  }
  return row[b.length]! <= most + 0.5 ? row[b.length]! : Number.POSITIVE_INFINITY;
}

/**
 * Creates a function that finds the known word that an unknown word most likely stands for, or returns undefined.
 *
 * A word that begins with the unknown word (four letters or more) comes first. Otherwise it is the word with the fewest
 * slips: at most one in five or six letters, and two in more. The most common word wins a tie.
 * Only an unknown word of eight letters or more may have a wrong first letter: flebotomist is phlebotomist.
 */
export function createSpelling(words: readonly string[], howCommon: (word: number) => number) {
  const letters = Int32Array.from(words, maskLetters);
  return (unknown: string): Correction | undefined => {
    const most = unknown.length < shortestSpelled ? 0 : unknown.length < 7 ? 1 : 2;
    const wanted = maskLetters(unknown);
    let best: { word: number; slips: number; letters: number } | undefined;
    for (let word = 0; word < words.length; word += 1) {
      const known = words[word]!;
      const hasSameStart = known.charCodeAt(0) === unknown.charCodeAt(0);
      if (!hasSameStart && unknown.length < shortestMisbegun) continue;
      let slips = Number.POSITIVE_INFINITY;
      let wrongLetters = slips;
      if (hasSameStart && unknown.length >= shortestBegun && known.startsWith(unknown)) {
        slips = 0;
        wrongLetters = known.length - unknown.length;
      } else if (
        most > 0 &&
        known.length >= 4 &&
        Math.abs(known.length - unknown.length) <= most &&
        countBits(letters[word]! ^ wanted) <= 2 * most
      ) {
        wrongLetters = countSlips(unknown, known, most);
        slips = wrongLetters + (hasSameStart ? 0 : otherStart);
      }
      if (slips === Number.POSITIVE_INFINITY) continue;
      const isBetter =
        !best || slips < best.slips || (slips === best.slips && howCommon(word) > howCommon(best.word));
      if (isBetter) best = { word, slips, letters: wrongLetters };
    }
    if (!best) return undefined;
    return { word: best.word, isSlip: unknown.length >= shortestSlipped && best.letters <= changed };
  };
}
