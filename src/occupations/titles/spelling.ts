const shortestSpelled = 5;
const shortestBegun = 4;
const shortestMisbegun = 8;
/** Slips that another first letter counts for, beside its own. */
const otherStart = 0.6;
/** A word of so many letters is still itself with one of them wrong; a shorter one may be another word. */
const shortestSlipped = 8;
/** What a changed letter counts beside one that was left out, put in or swapped. */
const changed = 1.1;

/** A known word that an unknown one may stand for. */
interface Correction {
  /** Its number. */
  word: number;
  /** Whether one letter of a word of eight or more was corrected: a slip rather than a guess. */
  isSlip: boolean;
}

/** A bit for each letter that a word has. */
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
 * How many slips make `b` of `a`: a letter left out, put in or changed, or two that changed places (optimal string
 * alignment); a changed one counts a little more than the others. Returns Infinity for more than `most`.
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
 * Makes a function that finds the known word that an unknown one most likely stands for, or undefined: the one that it
 * begins (four letters or more), else the one that it nearly spells, with one slip in five letters or six, two in
 * more; the commonest where several are as near. Only an unknown word of eight letters or more may begin with another
 * letter, and that counts too: flebotomist is phlebotomist.
 */
export function createSpelling(words: readonly string[], howCommon: (word: number) => number) {
  const letters = Int32Array.from(words, maskLetters);
  return (stranger: string): Correction | undefined => {
    const most = stranger.length < shortestSpelled ? 0 : stranger.length < 7 ? 1 : 2;
    const wanted = maskLetters(stranger);
    let best: { word: number; slips: number; letters: number } | undefined;
    for (let word = 0; word < words.length; word += 1) {
      const known = words[word]!;
      const begins = known.charCodeAt(0) === stranger.charCodeAt(0);
      if (!begins && stranger.length < shortestMisbegun) continue;
      let slips = Number.POSITIVE_INFINITY;
      let wrong = slips;
      if (begins && stranger.length >= shortestBegun && known.startsWith(stranger)) {
        slips = 0;
        wrong = known.length - stranger.length;
      } else if (
        most > 0 &&
        known.length >= 4 &&
        Math.abs(known.length - stranger.length) <= most &&
        countBits(letters[word]! ^ wanted) <= 2 * most
      ) {
        wrong = countSlips(stranger, known, most);
        slips = wrong + (begins ? 0 : otherStart);
      }
      if (slips === Number.POSITIVE_INFINITY) continue;
      const isBetter =
        !best || slips < best.slips || (slips === best.slips && howCommon(word) > howCommon(best.word));
      if (isBetter) best = { word, slips, letters: wrong };
    }
    if (!best) return undefined;
    return { word: best.word, isSlip: stranger.length >= shortestSlipped && best.letters <= changed };
  };
}
