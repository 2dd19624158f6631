import { type Calibration, type Logistic, toLogit } from '../../src/occupations/titles/certainty.ts';
import { createSearch, type SearchResult } from '../../src/occupations/titles/search.ts';
import { type OccupationTitle, packSearchFile } from '../../src/occupations/titles/search-file.ts';
import { occupationFacts as facts } from '../onet/occupation-facts.ts';
import { everyday, governmentTexts, toWithheld } from './read-titles.ts';

const steps = 20;

/** Fits the chance that a hit is right to its share of the ranking, by Newton's method (Platt scaling). */
export function calibrate(hits: readonly { share: number; isRight: boolean }[]): Logistic {
  let [intercept, slope] = [0, 1];
  for (let step = 0; step < steps; step += 1) {
    let [a, b, aa, ab, bb] = [0, 0, 1e-9, 0, 1e-9];
    for (const { share, isRight } of hits) {
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

const bins = 10;

/** The result of a search for a title, and whether each hit is one of the title's codes. */
export interface Answer {
  found: SearchResult;
  isRight: boolean[];
}

/** Searches for titles with a search that has the withheld titles in none of its indexes. */
export function answer(
  titles: readonly OccupationTitle[],
  withheld: readonly OccupationTitle[],
  network: Uint8Array,
  calibration: Calibration,
): Answer[] {
  const isWithheld = toWithheld(withheld);
  const search = createSearch(
    packSearchFile({ facts, governmentFiles: governmentTexts, network, calibration, everyday, isWithheld }),
  );
  return titles.map(({ title, occupations }) => {
    const found = search(title);
    const right = new Set(occupations.map((place) => facts[place]!.id));
    return { found, isRight: found.hits.map(({ id }) => right.has(id)) };
  });
}

/** How well a search does on titles whose codes are known. Shares are from 0 to 1; `titles` is a count. */
export type Figures = ReturnType<typeof toFigures>;

export function toFigures(answers: readonly Answer[]) {
  const part = (count: number, all: number) => Math.round((count / all) * 10_000) / 10_000;
  const share = (is: (answer: Answer) => unknown, of = answers) => part(of.filter(is).length, of.length);
  const isFirst = ({ isRight }: Answer) => isRight[0];
  const sure = answers.filter(({ found }) => found.certainty === 'sure');
  const sums = Array.from({ length: bins }, () => ({ said: 0, right: 0 }));
  for (const { found, isRight } of answers) {
    const said = found.hits[0]?.confidence ?? 0;
    const bin = sums[Math.min(bins - 1, Math.floor(said * bins))]!;
    bin.said += said;
    bin.right += Number(isRight[0] ?? false);
  }
  const gap = sums.reduce((sum, { said, right }) => sum + Math.abs(said - right), 0);
  return {
    titles: answers.length,
    first: share(isFirst),
    firstFive: share(({ isRight }) => isRight.slice(0, 5).includes(true)),
    /** The expected calibration error of the first hits, with ten bins of equal width. */
    calibrationError: part(gap, answers.length),
    sure: part(sure.length, answers.length),
    /** The share of sure first hits that are right. */
    rightWhereSure: share(isFirst, sure),
  };
}
