import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { groupProblems, groupTitles, listDoubts } from '../../src/pages/_desk/import/import-groups.ts';
import type { ImportReply } from '../../src/pages/_desk/import/import-model.ts';
import {
  addColumn,
  formatSheet,
  omitParts,
  parseSheet,
  splitSheet,
  writeCells,
} from '../../src/pages/_desk/import/sheet.ts';

const logic = suite('logic of the import page');

const anyText = fc.string({ unit: fc.constantFrom(...'ab,;\t"\r\n =\'é \uFEFF'), maxLength: 8 });
const anyFile = fc
  .tuple(
    fc.constantFrom('', 'sep=;\n', 'sep=,\r\n', '\uFEFF', '\n\n'),
    fc.array(fc.array(anyText, { maxLength: 4 }), { minLength: 1, maxLength: 6 }),
    fc.constantFrom(',', ';', '\t'),
  )
  .map(([start, rows, separator]) => start + rows.map((cells) => cells.join(separator)).join('\n'));

logic('a corrected file has the same rows and numbers as the file', () => {
  fc.assert(
    fc.property(anyFile, (text) => {
      const sheet = parseSheet(text);
      if (sheet) assert.equal(parseSheet(formatSheet(sheet)), sheet);
    }),
    { seed: 7, numRuns: 2000 },
  );
});

logic('a correction changes its cells and no others', () => {
  fc.assert(
    fc.property(anyFile, anyText, fc.nat(3), fc.nat(5), (file, text, column, at) => {
      const sheet = parseSheet(file);
      const row = sheet?.rows[at % sheet.rows.length];
      if (!sheet || !row) return;
      const written = writeCells(sheet, new Set([row.number]), column, `x${text}`);
      const back = parseSheet(formatSheet(written))!.rows.find(({ number }) => number === row.number)!;
      assert.is(back.cells[column], `x${text}`);
      assert.equal(
        back.cells.with(column, ''),
        written.rows.find((one) => one.number === row.number)!.cells.with(column, ''),
      );
    }),
  );
});

const sheet = parseSheet('Sample\nName,Shift,Rate\nAnn,any,45\n\nBo,any,"1,000"\nCy,day,45\nDi,any,\n')!;
const table = splitSheet(sheet, ['Name', 'Shift', 'Rate']);

logic('finds the row that names the columns, below a title', () => {
  assert.equal(
    table.columns.map(({ name, samples, filled }) => [name, samples, filled]),
    [
      ['Name', ['Ann', 'Bo', 'Cy'], 4],
      ['Shift', ['any', 'day'], 4],
      ['Rate', ['45', '1,000'], 3],
    ],
  );
});

logic('rows and columns that are left out leave the numbers of the others', () => {
  const left = parseSheet(formatSheet(omitParts(sheet, new Set([5]), new Set([1]))))!;
  assert.equal(
    left.rows.map(({ number, cells }) => [number, ...cells]),
    [
      [1, 'Sample'],
      [2, 'Name', 'Rate'],
      [3, 'Ann', '45'],
      [6, 'Cy', '45'],
      [7, 'Di', ''],
    ],
  );
});

logic('a new column has its name and its texts', () => {
  const added = addColumn(sheet, table, { name: 'client', rows: new Set([3]), text: 'Acme, Inc.' });
  const { columns, body } = splitSheet(parseSheet(formatSheet(added))!, ['client']);
  assert.is(columns.at(-1)?.name, 'client');
  assert.is(body[0]?.cells[3], 'Acme, Inc.');
});

const toCode = (number: number, title: string, isUnsure = false) => ({
  at: `row ${number}`,
  title,
  onetCode: isUnsure ? null : '29-1141.00',
  certainty: isUnsure ? ('unsure' as const) : ('sure' as const),
});
const reply: ImportReply = {
  records: {},
  mapping: [{ from: 'Rate', to: 'payRateUsdHour' }],
  codes: [toCode(3, 'any', true), toCode(5, 'Nurse'), toCode(6, 'any', true)],
  problems: [
    { member: 'Shift', why: 'is no shift: "any"', rows: [3], more: 2 },
    { member: 'Name', why: '"any" has no sure code. Send its code in codes: {"at":"row 3"}', rows: [3, 6] },
    { member: 'client', why: 'has no value for client', rows: [3, 5, 6, 7] },
  ],
  notTaken: [],
  warnings: [
    {
      code: 'unusual_rate',
      path: 'candidates[0].payRateUsdHour',
      message: 'is low (and in 1 more: row 5)',
      rows: [3, 5],
    },
    { code: 'read_as', path: '', message: 'is about the file' },
  ],
};

logic('rows of one title are one thing to settle', () => {
  assert.equal(
    groupTitles(reply).map(({ title, rows }) => [title, rows]),
    [
      ['any', [3, 6]],
      ['Nurse', [5]],
    ],
  );
});

logic(
  'a text that cannot be read is one problem in all of its rows, and a title without a code is none',
  () => {
    assert.equal(
      groupProblems(reply, table).map(({ member, value, why, rows, more }) => [
        member,
        value,
        why,
        rows,
        more,
      ]),
      [
        ['Shift', 'any', 'is no shift', [3, 5, 7], 0],
        ['client', '', 'has no value for client', [3, 5, 6, 7], 0],
      ],
    );
  },
);

logic('says in words what may be wrong, with the texts that it is about', () => {
  assert.equal(
    listDoubts(reply, table).map(({ words, message, groups }) => [
      words,
      message,
      groups.map(({ value }) => value),
    ]),
    [['2 pay rates look unusual', 'is low', ['45', '1,000']]],
  );
});

logic.run();
