import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseCsv } from '../../../src/imports/csv.ts';
import { runAtOnce } from '../../../src/kernel/steps.ts';

const csv = suite('the CSV parser');

const cellsOf = (text: string) => runAtOnce(parseCsv(text, 1000)).rows.map(({ cells }) => cells);

const cases: Record<string, [text: string, cells: string[][]]> = {
  'reads commas and CRLF': [
    'a,b\r\nc,d\r\n',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  'reads a last row without a line end': [
    'a,b\nc,d',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  'reads semicolons': [
    'a;b\nc,x;d',
    [
      ['a', 'b'],
      ['c,x', 'd'],
    ],
  ],
  'reads tabs': [
    'a\tb\nc, d\te',
    [
      ['a', 'b'],
      ['c, d', 'e'],
    ],
  ],
  'reads single carriage returns as line ends': [
    'a,b\rc,d',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  'keeps separators, line breaks and doubled quotes inside quotes': [
    'a,b\n"x, ""y""\nz",w',
    [
      ['a', 'b'],
      ['x, "y"\nz', 'w'],
    ],
  ],
  'drops a byte order mark': [
    '\uFEFFa,b\nc,d',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  'drops a byte order mark before a quote': [
    '\uFEFF"a",b\nc,d',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  'follows a first line that names the separator': [
    'sep=;\na;b,c\nd;e',
    [
      ['a', 'b,c'],
      ['d', 'e'],
    ],
  ],
  'ignores separators inside quotes when it looks for one': [
    '"a;b;c",d\ne,f',
    [
      ['a;b;c', 'd'],
      ['e', 'f'],
    ],
  ],
  'keeps empty cells': [
    'a,,c\n,,d',
    [
      ['a', '', 'c'],
      ['', '', 'd'],
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
  'leaves blank rows out': [
    'a,b\n\n,\nc,d',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  'keeps leading zeros': ['a\n007', [['a'], ['007']]],
};

for (const [title, [text, cells]] of Object.entries(cases))
  csv(title, () => assert.equal(cellsOf(text), cells));

csv('numbers rows as a spreadsheet does', () => {
  const { rows } = runAtOnce(parseCsv('a,b\n"x\ny",c\n\nd,e', 1000));
  assert.equal(
    rows.map(({ number }) => number),
    [1, 2, 4],
  );
});

csv('names the row of a quote that never closes', () => {
  assert.is(runAtOnce(parseCsv('a,b\nc,d\n"e,f\ng,h', 1000)).unclosed, 3);
});

csv('stops after as many rows as it is asked for', () => {
  assert.is(runAtOnce(parseCsv('a\n'.repeat(5000), 202)).rows.length, 202);
});

csv('gives back what a writer quoted, for any bytes', () => {
  const alphabet = ['a', '"', ',', ';', '\t', '\n', '\r', ' ', 'é', '=', "'", '\uFEFF', '💼'];
  let seed = 7;
  const next = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % below;
  };
  for (let round = 0; round < 500; round += 1) {
    const cell = () => Array.from({ length: next(6) }, () => alphabet[next(alphabet.length)]).join('');
    const rows = Array.from({ length: 1 + next(4) }, () => [`x${cell()}`, cell(), cell()]);
    const text = rows.map((row) => row.map((one) => `"${one.replaceAll('"', '""')}"`).join(',')).join('\r\n');
    assert.equal(cellsOf(text), rows, JSON.stringify(text));
  }
});

csv('returns rows for any text, and never throws', () => {
  const alphabet = ['"', ',', ';', '\n', '\r', 'a', ' ', '\0', '\uD800'];
  let seed = 11;
  for (let round = 0; round < 2000; round += 1) {
    let text = '';
    for (let at = 0; at < 12; at += 1) {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      text += alphabet[(seed >> 8) % alphabet.length];
    }
    assert.ok(Array.isArray(runAtOnce(parseCsv(text, 100)).rows), JSON.stringify(text));
  }
});

csv.run();
