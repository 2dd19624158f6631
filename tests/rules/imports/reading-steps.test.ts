import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { candidate } from '../../../src/candidates/candidate.ts';
import { readCsv } from '../../../src/imports/read-csv.ts';
import { readPosting } from '../../../src/imports/read-posting.ts';
import { readResume } from '../../../src/imports/read-resume.ts';
import { jobOrder } from '../../../src/job-orders/job-order.ts';
import { Refusal } from '../../../src/kernel/refusal.ts';
import type { Steps } from '../../../src/kernel/steps.ts';

const test = suite('the steps in which a file is read');

/** A step may read a few cells of the longest length, and what their letters stand for. */
const mostOfStep = 200_000;
/** The length of a large text. A step that read all of it, or half, would read too much. */
const large = 524_288;
const today = '2026-11-27';
const options = { kind: candidate, today };

/** The functions of texts that take a time in proportion to what they read. */
const reading = ['normalize', 'replace', 'replaceAll', 'split', 'matchAll', 'match', 'toLowerCase'] as const;

/** Runs steps, and returns the most characters that the functions of texts read in one of them. */
function findLargestStep(work: Steps<unknown>): number {
  const originals = reading.map((name) => [name, String.prototype[name]] as const);
  let count = 0;
  let largest = 0;
  const methods = String.prototype as unknown as Record<string, unknown>;
  for (const [name, original] of originals)
    methods[name] = function read(this: string, ...args: unknown[]) {
      count += this.length;
      return (original as (...all: unknown[]) => unknown).apply(this, args);
    };
  try {
    for (let isDone = false; !isDone; largest = Math.max(largest, count)) {
      count = 0;
      isDone = work.next().done!;
    }
  } catch (error) {
    assert.instance(error, Refusal);
  } finally {
    for (const [name, original] of originals) Object.assign(String.prototype, { [name]: original });
  }
  return Math.max(largest, count);
}

const units = [
  'ﷺ/',
  'a,',
  'a or ',
  'e\u0301\u0302',
  '👩‍👩‍👧‍👦',
  '(',
  '1',
  '漢',
  '&amp;',
  '"",',
  '""',
  ' ',
  ',',
  ';',
  '\n',
  '=',
  "'",
];
const fill = (unit: string, length: number) => unit.repeat(length / unit.length);
const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
const columns = ['Name', 'Shift', 'Skills', 'Availability', 'Location', 'Desired Rate'];
const toTable = (cells: readonly string[]) => `${columns.join()}\n${cells.join()}`;

/** Files of a text, by what is made large. */
const files: Record<string, (unit: string) => Steps<unknown>> = {
  'one cell': (unit) => readCsv(`Name,Shift\nAnn,${quote(fill(unit, large / 2))}`, options),
  'one cell without quotes': (unit) => readCsv(`Name,Shift\nAnn,${fill(unit, large)}`, options),
  'the name of a column': (unit) => readCsv(`${fill(unit, large)}\nAnn`, options),
  'all lines': (unit) => readCsv(`Name${'\n'}${`${unit}\n`.repeat(100_000)}`, options),
  'the cells of a row': (unit) => readCsv(toTable(columns.map(() => quote(fill(unit, 9_900)))), options),
  'the lists of two hundred columns': (unit) =>
    readCsv(
      `${Array(200).fill('Skills').join()}\n${Array(200)
        .fill(quote(fill(unit, 2_500)))
        .join()}`,
      options,
    ),
  'a name in a résumé': (unit) => readResume({ basics: { name: fill(unit, large) } }, today),
  'many skills of a résumé': (unit) =>
    readResume({ skills: Array(200).fill({ keywords: [fill(unit, 5_000)] }) }, today),
  'many members of a résumé': (unit) =>
    readResume(Object.fromEntries(Array.from({ length: 19_000 }, (_, at) => [`${unit}${at}`, at])), today),
  'the type of a posting': (unit) => readPosting({ '@type': fill(unit, large) }, jobOrder, today),
  'the skills of a posting': (unit) =>
    readPosting({ '@type': 'JobPosting', skills: Array(100).fill(fill(unit, 9_900)) }, jobOrder, today),
  'the places of a posting': (unit) =>
    readPosting(
      {
        '@type': 'JobPosting',
        jobLocation: Array(100).fill({ address: { addressRegion: fill(unit, 9_900) } }),
      },
      jobOrder,
      today,
    ),
};
for (const [what, create] of Object.entries(files))
  test(`are short if ${what} is as large as can be`, () => {
    for (const unit of units) {
      const largest = findLargestStep(create(unit));
      assert.ok(largest <= mostOfStep, `${JSON.stringify(unit)}: ${largest} characters`);
    }
  });

test.run();
