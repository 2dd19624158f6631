import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { nodePlatform } from '../../src/hosts/node-platform.ts';

const test = suite('giving way');

test('of many who gave way one goes on at a time, and what others sent is read before the next', async () => {
  let reads = 0;
  let isOver = false;
  const read = () => {
    reads += 1;
    if (!isOver) setImmediate(read);
  };
  setImmediate(read);
  const went = await Promise.all(
    Array.from({ length: 100 }, async () => {
      const seen: number[] = [];
      for (let slice = 0; slice < 3; slice += 1) {
        await nodePlatform.pause();
        seen.push(reads);
      }
      return seen;
    }),
  );
  isOver = true;
  assert.is(new Set(went.flat()).size, 300);
  for (const [index, [first = 0]] of went.entries())
    if (index > 0) assert.ok(first > went[index - 1]![0]!, 'in the order of their asking');
});

test.run();
