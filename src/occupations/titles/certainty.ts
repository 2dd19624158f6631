import * as v from 'valibot';

/** Parameters of the logistic function that turns a share into a chance, fitted on titles whose codes are known. */
const Logistic = v.strictObject({ intercept: v.number(), slope: v.number() });
export type Logistic = v.InferOutput<typeof Logistic>;

/** content/titles/calibration.json: one logistic function for first hits, and one for all others. */
export const Calibration = v.strictObject({ first: Logistic, others: Logistic });
export type Calibration = v.InferOutput<typeof Calibration>;

/** How sure a search is of its first hit. */
export const certainties = ['sure', 'likely', 'unsure'] as const;
export type Certainty = (typeof certainties)[number];

/** The lowest confidence of a sure and of a likely hit. */
const least = { sure: 0.84, likely: 0.45 } as const;

export const toLogit = (share: number) => {
  const inside = Math.min(1 - 1e-6, Math.max(1e-6, share));
  return Math.log(inside / (1 - inside));
};

/** Returns the chance, 0 to 1, that an occupation with this share of the ranking is right (Platt scaling). */
export function toChance(share: number, { intercept, slope }: Logistic): number {
  return 1 / (1 + Math.exp(-(intercept + slope * toLogit(share))));
}

/** The inverse of `toChance`: returns the share of the ranking that has this chance. */
export function toShare(chance: number, { intercept, slope }: Logistic): number {
  return 1 / (1 + Math.exp(-(toLogit(chance) - intercept) / slope));
}

/** What a certainty depends on, in addition to the confidence. */
interface Reading {
  /** Whether every word was known as written. */
  isRead: boolean;
  /** Whether the title means only one occupation. */
  isClear: boolean;
  /** Whether the main word was guessed. */
  isGuess: boolean;
}

/** Rates a hit. It is sure only if the title was read and is clear, and unsure if the main word was guessed. */
export function rateCertainty(confidence: number, { isRead, isClear, isGuess }: Reading): Certainty {
  if (isGuess) return 'unsure';
  if (confidence >= least.sure && isRead && isClear) return 'sure';
  return confidence >= least.likely ? 'likely' : 'unsure';
}
