import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { candidate } from '../../../src/candidates/candidate.ts';
import { decodeText } from '../../../src/imports/decode-text.ts';
import { readCsv } from '../../../src/imports/read-csv.ts';
import { jobOrder } from '../../../src/job-orders/job-order.ts';
import { Refusal } from '../../../src/kernel/refusal.ts';
import { runAtOnce } from '../../../src/kernel/steps.ts';

const fuzz = suite('CSV files of any bytes');

/** FUZZ_SEED repeats a run. */
const seed = Number(process.env.FUZZ_SEED ?? 37);
const today = '2026-11-27';

const marks = [
  ',',
  ';',
  '\t',
  '"',
  '""',
  '\r\n',
  '\n',
  '\r',
  '=',
  "'",
  '\uFEFF',
  'sep=;\n',
  '\0',
  '&#0;',
  '&#1114111;',
];
const columns = [
  'Name',
  'Job Title',
  'Desired Rate',
  'Availability',
  'Shift',
  'Location',
  'Skills',
  'Status',
];
const values = [
  '$45/hr',
  '12/31/2026',
  '46357',
  '1e9',
  '85k',
  'day',
  'Columbus, OH',
  '99999999999999999999',
  '01/13/20',
];
const token = fc.oneof(
  fc.constantFrom(...marks, ...columns, ...values),
  fc.string({ unit: 'binary', maxLength: 5 }),
);
const anyText = fc.array(token, { maxLength: 60 }).map((all) => all.join(''));

/** Reads a text as both kinds. Fails for anything but a file or a refusal. */
function readBoth(text: string): void {
  for (const kind of [candidate, jobOrder])
    try {
      runAtOnce(readCsv(text, { kind, today }));
    } catch (error) {
      assert.instance(error, Refusal);
    }
}

fuzz('are read or refused', () => {
  fc.assert(fc.property(anyText, readBoth), { seed, numRuns: 3000 });
});

fuzz('are decoded, or it is said what is wrong', () => {
  const bytes = fc.uint8Array({ maxLength: 200 });
  const read = fc.property(bytes, (all) => {
    const decoded = decodeText(all);
    if ('text' in decoded) readBoth(decoded.text);
    else assert.match(decoded.problem, /\w/);
  });
  fc.assert(read, { seed, numRuns: 2000 });
});

fuzz.run();
