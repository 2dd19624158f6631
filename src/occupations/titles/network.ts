import { fnv1a, fnvStart } from '../../kernel/entity-tag.ts';

/** A linear network of low rank: each input is a short vector, a title is their sum, and each occupation weighs that. */
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

/** Makes a function that writes into `scores` the logarithm of each occupation's chance, plus one constant for all. */
export function createNetwork({ width, inputs, inputScales, outputs, outputScales, biases }: NetworkWeights) {
  const count = biases.length;
  const half = width / 2;
  // Doubles, since each number of a Float32Array is turned into one whenever it is read.
  const vector = new Float64Array(width);
  /** Of four rows in turn the first weight, then their second ones, and so on; rows of 0 where there are no more. */
  const weights = new Float64Array(Math.ceil(count / 4) * 4 * width);
  for (let at = 0; at < outputs.length; at += 1) {
    const [row, column] = [Math.floor(at / width), at % width];
    const group = row - (row % 4);
    weights[group * width + column * 4 + (row % 4)] = outputs[at]! * outputScales[row]!;
  }

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
    // Side by side, four rows take half as long as one at a time. A named constant in place of 4 adds half to that.
    for (let row = 0, at = 0; row < count; row += 4) {
      let [a, b, c, d] = [0, 0, 0, 0];
      for (let column = 0; column < width; column += 1, at += 4) {
        const value = vector[column]!;
        a += weights[at]! * value;
        b += weights[at + 1]! * value;
        c += weights[at + 2]! * value;
        d += weights[at + 3]! * value;
      }
      // What is written behind the last place of an array is dropped.
      scores[row] = a + biases[row]!;
      scores[row + 1] = b + biases[row + 1]!;
      scores[row + 2] = c + biases[row + 2]!;
      scores[row + 3] = d + biases[row + 3]!;
    }
  };
}

/** What a network is shown of a title: which of its inputs, and how strongly. The squares of the strengths sum to 1. */
export interface Features {
  inputs: number[];
  strengths: number[];
}

/** Inputs that pieces of words share by their hash. */
export const pieceCount = 16_384;
const pieceStrength = 0.4;

/** FNV-1a, mixed once more so that its low bits are good. */
function hashText(text: string, seed: number): number {
  const sum = fnv1a(text, fnvStart ^ seed);
  const hash = Math.imul(sum ^ (sum >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}

const hashPair = (first: string, second: string) => hashText(`${first} ${second}`, 3);

/** Hashes of the words of a title, of the pairs that stand side by side, and of the word at its end. */
export function hashWords(words: readonly string[]): { single: number[]; pairs: number[] } {
  const single = words.map((word) => hashText(word, 1));
  const last = words.at(-1);
  if (last !== undefined) single.push(hashText(last, 2));
  const pairs = words.slice(1).map((word, before) => hashPair(words[before]!, word));
  return { single, pairs };
}

/** The inputs of the three and four letters in turn of `<word>`. */
function hashPieces(word: string): number[] {
  const text = `<${word}>`;
  const pieces: number[] = [];
  for (let length = 3; length <= 4; length += 1)
    for (let at = 0; at + length <= text.length; at += 1)
      pieces.push(hashText(text.slice(at, at + length), 4) % pieceCount);
  return pieces;
}

/** The place of a number in an ascending list, or -1. */
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

/** Whether the network knows two words side by side. `known` ascends, and has a pair that several titles have. */
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

/** The inputs of a title: of words and pairs whose hash is in `known`, which ascends, then of pieces of its words. */
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
