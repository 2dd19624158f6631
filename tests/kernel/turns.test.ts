import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createTurns } from '../../src/kernel/turns.ts';

const test = suite('turns');

test('those of one name go one after the other, whatever becomes of one; another name does not wait', async () => {
  const inTurn = createTurns();
  const said: string[] = [];
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const all = [
    inTurn('a', async () => {
      said.push('a1');
      await held;
      throw new Error('a1');
    }),
    inTurn('a', async () => said.push('a2')),
    inTurn('b', async () => said.push('b1')),
  ];
  await all[2];
  assert.equal(said, ['a1', 'b1']);
  letGo();
  const settled = await Promise.allSettled(all);
  assert.equal(said, ['a1', 'b1', 'a2']);
  assert.equal(
    settled.map(({ status }) => status),
    ['rejected', 'fulfilled', 'fulfilled'],
  );
});

test.run();
