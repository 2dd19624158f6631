import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { nodePlatform } from '../../src/hosts/node-platform.ts';
import { createQueue } from '../../src/kernel/queue.ts';

const test = suite('queue');

test('jobs of one client run one after the other, even after a failure; another client does not wait', async () => {
  const inQueue = createQueue(1, 'each client');
  const said: string[] = [];
  let release = () => {};
  const blocked = new Promise<void>((resolve) => {
    release = resolve;
  });
  const all = [
    inQueue('a', async () => {
      said.push('a1');
      await blocked;
      throw new Error('a1');
    }),
    inQueue('a', async () => said.push('a2')),
    inQueue('b', async () => said.push('b1')),
  ];
  await all[2];
  assert.equal(said, ['a1', 'b1']);
  release();
  const settled = await Promise.allSettled(all);
  assert.equal(said, ['a1', 'b1', 'a2']);
  assert.equal(
    settled.map(({ status }) => status),
    ['rejected', 'fulfilled', 'fulfilled'],
  );
});

test('clients that wait take turns, however many jobs each has', async () => {
  const inQueue = createQueue(2);
  const started: string[] = [];
  const run = (client: string) =>
    inQueue(client, async () => {
      started.push(client);
      await new Promise((resolve) => setImmediate(resolve));
    });
  await Promise.all(['a', 'a', 'a', 'a', 'a', 'b', 'c', 'b'].map(run));
  assert.is(started.join(''), 'aaabcaba');
});

test('after a pause one job goes on in each turn of the event loop, and arrivals are read in between', async () => {
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
