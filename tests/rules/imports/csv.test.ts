import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseCsv } from '../../../src/imports/csv.ts';
import { runAtOnce } from '../../../src/kernel/steps.ts';
import { readOne, sendImport } from '../../support/imports.ts';

const csv = suite('the CSV parser');

const cellsOf = (text: string) => runAtOnce(parseCsv(text, 1000)).rows.map(({ cells }) => cells);

const cases: Record<string, [text: string, cells: string[][]]> = {
  'ignores separators inside quotes when it looks for one': [
    '"a;b;c",d\ne,f',
    [
      ['a;b;c', 'd'],
      ['e', 'f'],
    ],
  ],
  'reads a quote after a space': [
    'a, "b, c"\nd,e',
    [
      ['a', 'b, c'],
      ['d', 'e'],
    ],
  ],
  'keeps a quote inside a plain cell': [
    'a,b\n5" pipe,c',
    [
      ['a', 'b'],
      ['5" pipe', 'c'],
    ],
  ],
};

for (const [title, [text, cells]] of Object.entries(cases))
  csv(title, () => assert.equal(cellsOf(text), cells));

csv('names the row of a quote that never closes', () => {
  assert.is(runAtOnce(parseCsv('a,b\nc,d\n"e,f\ng,h', 1000)).unclosed, 3);
});

csv('stops after as many rows as it is asked for', () => {
  assert.is(runAtOnce(parseCsv('a\n'.repeat(5000), 202)).rows.length, 202);
});

const separators = [',', ';', '\t'];
const plainText = fc.constantFrom('', 'a', '007', 'é 💼', "'tis", '=1+1', 'c d', '5.5');
const anyText = fc
  .array(fc.constantFrom('a', '"', ...separators, '\n', '\r', ' ', 'é', '=', "'", '\uFEFF', '💼'), {
    maxLength: 6,
  })
  .map((all) => all.join(''));

const tables = fc.record({
  separator: fc.constantFrom(...separators),
  lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
  start: fc.constantFrom('', '\uFEFF', 'sep', 'title'),
  end: fc.constantFrom('', 'line', 'blank lines', 'empty cells'),
  rows: fc.array(fc.tuple(plainText, fc.oneof(plainText, anyText), fc.oneof(plainText, anyText)), {
    minLength: 1,
    maxLength: 5,
  }),
  quotesAll: fc.boolean(),
});

csv('reads and numbers the rows of a table by whichever separator, line end and quotes it is written', () => {
  const property = fc.property(tables, ({ separator, lineEnd, start, end, rows, quotesAll }) => {
    const needsQuotes = (cell: string) => quotesAll || !/^[\p{L}\p{N}.=+' ]*$/u.test(cell);
    const write = (cell: string) => (needsQuotes(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
    // A header says how many columns there are, and of which sign there is one between each two.
    const table = [['one', 'two', 'three'], ...rows];
    const lines = table.map((row) => row.map(write).join(separator));
    const firsts: Record<string, string> = {
      sep: `sep=${separator}${lineEnd}`,
      title: `People${lineEnd}`,
    };
    const empty = `${separator}${separator}`;
    const ends: Record<string, string> = {
      '': '',
      line: lineEnd,
      'blank lines': lineEnd.repeat(3),
      'empty cells': `${lineEnd}${empty}${lineEnd}`,
    };
    const text = (firsts[start] ?? start) + lines.join(lineEnd) + ends[end];
    const above = start in firsts ? 2 : 1;
    const filled = table
      .map((cells, at) => ({ number: at + above, cells }))
      .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
    const title = start === 'title' ? [{ number: 1, cells: ['People'] }] : [];
    assert.equal(runAtOnce(parseCsv(text, 1000)).rows, [...title, ...filled], JSON.stringify(text));
  });
  fc.assert(property, { seed: Number(process.env.FUZZ_SEED ?? 7), numRuns: 2000 });
});

csv('a backslash before a quote is refused with its row', async () => {
  const text = `Name,Title,City,Notes\n"Smith \\"Bob\\", Jr",Registered Nurse,Boston`;
  const { status, body } = await sendImport({ format: 'csv', kind: 'candidates', text });
  assert.is(status, 400);
  assert.match(body.issues[0].message, 'backslash before a quote in row 2');
});

csv('a backslash at the end of a cell is a part of it', async () => {
  const { note } = await readOne('Name,Title,Notes,City', `Ann,Registered Nurse,"C:\\dir\\",Boston`);
  assert.is(note, 'C:\\dir\\');
});

csv.run();
