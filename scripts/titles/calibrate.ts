import { type Logistic, toLogit } from '../../src/occupations/titles/certainty.ts';

/** A hit: its share of the ranking, and whether it was right. */
interface Trial {
  share: number;
  isRight: boolean;
}

const steps = 20;

/** Fits the chance that a hit is right to its share, by Newton's method on the likelihood (Platt scaling). */
export function calibrate(trials: readonly Trial[]): Logistic {
  let [intercept, slope] = [0, 1];
  for (let step = 0; step < steps; step += 1) {
    let [a, b, aa, ab, bb] = [0, 0, 1e-9, 0, 1e-9];
    for (const { share, isRight } of trials) {
      const logit = toLogit(share);
      const chance = 1 / (1 + Math.exp(-(intercept + slope * logit)));
      const error = chance - Number(isRight);
      const weight = chance * (1 - chance);
      a += error;
      b += error * logit;
      aa += weight;
      ab += weight * logit;
      bb += weight * logit * logit;
    }
    const determinant = aa * bb - ab * ab;
    intercept -= (bb * a - ab * b) / determinant;
    slope -= (aa * b - ab * a) / determinant;
  }
  const round = (value: number) => Math.round(value * 10_000) / 10_000;
  return { intercept: round(intercept), slope: round(slope) };
}
