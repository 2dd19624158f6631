import type { TitleIndex } from './title-index.ts';

const k1 = 1.2;
const b = 0.75;

/**
 * Makes a function that writes into `scores` what BM25 says of each occupation, all its titles as one document, divided
 * by the best, and into `counts` how many of the words it has.
 */
export function createBm25(index: TitleIndex, wordCount: number, occupationCount: number) {
  const { wordEnds, words, ownerEnds, owners } = index;
  const documents = Array.from({ length: wordCount }, () => new Map<number, number>());
  const lengths = new Float64Array(occupationCount);
  for (let entry = 0, at = 0, owner = 0; entry < wordEnds.length; entry += 1) {
    for (const first = at; owner < ownerEnds[entry]!; owner += 1) {
      const occupation = owners[owner]!;
      for (at = first; at < wordEnds[entry]!; at += 1) {
        const document = documents[words[at]!]!;
        document.set(occupation, (document.get(occupation) ?? 0) + 1);
        lengths[occupation]! += 1;
      }
    }
  }
  const average = lengths.reduce((sum, length) => sum + length, 0) / occupationCount;
  const starts = new Uint32Array(wordCount + 1);
  for (const [word, { size }] of documents.entries()) starts[word + 1] = starts[word]! + size;
  const having = new Uint16Array(starts[wordCount]!);
  const ratings = new Float32Array(starts[wordCount]!);
  for (const [word, document] of documents.entries()) {
    let at = starts[word]!;
    const rarity = Math.log(1 + (occupationCount - document.size + 0.5) / (document.size + 0.5));
    for (const [occupation, often] of document) {
      having[at] = occupation;
      ratings[at] =
        (rarity * often * (k1 + 1)) / (often + k1 * (1 - b + (b * lengths[occupation]!) / average));
      at += 1;
    }
  }

  return (query: readonly number[], scores: Float32Array, counts: Uint8Array): void => {
    scores.fill(0);
    counts.fill(0);
    let best = 0;
    for (const word of query) {
      for (let at = starts[word]!; at < starts[word + 1]!; at += 1) {
        const occupation = having[at]!;
        scores[occupation]! += ratings[at]!;
        counts[occupation]! += 1;
        if (scores[occupation]! > best) best = scores[occupation]!;
      }
    }
    if (best > 0) for (let one = 0; one < occupationCount; one += 1) scores[one]! /= best;
  };
}
