import type { Features } from './features.ts';

/**
 * A linear network of low rank: each input is a short vector, the strongest of them sum up to that of a title, and
 * each occupation weighs it.
 */
export interface NetworkWeights {
  /** Length of a vector; even. */
  width: number;
  /** Two steps from -8 to 7 a byte, `width` steps an input. */
  inputs: Uint8Array;
  /** What a step is worth, an input. */
  inputScales: Float32Array;
  /** `width` steps an occupation. */
  outputs: Int8Array;
  outputScales: Float32Array;
  biases: Float32Array;
}

/** Makes a function that writes the log-probability of each occupation into `scores`. */
export function createNetwork({ width, inputs, inputScales, outputs, outputScales, biases }: NetworkWeights) {
  const count = biases.length;
  const half = width / 2;
  const vector = new Float32Array(width);
  const weights = Float32Array.from(outputs, (step, at) => step * outputScales[Math.floor(at / width)]!);

  function embed(features: Features): void {
    vector.fill(0);
    for (const [at, input] of features.inputs.entries()) {
      const scale = features.strengths[at]! * inputScales[input]!;
      const start = input * half;
      for (let byte = 0; byte < half; byte += 1) {
        const both = inputs[start + byte]!;
        vector[2 * byte]! += scale * ((both & 15) - 8);
        vector[2 * byte + 1]! += scale * ((both >> 4) - 8);
      }
    }
  }

  return (features: Features, scores: Float32Array): void => {
    embed(features);
    toLogits(vector, weights, biases, scores);
    let sum = 0;
    let best = Number.NEGATIVE_INFINITY;
    for (let one = 0; one < count; one += 1) if (scores[one]! > best) best = scores[one]!;
    for (let one = 0; one < count; one += 1) sum += Math.exp(scores[one]! - best);
    const all = best + Math.log(sum);
    for (let one = 0; one < count; one += 1) scores[one]! -= all;
  };
}

/** Writes into `logits` how strongly each row of `weights` answers to a vector: four sums at a time, which is faster. */
export function toLogits(
  vector: Float32Array,
  weights: Float32Array,
  biases: Float32Array,
  logits: Float32Array,
): void {
  const width = vector.length;
  for (let row = 0, at = 0; row < biases.length; row += 1) {
    let [a, b, c, d] = [biases[row]!, 0, 0, 0];
    for (let column = 0; column < width; column += 4, at += 4) {
      a += weights[at]! * vector[column]!;
      b += weights[at + 1]! * vector[column + 1]!;
      c += weights[at + 2]! * vector[column + 2]!;
      d += weights[at + 3]! * vector[column + 3]!;
    }
    logits[row] = a + b + c + d;
  }
}
