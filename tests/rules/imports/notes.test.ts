import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readDry } from '../../support/imports.ts';

const notes = suite('what is said of several rows at once');

const nurse = 'Registered Nurse';

/** Reads rows whose pay is in euros, of this many different amounts. */
async function readEuros(rows: number, amounts: number) {
  const lines = Array.from({ length: rows }, (_, at) => `P${at},${nurse},€${40 + (at % amounts)}`);
  const { problems } = await readDry(['Name,Title,Rate', ...lines]);
  assert.is(problems.length, 1);
  return problems[0];
}

for (const [amounts, quoted] of [
  [1, '"€40"'],
  [3, '"€40", "€41", "€42"'],
  [4, '"€40", "€41", "€42", …'],
] as const)
  notes(`quotes ${quoted} of ${amounts} different cells`, async () => {
    const { why } = await readEuros(6, amounts);
    assert.is(why, `is not in US dollars; convert it: ${quoted}`);
  });

for (const [rows, more] of [
  [20, undefined],
  [21, 1],
  [25, 5],
] as const)
  notes(`lists the first 20 of ${rows} rows`, async () => {
    const problem = await readEuros(rows, 1);
    assert.equal(
      problem.rows,
      Array.from({ length: 20 }, (_, at) => at + 2),
    );
    assert.is(problem.more, more);
  });

for (const [others, named] of [
  [0, /one of the two$/],
  [1, /\(and in 1 more: row 4\)$/],
  [5, /\(and in 5 more: row 4, row 5, row 6, row 7, row 8\)$/],
  [6, /\(and in 6 more: row 4, row 5, row 6, row 7, row 8, …\)$/],
] as const)
  notes(`names at most five rows of ${others} beside the first of a warning`, async () => {
    const lines = Array.from({ length: others + 2 }, () => `Ann Sample,${nurse}`);
    const { warnings } = await readDry(['Name,Title', ...lines]);
    assert.match(warnings[0].message, named);
  });

notes.run();
