import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Body } from '../../support/http.ts';
import { sendImport } from '../../support/imports.ts';
import { strangerCells, strangerColumns, toCsv } from '../../support/stranger-files.ts';

/**
 * The law of importing, for tables: each part of each cell reached a record, is in `notTaken` with a reason, or is a problem.
 * Only fillers are exempt. The names of columns and the ways to write are those of strangers.
 */
const law = suite('each part of a table');

/** FUZZ_SEED repeats a run. */
const seed = Number(process.env.FUZZ_SEED ?? 46);

const fillers = ['n/a', 'na', 'none', 'null', 'nil', 'tbd', 'unknown', 'unavailable', '-', '--', '?'];
const isFiller = (text: string) => fillers.includes(text.trim().toLowerCase());

const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Texts that a record has in other words. */
const otherWords: Readonly<Record<string, string>> = { 'Berlin, DE': 'Berlin, Germany', DE: 'Germany' };

/** Whether a record holds all words of a text. Units, signs and days are written in another way, so only names count. */
function holdsWords(record: object, text: string): boolean {
  const known = new Set(wordsOf(JSON.stringify(record)));
  return [text, otherWords[text] ?? text].some((written) => {
    const parts = written.split(/[,;]/).filter((part) => !isFiller(part));
    return wordsOf(parts.join(' ')).every((word) => known.has(word));
  });
}

/** Whether a cell is listed under its column, or quoted in what is said of its row. */
const isListed = (
  notes: readonly Body[],
  { member, row, cell }: { member: string; row: number; cell: string },
) =>
  notes.some(({ member: name, rows, why }) => rows.includes(row) && (name === member || why.includes(cell)));

/** What a column that is read as something else than text became, if it became anything. */
const typed: [RegExp, string[]][] = [
  [/salary|pay|bill|rate|ctc|gross/i, ['Rate', 'salary', 'Usd']],
  [/start|end|avail|notice|weeks/i, ['Date', 'availableFrom']],
  [/shift/i, ['shift']],
  [/^remote/i, ['workplace']],
  [/hours|openings/i, ['hoursPerWeek', 'openings']],
  [/cert|licens|must have/i, ['credentials', 'requires']],
  [/status/i, ['status']],
];

const hasTyped = (record: Body, column: string) =>
  typed.some(
    ([name, members]) =>
      name.test(column) &&
      Object.keys(record).some((member) => members.some((part) => member.includes(part))),
  );

async function readTable(kind: string, header: readonly string[], rows: readonly string[][]): Promise<Body> {
  const args = { format: 'csv', kind, text: toCsv([header, ...rows]) };
  const { status, body, text } = await sendImport(args);
  assert.is(status, 200, text);
  return body;
}

for (const [kind, headers] of Object.entries(strangerColumns))
  law(`of a table of ${kind} reached a record, or is listed`, async () => {
    const table = fc.constantFrom(...headers).chain((line) => {
      const header = line.split(',');
      const row = fc.tuple(...header.map(() => fc.constantFrom(...strangerCells)));
      return fc.tuple(fc.constant(header), fc.array(row, { minLength: 1, maxLength: 6 }));
    });
    const property = fc.asyncProperty(table, async ([header, rows]) => {
      const sent = rows.filter((row) => row.some((cell) => cell !== ''));
      if (sent.length === 0) return;
      const { records, problems, notTaken } = await readTable(kind, header, sent);
      const said = [...problems, ...notTaken];
      for (const [index, row] of sent.entries())
        for (const [at, cell] of row.entries()) {
          if (cell === '' || isFiller(cell) || isListed(said, { member: header[at]!, row: index + 2, cell }))
            continue;
          const record = records[kind][index];
          const isThere = holdsWords(record, cell) || hasTyped(record, header[at]!);
          assert.ok(isThere, `${header[at]}: ${cell} ${JSON.stringify({ record, said })}`);
        }
    });
    await fc.assert(property, { seed, numRuns: 100 });
  });

law.run();
