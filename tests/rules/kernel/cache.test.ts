import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { memoize } from '../../../src/kernel/cache.ts';

const kinds: Record<string, (name: string) => string | object> = {
  text: (name) => name,
  object: (name) => ({ name }),
};

for (const [kind, create] of Object.entries(kinds)) {
  const keys = Array.from({ length: 100 }, (_, index) => create(String(index)));

  function countMade(most: number) {
    const made: (string | object)[] = [];
    const read = memoize<string | object, object>(
      (key) => {
        made.push(key);
        return { key };
      },
      { most },
    );
    return { made, read };
  }

  test(`returns for each ${kind} what was made of it, and makes it once below the limit`, () => {
    const { made, read } = countMade(keys.length);
    for (const key of [...keys, ...keys]) assert.is((read(key) as { key: unknown }).key, key);
    assert.equal(made, keys);
  });

  test(`makes the result of a ${kind} again after more others than twice the limit`, () => {
    const { made, read } = countMade(10);
    for (const key of [...keys, keys[0]!]) read(key);
    assert.is(made.filter((key) => key === keys[0]).length, 2);
  });

  test(`keeps the result of a ${kind} that is read again and again`, () => {
    const { made, read } = countMade(10);
    for (const key of keys) {
      read(keys[0]!);
      read(key);
    }
    assert.is(made.filter((key) => key === keys[0]).length, 1);
  });
}

test('drops results by their size', () => {
  let made = 0;
  const read = memoize(
    (text: string) => {
      made += 1;
      return text;
    },
    { most: 100, sizeOf: (text) => text.length },
  );
  const long = ['a', 'b', 'c', 'a'].map((letter) => letter.repeat(60));
  for (const text of long) read(text);
  assert.is(made, 4);
});

test.run();
