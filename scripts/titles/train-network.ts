import {
  type Features,
  type NetworkWeights,
  normaliseStrengths,
} from '../../src/occupations/titles/network.ts';

/** Parameters of the training. The guide to the search says what else was tried. */
export const width = 96;
const epochs = 6;
const inputRate = 0.2;
const outputRate = 0.1;
/** The shares of the inputs, and of the values of a vector, that are left out at random. */
const inputDropout = 0.3;
const hiddenDropout = 0.1;
const seed = 1;

/** Creates a function that returns numbers from 0 to below 1, the same ones for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Rounds a row to whole steps, and returns the size of a step. The largest value has `most` steps. */
function roundRow(row: Float32Array, most: number): { steps: number[]; scale: number } {
  const largest = row.reduce((best, value) => Math.max(best, Math.abs(value)), 0);
  const scale = Math.fround(largest / most) || 1;
  return {
    steps: Array.from(row, (value) => Math.max(-most, Math.min(most, Math.round(value / scale)))),
    scale,
  };
}

/** Rounds a network to 4 bits per input value and 8 bits per output value, with one scale per row. */
export function roundNetwork(network: ReturnType<typeof trainNetwork>): Omit<NetworkWeights, 'width'> {
  const { inputs, outputs, biases } = network;
  const rowsOf = (values: Float32Array, most: number) =>
    Array.from({ length: values.length / width }, (_, row) =>
      roundRow(values.subarray(row * width, (row + 1) * width), most),
    );
  const inputRows = rowsOf(inputs, 7);
  const outputRows = rowsOf(outputs, 127);
  const packed = new Uint8Array(inputs.length / 2);
  for (const [row, { steps }] of inputRows.entries())
    for (let column = 0; column < width; column += 2)
      packed[(row * width + column) / 2] = (steps[column]! + 8) | ((steps[column + 1]! + 8) << 4);
  return {
    inputs: packed,
    inputScales: Float32Array.from(inputRows, ({ scale }) => scale),
    outputs: Int8Array.from(outputRows.flatMap(({ steps }) => steps)),
    outputScales: Float32Array.from(outputRows, ({ scale }) => scale),
    biases,
  };
}

/** A title to learn from. */
export interface Example {
  features: Features;
  occupations: number[];
  /** The shares of the occupations. Absent if the title means one of them and the network has to find out which. */
  shares?: number[];
  weight: number;
}

/** Errors smaller than this are skipped, because they do not change the rounded network. */
const least = 1e-4;
const epsilon = 1e-6;

const toMeanSquare = (vector: Float32Array) =>
  vector.reduce((sum, value) => sum + value * value, 0) / vector.length;

/** Returns the wanted shares of a title's occupations, from the network's present probabilities if they are unknown. */
function toShares({ occupations, shares }: Example, probabilities: Float32Array): number[] {
  if (shares) return shares;
  const sum = occupations.reduce((total, occupation) => total + probabilities[occupation]!, 1e-12);
  return occupations.map((occupation) => probabilities[occupation]! / sum);
}

/** Writes the product of each row of `outputs` and `vector` into `logits`. Four sums at a time are faster than one. */
function computeLogits(
  { outputs, biases }: { outputs: Float32Array; biases: Float32Array },
  vector: Float32Array,
  logits: Float32Array,
): void {
  for (let row = 0, at = 0; row < logits.length; row += 1) {
    let [a, b, c, d] = [biases[row]!, 0, 0, 0];
    for (let column = 0; column < width; column += 4, at += 4) {
      a += outputs[at]! * vector[column]!;
      b += outputs[at + 1]! * vector[column + 1]!;
      c += outputs[at + 2]! * vector[column + 2]!;
      d += outputs[at + 3]! * vector[column + 3]!;
    }
    logits[row] = a + b + c + d;
  }
}

/** Turns logits into probabilities, in place. */
function softmax(logits: Float32Array): void {
  let best = logits[0]!;
  for (let row = 1; row < logits.length; row += 1) if (logits[row]! > best) best = logits[row]!;
  let sum = 0;
  for (let row = 0; row < logits.length; row += 1) {
    const power = Math.exp(logits[row]! - best);
    logits[row] = power;
    sum += power;
  }
  for (let row = 0; row < logits.length; row += 1) logits[row]! /= sum;
}

/** The inputs of one example that are not left out, and their strengths. */
interface KeptInputs {
  inputsKept: number[];
  strengths: number[];
}

/** A network while it is trained. */
class Trainer {
  readonly inputs: Float32Array;
  readonly outputs: Float32Array;
  readonly biases: Float32Array;
  readonly #random: () => number;
  readonly #inputSums: Float32Array;
  readonly #outputSums: Float32Array;
  readonly #biasSums: Float32Array;
  readonly #vector = new Float32Array(width);
  readonly #mask = new Float32Array(width);
  readonly #gradient = new Float32Array(width);
  readonly #logits: Float32Array;

  constructor(inputCount: number, outputCount: number, random: () => number) {
    this.#random = random;
    this.inputs = Float32Array.from(
      { length: inputCount * width },
      () => ((random() - 0.5) * 2) / Math.sqrt(width),
    );
    this.outputs = new Float32Array(outputCount * width);
    this.biases = new Float32Array(outputCount);
    this.#inputSums = new Float32Array(inputCount);
    this.#outputSums = new Float32Array(outputCount);
    this.#biasSums = new Float32Array(outputCount);
    this.#logits = new Float32Array(outputCount);
  }

  /** Learns from one example. `left` is the part of the training that is left, from 1 down to 0. */
  learn(example: Example, left: number): void {
    const found = this.#dropInputs(example.features);
    if (found.inputsKept.length === 0) return;
    this.#computeVector(found);
    const logits = this.#logits;
    computeLogits(this, this.#vector, logits);
    softmax(logits);
    const shares = toShares(example, logits);
    for (let at = 0; at < shares.length; at += 1) logits[example.occupations[at]!]! -= shares[at]!;
    this.#learnOutputs(example.weight, left);
    this.#learnInputs(found, left);
  }

  #dropInputs(features: Features): KeptInputs {
    const inputsKept: number[] = [];
    const strengths: number[] = [];
    for (let at = 0; at < features.inputs.length; at += 1) {
      if (this.#random() < inputDropout) continue;
      inputsKept.push(features.inputs[at]!);
      strengths.push(features.strengths[at]!);
    }
    if (inputsKept.length > 0) normaliseStrengths(strengths);
    return { inputsKept, strengths };
  }

  #computeVector({ inputsKept, strengths }: KeptInputs): void {
    const [vector, mask, inputs] = [this.#vector, this.#mask, this.inputs];
    vector.fill(0);
    for (let at = 0; at < inputsKept.length; at += 1) {
      const strength = strengths[at]!;
      for (let column = 0, from = inputsKept[at]! * width; column < width; column += 1, from += 1)
        vector[column]! += strength * inputs[from]!;
    }
    for (let column = 0; column < width; column += 1) {
      mask[column] = this.#random() < hiddenDropout ? 0 : 1 / (1 - hiddenDropout);
      vector[column]! *= mask[column]!;
    }
  }

  #learnOutputs(weight: number, left: number): void {
    const [vector, gradient, outputs, biases] = [this.#vector, this.#gradient, this.outputs, this.biases];
    const [logits, outputSums, biasSums] = [this.#logits, this.#outputSums, this.#biasSums];
    const square = toMeanSquare(vector);
    gradient.fill(0);
    for (let row = 0; row < logits.length; row += 1) {
      const error = logits[row]! * weight;
      if (error < least && error > -least) continue;
      outputSums[row]! += error * error * square;
      biasSums[row]! += error * error;
      const rate = (outputRate * left * error) / Math.sqrt(outputSums[row]! + epsilon);
      for (let column = 0, at = row * width; column < width; column += 1, at += 1) {
        gradient[column]! += error * outputs[at]!;
        outputs[at]! -= rate * vector[column]!;
      }
      biases[row]! -= (outputRate * left * error) / Math.sqrt(biasSums[row]! + epsilon);
    }
  }

  #learnInputs({ inputsKept, strengths }: KeptInputs, left: number): void {
    const [gradient, mask, inputs, inputSums] = [this.#gradient, this.#mask, this.inputs, this.#inputSums];
    for (let column = 0; column < width; column += 1) gradient[column]! *= mask[column]!;
    const size = toMeanSquare(gradient);
    for (let at = 0; at < inputsKept.length; at += 1) {
      const input = inputsKept[at]!;
      const strength = strengths[at]!;
      inputSums[input]! += strength * strength * size;
      const rate = (inputRate * left * strength) / Math.sqrt(inputSums[input]! + epsilon);
      for (let column = 0, to = input * width; column < width; column += 1, to += 1)
        inputs[to]! -= rate * gradient[column]!;
    }
  }
}

/**
 * Trains a network by stochastic gradient descent on the cross-entropy of a softmax, one example at a time. It uses
 * Adagrad with one accumulator per row, and a rate that falls linearly to 0. The same examples give the same network.
 */
export function trainNetwork(examples: readonly Example[], inputCount: number, outputCount: number) {
  const random = createRandom(seed);
  const trainer = new Trainer(inputCount, outputCount, random);
  const order = Uint32Array.from(examples, (_, at) => at);
  const steps = epochs * examples.length;
  for (let step = 0; step < steps; step += 1) {
    const place = step % examples.length;
    if (place === 0) shuffle(order, random);
    trainer.learn(examples[order[place]!]!, 1 - step / steps);
  }
  const { inputs, outputs, biases } = trainer;
  return { inputs, outputs, biases };
}

function shuffle(order: Uint32Array, random: () => number): void {
  for (let last = order.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [order[last], order[other]] = [order[other]!, order[last]!];
  }
}
