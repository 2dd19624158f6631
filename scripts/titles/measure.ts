import type { Calibration } from '../../src/occupations/titles/certainty.ts';
import { createSearch, type Found } from '../../src/occupations/titles/search.ts';
import { type Title, toSearchFile } from '../../src/occupations/titles/search-file.ts';
import { occupationFacts as facts } from '../onet/occupation-facts.ts';
import { everyday, governmentTexts, toWithheld } from './read-titles.ts';

/** How a search does on titles whose codes are known: parts of one, but for the count. */
export interface Figures {
  titles: number;
  first: number;
  firstFive: number;
  /** Expected calibration error of the first hits, in ten bins of equal width. */
  calibrationError: number;
  sure: number;
  /** Of those that are said to be sure, how many are right. */
  rightWhereSure: number;
}

const bins = 10;

/** What a search answers to a title, and whether each hit is one of its codes. */
export interface Answer {
  found: Found;
  isRight: boolean[];
}

/** What a search answers to titles that are in none of its indexes. */
export function answer(
  titles: readonly Title[],
  withheld: readonly Title[],
  network: Uint8Array,
  calibration: Calibration,
): Answer[] {
  const isWithheld = toWithheld(withheld);
  const search = createSearch(
    toSearchFile({ facts, governmentFiles: governmentTexts, network, calibration, everyday, isWithheld }),
  );
  return titles.map(({ title, occupations }) => {
    const found = search(title);
    const right = new Set(occupations.map((one) => facts[one]!.id));
    return { found, isRight: found.hits.map(({ id }) => right.has(id)) };
  });
}

/** The figures of some answers. */
export function toFigures(answers: readonly Answer[]): Figures {
  const part = (count: number, all: number) => Math.round((count / all) * 10_000) / 10_000;
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
    first: part(answers.filter(({ isRight }) => isRight[0]).length, answers.length),
    firstFive: part(
      answers.filter(({ isRight }) => isRight.slice(0, 5).includes(true)).length,
      answers.length,
    ),
    calibrationError: part(gap, answers.length),
    sure: part(sure.length, answers.length),
    rightWhereSure: part(sure.filter(({ isRight }) => isRight[0]).length, sure.length),
  };
}
