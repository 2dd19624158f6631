import { createNetwork, encodeTitle, type NetworkWeights } from './network.ts';
import type { Postings, TitleIndex } from './title-index.ts';

/** The weights of the other parts, relative to the network's log-probability. */
const nearestWeight = 0.8;
const bm25Weight = 2.5;
/** Softens the sum, because the parts overlap and are together surer than they are right. */
const temper = 0.35;

/** The ranking of the occupations for some words. The next search overwrites the arrays. */
interface Ranking extends Nearest {
  /** The share of each occupation by all parts together. Shares sum to 1. */
  shares: Float32Array;
  /** How many of the words occur in the titles of each occupation. */
  counts: Uint8Array;
}

/** The arrays that ranking reads. */
export type RankingArrays = TitleIndex & Omit<NetworkWeights, 'width'> & { features: Uint32Array };

/**
 * Creates a function that ranks the occupations by the network, the nearest titles and BM25. It takes the words of a
 * title, and the numbers of those that some title has.
 */
export function createRanking(arrays: RankingArrays, postings: Postings) {
  const count = arrays.biases.length;
  const width = arrays.outputs.length / count;
  const network = createNetwork({ ...arrays, width });
  const nearest = createNearest(arrays, postings, count);
  const bm25 = createBm25(arrays, postings, count);
  const shares = new Float32Array(count);
  const votes = new Float32Array(count);
  const ratings = new Float32Array(count);
  const counts = new Uint8Array(count);

  return (words: readonly string[], numbers: readonly number[]): Ranking => {
    network(encodeTitle(words, arrays.features), shares);
    const nearestTitles = nearest(numbers, votes);
    bm25(numbers, ratings, counts);
    let best = Number.NEGATIVE_INFINITY;
    for (let occupation = 0; occupation < count; occupation += 1) {
      shares[occupation]! += nearestWeight * votes[occupation]! + bm25Weight * ratings[occupation]!;
      if (shares[occupation]! > best) best = shares[occupation]!;
    }
    let sum = 0;
    for (let occupation = 0; occupation < count; occupation += 1) {
      shares[occupation] = Math.exp(temper * (shares[occupation]! - best));
      sum += shares[occupation]!;
    }
    for (let occupation = 0; occupation < count; occupation += 1) shares[occupation]! /= sum;
    return { ...nearestTitles, shares, counts };
  };
}

const k1 = 1.2;
const b = 0.75;

/**
 * Creates a function that writes the BM25 score of each occupation into `scores`, divided by the best score. All titles
 * of an occupation are one document. `counts` gets how many of the words each occupation has.
 */
function createBm25(index: TitleIndex, { starts: entryStarts, entries }: Postings, occupationCount: number) {
  const { wordStarts, ownerStarts, owners } = index;
  const wordCount = entryStarts.length - 1;
  const lengths = new Uint32Array(occupationCount);
  let pairs = 0;
  for (let entry = 0; entry < wordStarts.length - 1; entry += 1) {
    const size = wordStarts[entry + 1]! - wordStarts[entry]!;
    const [from, to] = [ownerStarts[entry]!, ownerStarts[entry + 1]!];
    for (let at = from; at < to; at += 1) lengths[owners[at]!]! += size;
    pairs += size * (to - from);
  }
  const average = lengths.reduce((sum, length) => sum + length, 0) / occupationCount;
  const starts = new Uint32Array(wordCount + 1);
  const occupations = new Uint16Array(pairs);
  const ratings = new Float32Array(pairs);
  const timesByOccupation = new Uint16Array(occupationCount);
  let end = 0;
  for (let word = 0; word < wordCount; word += 1) {
    const start = end;
    for (let place = entryStarts[word]!; place < entryStarts[word + 1]!; place += 1) {
      const entry = entries[place]!;
      for (let at = ownerStarts[entry]!; at < ownerStarts[entry + 1]!; at += 1) {
        const occupation = owners[at]!;
        if (timesByOccupation[occupation] === 0) occupations[end++] = occupation;
        timesByOccupation[occupation]! += 1;
      }
    }
    const rarity = Math.log(1 + (occupationCount - (end - start) + 0.5) / (end - start + 0.5));
    for (let at = start; at < end; at += 1) {
      const times = timesByOccupation[occupations[at]!]!;
      ratings[at] =
        (rarity * times * (k1 + 1)) / (times + k1 * (1 - b + (b * lengths[occupations[at]!]!) / average));
      timesByOccupation[occupations[at]!] = 0;
    }
    starts[word + 1] = end;
  }

  return (query: readonly number[], scores: Float32Array, counts: Uint8Array): void => {
    scores.fill(0);
    counts.fill(0);
    let best = 0;
    for (const word of query) {
      for (let at = starts[word]!; at < starts[word + 1]!; at += 1) {
        const occupation = occupations[at]!;
        scores[occupation]! += ratings[at]!;
        counts[occupation]! += 1;
        if (scores[occupation]! > best) best = scores[occupation]!;
      }
    }
    if (best > 0)
      for (let occupation = 0; occupation < occupationCount; occupation += 1) scores[occupation]! /= best;
  };
}

/** The nearest title of each occupation. The next search overwrites the arrays. */
interface Nearest {
  /** The cosine of the nearest title of each occupation, or 0 if none voted. */
  similarities: Float32Array;
  /** The number of that title. */
  titles: Uint16Array;
}

const mostVotes = 100;
const bins = 256;
/** Added to each occupation's share of the votes, so that no occupation is impossible. */
const floor = 1e-3;
const leastLog = Math.log(floor);

/** Returns the lowest similarity that still votes, rounded down to a bin, so that at least a hundred titles vote. */
function findThreshold(histogram: Uint32Array): number {
  let seen = 0;
  for (let bin = bins; bin > 0; bin -= 1) {
    seen += histogram[bin]!;
    if (seen >= mostVotes) return bin / bins;
  }
  return 0;
}

/** What makes the vector of each title, its words weighed by their rarity, as long as 1. */
function computeScales({ wordStarts, words }: TitleIndex, rarity: Float32Array): Float32Array {
  const scales = new Float32Array(wordStarts.length - 1);
  for (let entry = 0, at = 0; entry < scales.length; entry += 1) {
    let sum = 0;
    for (; at < wordStarts[entry + 1]!; at += 1) sum += rarity[words[at]!]! ** 2;
    scales[entry] = 1 / Math.sqrt(sum);
  }
  return scales;
}

/**
 * Creates a function that writes into `scores` the logarithm of each occupation's share of the votes. The about hundred
 * titles nearest by cosine vote, each with its similarity to the sixth power. A word weighs its rarity, ln(1 + N / n).
 */
function createNearest(index: TitleIndex, { starts, entries }: Postings, occupationCount: number) {
  const { wordStarts, ownerStarts, owners, weights } = index;
  const similarities = new Float32Array(occupationCount);
  const titles = new Uint16Array(occupationCount);
  const count = wordStarts.length - 1;
  const rarity = Float32Array.from({ length: starts.length - 1 }, (_, word) =>
    Math.log(1 + count / Math.max(1, starts[word + 1]! - starts[word]!)),
  );
  const scales = computeScales(index, rarity);
  const sums = new Float32Array(count);
  const touched = new Uint32Array(count);
  const histogram = new Uint32Array(bins + 1);

  return (query: readonly number[], scores: Float32Array): Nearest => {
    scores.fill(0);
    similarities.fill(0);
    histogram.fill(0);
    let square = 0;
    for (const word of query) square += rarity[word]! ** 2;
    const scale = 1 / Math.sqrt(square || 1);
    let used = 0;
    for (const word of query) {
      const value = rarity[word]! ** 2 * scale;
      for (let at = starts[word]!; at < starts[word + 1]!; at += 1) {
        const entry = entries[at]!;
        if (sums[entry] === 0) touched[used++] = entry;
        sums[entry]! += value;
      }
    }
    for (let at = 0; at < used; at += 1) {
      const entry = touched[at]!;
      const similarity = sums[entry]! * scales[entry]!;
      sums[entry] = similarity;
      histogram[Math.min(bins, Math.floor(similarity * bins))]! += 1;
    }
    const threshold = findThreshold(histogram);
    let all = 0;
    for (let at = 0; at < used; at += 1) {
      const entry = touched[at]!;
      const similarity = sums[entry]!;
      sums[entry] = 0;
      if (similarity < threshold) continue;
      const vote = similarity ** 6 / 255;
      for (let owner = ownerStarts[entry]!; owner < ownerStarts[entry + 1]!; owner += 1) {
        const occupation = owners[owner]!;
        scores[occupation]! += vote * weights[owner]!;
        all += vote * weights[owner]!;
        if (similarity > similarities[occupation]!) {
          similarities[occupation] = similarity;
          titles[occupation] = index.titles[owner]!;
        }
      }
    }
    for (let occupation = 0; occupation < occupationCount; occupation += 1) {
      scores[occupation] = scores[occupation] === 0 ? leastLog : Math.log(scores[occupation]! / all + floor);
    }
    return { similarities, titles };
  };
}
