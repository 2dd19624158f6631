import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseJson } from '../../../src/kernel/parse-json.ts';
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

parse.run();
