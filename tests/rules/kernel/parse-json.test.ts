import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { countParts, parseJson } from '../../../src/kernel/parse-json.ts';
import { Refusal } from '../../../src/kernel/refusal.ts';
import { toChance } from '../../support/people.ts';

const parse = suite('the JSON of a body');
const encoder = new TextEncoder();
const large = 600_000;

parse('a large body has the same characters wherever a reader cuts it', () => {
  for (const character of ['é', '✓', '😀', '\ufeff'])
    for (let shift = 0; shift < 4; shift += 1) {
      const value = { text: 'a'.repeat(shift) + character.repeat(large / 2) };
      assert.equal(parseJson(encoder.encode(JSON.stringify(value))), value, `${character} after ${shift}`);
    }
});

parse('a large body that is not UTF-8 is refused, wherever the wrong byte is', () => {
  for (const at of [1, 524_286, 524_287, 524_288, 524_289, large - 2])
    for (const wrong of [0xff, 0x80, 0xf0]) {
      const body = encoder.encode(JSON.stringify('a'.repeat(large)));
      body[at] = wrong;
      assert.throws(() => parseJson(body), `${wrong} at ${at}`);
    }
});

parse('brackets in texts do not count, however a text is escaped', () => {
  const chance = toChance(5);
  const parts = ['\\', '"', '[', '{', 'a', 'é', '\n', '[['.repeat(40), 'long text '.repeat(5)];
  for (let count = 0; count < 2000; count += 1) {
    const texts = Array.from({ length: 4 }, () =>
      Array.from({ length: chance(30) }, () => parts[chance(parts.length)]).join(''),
    );
    assert.equal(parseJson(encoder.encode(JSON.stringify(texts))), texts);
  }
});

/** Counts the members and values of a value: a list or an object, each value after the first, and each name. */
function countInValue(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const values = Object.values(value);
  const names = Array.isArray(value) ? 0 : values.length;
  return values.reduce((sum, one) => sum + countInValue(one), names + 1 + Math.max(0, values.length - 1));
}

const chance = toChance(6);
/** Texts around the length at which another search finds their end, with quotes and backslashes at their end. */
const makeText = () =>
  [...Array(chance(40))].map(() => 'a,:[{'[chance(5)]).join('') +
  [...Array(chance(5))].map(() => '\\"é '[chance(4)]).join('') +
  ['', 'z'.repeat(chance(40))][chance(2)];

function makeValue(depth: number): unknown {
  const kind = chance(depth > 4 ? 3 : 6);
  if (kind === 0) return chance(1000) - 500;
  if (kind === 1) return [true, false, null, 1.5e-7][chance(4)];
  if (kind === 2) return makeText();
  const values = Array.from({ length: chance(5) }, () => makeValue(depth + 1));
  return kind === 3 ? values : Object.fromEntries(values.map((value) => [makeText(), value]));
}

parse('the parts of a text are the members and values of what it holds, however it is laid out', () => {
  for (let count = 0; count < 2000; count += 1) {
    const value = makeValue(0);
    for (const space of [0, 2, '\t'])
      assert.is(countParts(JSON.stringify(value, null, space)), countInValue(value), JSON.stringify(value));
  }
});

parse('a text that does not end is no part, and never a fault', () => {
  for (let length = 0; length < 80; length += 1)
    for (const end of ['', '\\', '\\"', '\\\\'])
      assert.is(countParts(`["${'a'.repeat(length)}${end}`), 1, `${length} characters and ${end}`);
});

const nest = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const readCode = (text: string) => {
  try {
    parseJson(encoder.encode(text));
    return undefined;
  } catch (error) {
    return error instanceof Refusal ? error.envelope.code : 'fault';
  }
};

parse('a body may be 64 deep, and no deeper', () => {
  for (const depth of [1, 63, 64]) assert.is(readCode(nest(depth)), undefined, `${depth} deep`);
  for (const depth of [65, 66, 100, 100_000])
    assert.is(readCode(nest(depth)), 'invalid_json', `${depth} deep`);
  assert.is(readCode(`[${Array(200).fill(nest(63)).join()}]`), undefined);
  assert.is(readCode(`[${Array(200).fill('{"a":{}}').join()}]`), undefined);
  for (const start of ['[1,', '["a",', '[[],', '[{},', '{"a":[],"b":'])
    assert.is(readCode(start.repeat(100)), 'invalid_json', start);
  assert.is(readCode(`${'{"a":'.repeat(64)}1${'}'.repeat(64)}`), undefined);
  assert.is(readCode(`${'{"a":'.repeat(65)}1${'}'.repeat(65)}`), 'invalid_json');
});

parse('a body may have 40,000 members and values, and no more', () => {
  // The list is a part too, and its first value is none.
  assert.is(readCode(JSON.stringify(Array(40_000).fill(1))), undefined);
  assert.is(readCode(JSON.stringify(Array(40_001).fill(1))), 'body_too_large');
});

parse.run();
