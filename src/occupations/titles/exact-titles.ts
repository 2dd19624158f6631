import { startOf, type TitleIndex } from './title-index.ts';

function toHash(words: ArrayLike<number>): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < words.length; at += 1)
    hash = Math.imul(hash ^ words[at]!, 0x01000193) ^ (hash >>> 15);
  return hash >>> 0;
}

/** Makes a function that finds the entry of an index that has these words and no others, told by number, or -1. */
export function createLookup({ wordEnds, words }: TitleIndex) {
  const size = 2 ** Math.ceil(Math.log2(wordEnds.length * 2 + 1));
  const table = new Int32Array(size).fill(-1);
  const wordsOf = (entry: number) => words.subarray(startOf(wordEnds, entry), wordEnds[entry]);
  for (let entry = 0; entry < wordEnds.length; entry += 1) {
    let at = toHash(wordsOf(entry)) % size;
    while (table[at] !== -1) at = (at + 1) % size;
    table[at] = entry;
  }
  return (numbers: readonly number[]): number => {
    const wanted = numbers.toSorted((a, b) => a - b);
    for (let at = toHash(wanted) % size; table[at] !== -1; at = (at + 1) % size) {
      const found = wordsOf(table[at]!);
      if (found.length === wanted.length && wanted.every((word, place) => found[place] === word))
        return table[at]!;
    }
    return -1;
  };
}
