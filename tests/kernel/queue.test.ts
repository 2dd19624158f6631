import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createQueue } from '../../src/kernel/queue.ts';
import { pluck } from '../support/rows.ts';

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
  assert.equal(pluck(settled, 'status'), ['rejected', 'fulfilled', 'fulfilled']);
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

test.run();
