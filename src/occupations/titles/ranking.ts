import { createBm25 } from './bm25.ts';
import { toFeatures } from './features.ts';
import { createNearest, type Nearest } from './nearest-titles.ts';
import { createNetwork, type NetworkWeights } from './network.ts';
import { type TitleIndex, toPostings } from './title-index.ts';

/** What each part counts beside the network's log-probability. */
const nearestWeight = 0.8;
const bm25Weight = 2.5;
/** The parts repeat each other: together they are surer than they are right. */
const temper = 0.35;

/** How some words stand to the occupations. The arrays are overwritten by the next question. */
interface Ranking extends Nearest {
  /** The chance of each occupation as far as the parts together tell: they sum to 1. */
  shares: Float32Array;
  /** How many of the words the titles of each occupation have. */
  counts: Uint8Array;
}

/** Everything that ranking goes by. */
export type RankingArrays = TitleIndex & Omit<NetworkWeights, 'width'> & { features: Uint32Array };

/** Puts network, nearest titles and BM25 together: a function of words, and the numbers of those that some title has. */
export function createRanking(arrays: RankingArrays, wordCount: number) {
  const count = arrays.biases.length;
  const width = arrays.outputs.length / count;
  const network = createNetwork({ ...arrays, width });
  const postings = toPostings(arrays, wordCount);
  const nearest = createNearest(arrays, postings, count);
  const bm25 = createBm25(arrays, postings, count);
  const shares = new Float32Array(count);
  const votes = new Float32Array(count);
  const ratings = new Float32Array(count);
  const counts = new Uint8Array(count);

  return (words: readonly string[], numbers: readonly number[]): Ranking => {
    network(toFeatures(words, arrays.features), shares);
    const found = nearest(numbers, votes);
    bm25(numbers, ratings, counts);
    let best = Number.NEGATIVE_INFINITY;
    for (let one = 0; one < count; one += 1) {
      shares[one]! += nearestWeight * votes[one]! + bm25Weight * ratings[one]!;
      if (shares[one]! > best) best = shares[one]!;
    }
    let sum = 0;
    for (let one = 0; one < count; one += 1) {
      shares[one] = Math.exp(temper * (shares[one]! - best));
      sum += shares[one]!;
    }
    for (let one = 0; one < count; one += 1) shares[one]! /= sum;
    return { ...found, shares, counts };
  };
}
