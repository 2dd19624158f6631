import type { NetworkWeights } from '../../src/occupations/titles/network.ts';
import type { FloatNetwork } from './train-network.ts';

/** Steps of a row, and what a step is worth: the largest value is `most` steps. */
function roundRow(row: Float32Array, most: number): { steps: number[]; scale: number } {
  const largest = row.reduce((best, value) => Math.max(best, Math.abs(value)), 0);
  const scale = Math.fround(largest / most) || 1;
  return {
    steps: Array.from(row, (value) => Math.max(-most, Math.min(most, Math.round(value / scale)))),
    scale,
  };
}

/** Rounds a network to 4 bits an input value and 8 bits an output value, with a scale a row. */
export function roundNetwork({ inputs, outputs, biases }: FloatNetwork): Omit<NetworkWeights, 'width'> {
  const width = outputs.length / biases.length;
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
