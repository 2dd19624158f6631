/** Trains the search over job titles and measures it. The same content gives the same bytes. */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Calibration } from '../src/occupations/titles/certainty.ts';
import { readCommand } from './command.ts';
import { step } from './step.ts';
import { type Answer, answer, calibrate, type Figures, toFigures } from './titles/measure.ts';
import { audit, development, folder, toWithheld } from './titles/read-titles.ts';
import { train } from './titles/train.ts';

const usage = `npm run train-titles -- [--measure]

Trains the search over job titles, and writes network.bin, calibration.json and figures.json to content/titles.
--measure  does not train, but writes the figures of the audit slice for the existing network`;
const { values } = readCommand(usage, { options: { measure: { type: 'boolean', default: false } } });

function printFigures(
  name: string,
  { first, firstFive, calibrationError, sure, rightWhereSure }: Figures,
): void {
  const percent = (part: number) => (100 * part).toFixed(1);
  console.log(
    `${name}: ${percent(first)} % first, ${percent(firstFive)} % in five, calibration error ${calibrationError}, ${percent(sure)} % sure and ${percent(rightWhereSure)} % of those right`,
  );
}

const writeJson = (name: string, value: unknown) =>
  writeFileSync(join(folder, name), `${JSON.stringify(value, null, 2)}\n`);
const readJson = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'));

/** The calibration that leaves chances as they are. */
const unchanged = { intercept: 0, slope: 1 };
const identity = { first: unchanged, others: unchanged };
/** Calibration uses at most this many hits of a title. */
const mostHits = 10;
/**
 * The development set is divided into parts as large as the audit slice, so that each part is withheld in the same
 * way.
 */
const parts = development.length / audit.length;

/** Trains and calibrates. Returns the network, its calibration and the figures of the development set. */
async function trainAll() {
  const answersOf: ((calibration: Calibration) => Answer[])[] = [];
  for (let part = 0; part < parts; part += 1) {
    const titles = development.filter((_, at) => at % parts === part);
    const withheld = [...titles, ...audit];
    const rehearsal = await step(`rehearsal ${part + 1} of ${parts}`, () => train(toWithheld(withheld)));
    answersOf.push((calibration) => answer(titles, withheld, rehearsal, calibration));
  }
  const rehearsed = answersOf.flatMap((toAnswers) => toAnswers(identity));
  const toTrials = (start: number, end: number) =>
    rehearsed.flatMap(({ found: { hits }, isRight }) =>
      hits
        .slice(start, end)
        .map(({ confidence }, at) => ({ share: confidence, isRight: isRight[start + at]! })),
    );
  const calibration = { first: calibrate(toTrials(0, 1)), others: calibrate(toTrials(1, mostHits)) };
  const ofDevelopment = toFigures(answersOf.flatMap((toAnswers) => toAnswers(calibration)));
  printFigures('development set, each part while it was left out', ofDevelopment);
  const network = await step('what is shipped', () => train(toWithheld(audit)));
  return { network, calibration, ofDevelopment };
}

const readTrained = () => ({
  network: readFileSync(join(folder, 'network.bin')),
  calibration: readJson('calibration.json'),
  ofDevelopment: readJson('figures.json').development,
});

const { network, calibration, ofDevelopment } = values.measure ? readTrained() : await trainAll();
const ofAudit = toFigures(answer(audit, audit, network, calibration));
printFigures('audit slice', ofAudit);
if (!values.measure) {
  writeFileSync(join(folder, 'network.bin'), network);
  writeJson('calibration.json', calibration);
}
writeJson('figures.json', {
  network: { bytes: network.length, sha256: createHash('sha256').update(network).digest('hex') },
  development: ofDevelopment,
  audit: ofAudit,
});
