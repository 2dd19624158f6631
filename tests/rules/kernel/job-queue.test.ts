import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createQueue } from '../../../src/kernel/queue.ts';
import type { Refusal } from '../../../src/kernel/refusal.ts';
import { toChance } from '../../support/people.ts';

const jobs = suite('a queue of jobs');

type Bounds = Parameters<typeof createQueue>[1];

/** A queue, the jobs that run in it, and how to end one. */
function open(most: number, bounds?: Bounds) {
  const run = createQueue(most, bounds);
  const running: { name: string; client: string; end: () => void }[] = [];
  const started: string[] = [];
  const refused: string[] = [];
  const add = async (client: string, name = client) => {
    const job = () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      started.push(name);
      running.push({ name, client, end: resolve });
      return promise;
    };
    await run(client, job).catch((error) => refused.push((error as Refusal).envelope.code));
  };
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const end = async (at = 0) => {
    running.splice(at, 1)[0]!.end();
    await settle();
  };
  return {
    run,
    running,
    started,
    refused,
    add: (client: string, name?: string) => void add(client, name),
    end,
    settle,
  };
}

jobs('runs as many as it may, in all and of one client, and lets none wait without need', async () => {
  const chance = toChance(71);
  for (let round = 0; round < 40; round += 1) {
    const [most, each] = [1 + chance(4), 1 + chance(3)];
    const queue = open(most, { each });
    const added: string[] = [];
    for (let step = 0; step < 60; step += 1) {
      const client = 'abc'[chance(3)]!;
      if (chance(2) === 0) {
        added.push(client);
        queue.add(client);
        await queue.settle();
      } else if (queue.running.length > 0) await queue.end(chance(queue.running.length));
      const running = Map.groupBy(queue.running, (job) => job.client);
      assert.ok(queue.running.length <= most, 'runs too many');
      for (const [name, list] of running) assert.ok(list.length <= each, `runs too many of ${name}`);
      if (queue.running.length === most) continue;
      for (const name of new Set(added)) {
        const waiting =
          added.filter((one) => one === name).length - queue.started.filter((one) => one === name).length;
        assert.ok(waiting === 0 || running.get(name)?.length === each, `${name} waits without need`);
      }
    }
  }
});

jobs('clients take turns, and the jobs of one client keep their order', async () => {
  const queue = open(1);
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) queue.add(name[0]!, name);
  await queue.settle();
  while (queue.running.length > 0) await queue.end();
  assert.equal(queue.started, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
});

jobs('one client may run all jobs if nothing else is said', async () => {
  const queue = open(3);
  for (let count = 0; count < 5; count += 1) queue.add('a');
  await queue.settle();
  assert.is(queue.running.length, 3);
});

jobs('refuses a job of a client beyond those that may wait, and takes one of another', async () => {
  const queue = open(1, { waiting: { each: 2, all: 10 } });
  for (let count = 0; count < 4; count += 1) queue.add('a');
  queue.add('b');
  await queue.settle();
  assert.equal(queue.refused, ['work_share']);
});

jobs('refuses a job beyond those that may wait in all', async () => {
  const queue = open(1, { waiting: { each: 2, all: 3 } });
  for (const client of ['a', 'a', 'a', 'b', 'c']) queue.add(client);
  await queue.settle();
  assert.equal(queue.refused, ['too_busy']);
  await queue.end();
  queue.add('c');
  await queue.settle();
  assert.is(queue.refused.length, 1);
});

jobs('returns the result of a job', async () => {
  const run = createQueue(1);
  assert.is(await run('a', () => 7), 7);
});

jobs('goes on after a job that fails', async () => {
  const run = createQueue(1);
  const failed = run('a', () => Promise.reject(new Error('broken'))).catch(({ message }: Error) => message);
  const next = run('a', () => 'next');
  assert.is(await failed, 'broken');
  assert.is(await next, 'next');
});

jobs.run();
