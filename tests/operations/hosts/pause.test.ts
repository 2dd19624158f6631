import assert from 'node:assert/strict';
import { test } from 'uvu';
import { eventLoop } from '../../../src/hosts/node-platform.ts';
import { createPause } from '../../../src/hosts/pause.ts';

function work(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

test('a client with short steps gets whole slices beside a client with long ones', async () => {
  let steps = 0;
  let isDone = false;
  const pause = createPause(eventLoop);
  const longSteps = async () => {
    while (!isDone) {
      await pause('192.0.2.1');
      work(10);
      steps += 1;
    }
  };
  const shortSteps = async () => {
    for (let step = 0; step < 2000; step += 1) {
      await pause('192.0.2.2');
      work(0.01);
    }
    isDone = true;
  };
  await Promise.all([longSteps(), shortSteps()]);
  // 2,000 steps of 0.01 ms are about 20 ms of work. With one step in each turn there would be 2,000 of the long ones.
  assert.ok(steps < 200, `${steps} long steps`);
});

test.run();
