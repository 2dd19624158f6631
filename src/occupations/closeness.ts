import type { ClosenessTable } from './closeness-table.ts';

/**
 * How close two occupations are, in hundredths: 100 for a code and itself, 0 to 99 for two codes, the same both
 * ways round. 0 is unrelated, and what a code that is none of the table has to all others.
 */
export type Closeness = (a: string, b: string) => number;

/** Makes the function from the table and the codes that it was made for, in their order. */
export function createCloseness(codes: readonly string[], table: ClosenessTable): Closeness {
  const size = codes.length;
  const places = new Map(codes.map((code, place) => [code, place]));
  const pairs = new Uint8Array(size * size);
  for (const [place, row] of table.entries()) {
    let other = place;
    for (let at = 0; at < row.length; at += 2) {
      other += row[at]!;
      pairs[place * size + other] = row[at + 1]!;
      pairs[other * size + place] = row[at + 1]!;
    }
  }
  return (a, b) => {
    if (a === b) return 100;
    const [one, other] = [places.get(a), places.get(b)];
    return one === undefined || other === undefined ? 0 : pairs[one * size + other]!;
  };
}
