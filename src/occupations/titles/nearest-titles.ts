import { type Postings, startOf, type TitleIndex } from './title-index.ts';

/** The title nearest to a question by occupation. The arrays are overwritten by the next question. */
export interface Nearest {
  /** Cosine of the nearest title of each occupation; 0 where none voted. */
  similarities: Float32Array;
  /** That title's number. */
  titles: Uint16Array;
}

const mostVotes = 100;
const bins = 256;
/** Added to the share of each occupation, so that none is impossible. */
const floor = 1e-3;
const leastLog = Math.log(floor);

/**
 * Makes a function that writes into `scores` how far the titles nearest to some words, told by number, vote for each
 * occupation, as the logarithm of a share. Words weigh by their rarity, ln(1 + N / n); the hundred nearest by the
 * cosine vote, each with its similarity to the sixth power.
 */
export function createNearest(index: TitleIndex, { starts, entries }: Postings, occupationCount: number) {
  const { wordEnds, words, ownerEnds, owners, weights } = index;
  const similarities = new Float32Array(occupationCount);
  const titles = new Uint16Array(occupationCount);
  const count = wordEnds.length;
  const rarity = Float32Array.from({ length: starts.length - 1 }, (_, word) =>
    Math.log(1 + count / Math.max(1, starts[word + 1]! - starts[word]!)),
  );
  const scales = new Float32Array(count);
  for (let entry = 0, at = 0; entry < count; entry += 1) {
    let sum = 0;
    for (; at < wordEnds[entry]!; at += 1) sum += rarity[words[at]!]! ** 2;
    scales[entry] = 1 / Math.sqrt(sum);
  }
  const sums = new Float32Array(count);
  const touched = new Uint32Array(count);
  const histogram = new Uint32Array(bins + 1);

  /** The similarity that the best hundred have at least. */
  function toThreshold(): number {
    let seen = 0;
    for (let bin = bins; bin > 0; bin -= 1) {
      seen += histogram[bin]!;
      if (seen >= mostVotes) return bin / bins;
    }
    return 0;
  }

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
    const threshold = toThreshold();
    let all = 0;
    for (let at = 0; at < used; at += 1) {
      const entry = touched[at]!;
      const similarity = sums[entry]!;
      sums[entry] = 0;
      if (similarity < threshold) continue;
      const vote = similarity ** 6 / 255;
      for (let owner = startOf(ownerEnds, entry); owner < ownerEnds[entry]!; owner += 1) {
        const occupation = owners[owner]!;
        scores[occupation]! += vote * weights[owner]!;
        all += vote * weights[owner]!;
        if (similarity > similarities[occupation]!) {
          similarities[occupation] = similarity;
          titles[occupation] = index.titles[owner]!;
        }
      }
    }
    for (let one = 0; one < occupationCount; one += 1) {
      scores[one] = scores[one] === 0 ? leastLog : Math.log(scores[one]! / all + floor);
    }
    return { similarities, titles };
  };
}
