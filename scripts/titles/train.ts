import { packArrays } from '../../src/occupations/titles/arrays-file.ts';
import { createNetwork, pieceCount, toFeatures } from '../../src/occupations/titles/network.ts';
import { toWords } from '../../src/occupations/titles/words.ts';
import { occupationFacts as facts } from '../onet/occupation-facts.ts';
import { governmentTitles } from './read-titles.ts';
import { roundNetwork } from './round-network.ts';
import { toExamples } from './to-examples.ts';
import { type Recipe, trainNetwork } from './train-network.ts';

const recipe: Recipe = {
  width: 96,
  epochs: 6,
  inputRate: 0.2,
  outputRate: 0.1,
  inputDropout: 0.3,
  hiddenDropout: 0.1,
  seed: 1,
};

/** Shares below this are not kept. */
const leastShare = 0.05;

/** Trains on all titles but those withheld. Answers the bytes of a network file: what content/titles/network.bin is. */
export function train(isWithheld: (title: string) => boolean): Uint8Array {
  const { examples, features } = toExamples(isWithheld);
  const trained = trainNetwork(examples, features.length + pieceCount, facts.length, recipe);
  const rounded = roundNetwork(trained);
  const run = createNetwork({ ...rounded, width: recipe.width });
  const scores = new Float32Array(facts.length);
  const owners: number[] = [];
  const shares: number[] = [];
  const ends = governmentTitles.map(({ title, occupations }) => {
    run(toFeatures(toWords(title), features), scores);
    const chances = occupations.map((one) => Math.exp(scores[one]!));
    const sum = chances.reduce((total, chance) => total + chance, Number.MIN_VALUE);
    for (const [at, one] of occupations.entries()) {
      const share = occupations.length === 1 ? 1 : chances[at]! / sum;
      if (share < leastShare) continue;
      owners.push(one);
      shares.push(Math.round(255 * share));
    }
    return owners.length;
  });
  return packArrays({
    ...rounded,
    features,
    governmentEnds: Uint32Array.from(ends),
    governmentOwners: Uint16Array.from(owners),
    governmentShares: Uint8Array.from(shares),
  });
}
