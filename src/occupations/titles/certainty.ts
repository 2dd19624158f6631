import * as v from 'valibot';

/** How a share becomes a chance: the parameters of a logistic function, fitted where the right codes are known. */
const Logistic = v.strictObject({ intercept: v.number(), slope: v.number() });
export type Logistic = v.InferOutput<typeof Logistic>;

/** How shares become chances, of first hits and of all others: content/titles/calibration.json. */
export const Calibration = v.strictObject({ first: Logistic, others: Logistic });
export type Calibration = v.InferOutput<typeof Calibration>;

/** How sure a search is of its first hit. */
export const certainties = ['sure', 'likely', 'unsure'] as const;
export type Certainty = (typeof certainties)[number];

/** Confidence from which on a hit is sure, and likely. */
const least = { sure: 0.84, likely: 0.45 } as const;

export const toLogit = (share: number) => {
  const inside = Math.min(1 - 1e-6, Math.max(1e-6, share));
  return Math.log(inside / (1 - inside));
};

/** The chance, 0 to 1, that an occupation with this share of the ranking is right (Platt scaling). */
export function toChance(share: number, { intercept, slope }: Logistic): number {
  return 1 / (1 + Math.exp(-(intercept + slope * toLogit(share))));
}

/** The share of the ranking that has a chance: the inverse of `toChance`. */
export function toShare(chance: number, { intercept, slope }: Logistic): number {
  return 1 / (1 + Math.exp(-(toLogit(chance) - intercept) / slope));
}

/** What a certainty depends on beside the confidence. */
interface Reading {
  /** Whether every word was known as it was written. */
  isRead: boolean;
  /** Whether the title means one occupation alone. */
  isClear: boolean;
  /** Whether the main word was guessed. */
  isGuess: boolean;
}

/** Only a title that was read, and is clear, is sure. One whose main word was guessed is never more than unsure. */
export function rateCertainty(confidence: number, { isRead, isClear, isGuess }: Reading): Certainty {
  if (isGuess) return 'unsure';
  if (confidence >= least.sure && isRead && isClear) return 'sure';
  return confidence >= least.likely ? 'likely' : 'unsure';
}
