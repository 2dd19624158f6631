import { fnv1a, fnvStart } from '../../kernel/entity-tag.ts';

/**
 * A linear network of low rank. Each input is a short vector, and a title is the sum of its inputs' vectors.
 * Each occupation has a vector of weights for that sum.
 */
export interface NetworkWeights {
  /** The length of a vector, an even number. */
  width: number;
  /** `width` steps per input. A byte holds two steps, each from -8 to 7. */
  inputs: Uint8Array;
  /** The size of a step, per input. */
  inputScales: Float32Array;
  /** `width` steps per occupation. */
  outputs: Int8Array;
  outputScales: Float32Array;
  biases: Float32Array;
}

/** Creates a function that writes into `scores` the logarithm of each occupation's chance, plus a common constant. */
export function createNetwork({ width, inputs, inputScales, outputs, outputScales, biases }: NetworkWeights) {
  const count = biases.length;
  const half = width / 2;
  const quarter = Math.ceil(count / 4);
  // Doubles, because each read of a Float32Array would convert its number to one.
  const vector = new Float64Array(width);
  const weights = new Float64Array(4 * quarter * width);
  for (let at = 0; at < outputs.length; at += 1)
    weights[at] = outputs[at]! * outputScales[Math.floor(at / width)]!;
  const takeQuarter = (place: number) =>
    weights.subarray(place * quarter * width, (place + 1) * quarter * width);
  const [first, second, third, fourth] = [takeQuarter(0), takeQuarter(1), takeQuarter(2), takeQuarter(3)];

  function embed(features: Features): void {
    vector.fill(0);
    for (let at = 0; at < features.inputs.length; at += 1) {
      const input = features.inputs[at]!;
      const scale = features.strengths[at]! * inputScales[input]!;
      const start = input * half;
      for (let byte = 0; byte < half; byte += 1) {
        const twoSteps = inputs[start + byte]!;
        vector[2 * byte]! += scale * ((twoSteps & 15) - 8);
        vector[2 * byte + 1]! += scale * ((twoSteps >> 4) - 8);
      }
    }
  }

  return (features: Features, scores: Float32Array): void => {
    embed(features);
    // Four rows at once, one of each quarter, take half the time of one after the other.
    for (let row = 0, at = 0; row < quarter; row += 1) {
      let a = 0;
      let b = 0;
      let c = 0;
      let d = 0;
      for (let column = 0; column < width; column += 1, at += 1) {
        const value = vector[column]!;
        a += first[at]! * value;
        b += second[at]! * value;
        c += third[at]! * value;
        d += fourth[at]! * value;
      }
      // Writes beyond the end of a typed array have no effect.
      scores[row] = a + biases[row]!;
      scores[row + quarter] = b + biases[row + quarter]!;
      scores[row + 2 * quarter] = c + biases[row + 2 * quarter]!;
      scores[row + 3 * quarter] = d + biases[row + 3 * quarter]!;
    }
  };
}

/** The inputs of a title, and the strength of each. The squares of the strengths sum to 1. */
export interface Features {
  inputs: number[];
  strengths: number[];
}

/** The number of inputs for pieces of words. Pieces with the same hash share an input. */
export const pieceCount = 16_384;
const pieceStrength = 0.4;

/** Returns the FNV-1a hash, mixed once more so that its low bits are well distributed. */
function hashText(text: string, seed: number): number {
  const sum = fnv1a(text, fnvStart ^ seed);
  const hash = Math.imul(sum ^ (sum >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}

const hashPair = (first: string, second: string) => hashText(`${first} ${second}`, 3);

/** Returns the hashes of the words of a title, of its last word (as one of `single`), and of adjacent pairs. */
export function hashWords(words: readonly string[]): { single: number[]; pairs: number[] } {
  const single = words.map((word) => hashText(word, 1));
  const last = words.at(-1);
  if (last !== undefined) single.push(hashText(last, 2));
  const pairs = words.slice(1).map((word, before) => hashPair(words[before]!, word));
  return { single, pairs };
}

/** Returns the inputs of every three and four adjacent letters of `<word>`. */
function hashPieces(word: string): number[] {
  const text = `<${word}>`;
  const pieces: number[] = [];
  for (let length = 3; length <= 4; length += 1)
    for (let at = 0; at + length <= text.length; at += 1)
      pieces.push(hashText(text.slice(at, at + length), 4) % pieceCount);
  return pieces;
}

/** Returns the index of a number in an ascending list, or -1. */
function placeOf(list: Uint32Array, wanted: number): number {
  let [low, high] = [0, list.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = list[middle]!;
    if (found === wanted) return middle;
    if (found < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** Whether the network knows two words as a pair. `known` has the hashes of what it knows, ascending. */
export function isKnownPair(first: string, second: string, known: Uint32Array): boolean {
  return placeOf(known, hashPair(first, second)) >= 0;
}

/** Scales strengths so that their squares sum to 1. */
export function normaliseStrengths(strengths: number[]): void {
  let sum = 0;
  for (const strength of strengths) sum += strength * strength;
  const scale = 1 / Math.sqrt(sum || 1);
  for (let at = 0; at < strengths.length; at += 1) strengths[at]! *= scale;
}

/**
 * Returns the inputs of a title: first words and pairs whose hash is in `known`, then pieces of its words.
 * `known` is in ascending order.
 */
export function encodeTitle(words: readonly string[], known: Uint32Array): Features {
  const { single, pairs } = hashWords(words);
  const inputs = [...single, ...pairs].map((name) => placeOf(known, name)).filter((place) => place >= 0);
  const strengths = inputs.map(() => 1);
  for (const word of words)
    for (const piece of hashPieces(word)) {
      inputs.push(known.length + piece);
      strengths.push(pieceStrength);
    }
  normaliseStrengths(strengths);
  return { inputs, strengths };
}
