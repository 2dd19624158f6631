import { type Postings, startOf, type TitleIndex } from './title-index.ts';

const k1 = 1.2;
const b = 0.75;

/**
 * Makes a function that writes into `scores` what BM25 says of each occupation, all its titles as one document, divided
 * by the best, and into `counts` how many of the words it has.
 */
export function createBm25(
  index: TitleIndex,
  { starts: entryStarts, entries }: Postings,
  occupationCount: number,
) {
  const { wordEnds, ownerEnds, owners } = index;
  const wordCount = entryStarts.length - 1;
  const lengths = new Uint32Array(occupationCount);
  let pairs = 0;
  for (let entry = 0; entry < wordEnds.length; entry += 1) {
    const size = wordEnds[entry]! - startOf(wordEnds, entry);
    for (let at = startOf(ownerEnds, entry); at < ownerEnds[entry]!; at += 1) lengths[owners[at]!]! += size;
    pairs += size * (ownerEnds[entry]! - startOf(ownerEnds, entry));
  }
  const average = lengths.reduce((sum, length) => sum + length, 0) / occupationCount;
  const starts = new Uint32Array(wordCount + 1);
  const having = new Uint16Array(pairs);
  const ratings = new Float32Array(pairs);
  const often = new Uint16Array(occupationCount);
  let end = 0;
  for (let word = 0; word < wordCount; word += 1) {
    const start = end;
    for (let place = entryStarts[word]!; place < entryStarts[word + 1]!; place += 1) {
      const entry = entries[place]!;
      for (let at = startOf(ownerEnds, entry); at < ownerEnds[entry]!; at += 1) {
        const occupation = owners[at]!;
        if (often[occupation] === 0) having[end++] = occupation;
        often[occupation]! += 1;
      }
    }
    const rarity = Math.log(1 + (occupationCount - (end - start) + 0.5) / (end - start + 0.5));
    for (let at = start; at < end; at += 1) {
      const times = often[having[at]!]!;
      ratings[at] =
        (rarity * times * (k1 + 1)) / (times + k1 * (1 - b + (b * lengths[having[at]!]!) / average));
      often[having[at]!] = 0;
    }
    starts[word + 1] = end;
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
