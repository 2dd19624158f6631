import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Refusal } from '../../../src/kernel/refusal.ts';
import { oneStep, type Steps, wait } from '../../../src/kernel/steps.ts';
import { countNames, createRunner } from '../../support/fake-turns.ts';

const steps = suite('work in steps');

steps('short work returns its result at once', () => {
  const { runner, work } = createRunner();
  assert.is(runner.run(work('short', 3)), 'short');
});

steps('an error of short work is thrown at once', () => {
  const { runner } = createRunner();
  const fail = (function* (): Steps<never> {
    yield;
    throw new Error('broken');
  })();
  assert.throws(() => runner.run(fail), /broken/);
});

steps('long work stops after four milliseconds, and goes on in later turns', async () => {
  const { turns, done, start, finished } = createRunner();
  void start('a', 'long', 10);
  assert.is(done.length, 4);
  await turns.next();
  assert.is(done.length, 8);
  await turns.next();
  assert.equal(finished, ['long']);
});

steps('all work that begins in one turn shares one slice', () => {
  const { done, start } = createRunner();
  for (const client of ['a', 'b', 'c', 'd', 'e', 'f']) void start(client, client, 2);
  assert.is(done.length, 4);
});

steps('long work of several clients goes on in turns', async () => {
  const { turns, done, start } = createRunner();
  for (const client of ['a', 'b', 'c']) {
    void start(client, client, 100);
    await turns.next();
  }
  const before = done.length;
  for (let turn = 0; turn < 6; turn += 1) await turns.next();
  assert.equal(countNames(done.slice(before)), { a: 8, b: 8, c: 8 });
});

steps('long work of one client is done one after the other', async () => {
  const { turns, start, finished, done } = createRunner();
  void start('a', 'first', 20);
  await turns.next();
  void start('a', 'second', 20);
  while (finished.length < 2) await turns.next();
  assert.equal(finished, ['first', 'second']);
  const beforeFirstEnds = done.slice(0, done.lastIndexOf('first'));
  assert.ok(countNames(beforeFirstEnds).second! <= 4, 'the second only had its first slice');
});

steps('short work does not wait for long work of the same client', async () => {
  const { turns, start, finished } = createRunner();
  for (let count = 0; count < 5; count += 1) void start('a', 'long', 1000);
  await turns.next();
  await turns.next();
  void start('a', 'short', 2);
  await turns.next();
  assert.equal(finished, ['short']);
});

steps('one client with much work does not delay another', async () => {
  const { turns, start, finished } = createRunner();
  for (let count = 0; count < 60; count += 1) void start('a', 'many', 3);
  void start('b', 'other', 3);
  for (let turn = 0; turn < 4; turn += 1) await turns.next();
  assert.ok(finished.includes('other'));
  assert.ok(finished.length < 10);
});

const isShareRefusal = (error: unknown) => error instanceof Refusal && error.envelope.code === 'work_share';

steps('refuses long work of a client beyond 64 that wait, and not its short work', async () => {
  const { turns, start, finished } = createRunner();
  const refused: unknown[] = [];
  for (let count = 0; count < 70; count += 1)
    start('a', 'long', 10_000).catch((error) => refused.push(error));
  for (let turn = 0; turn < 200; turn += 1) await turns.next();
  // One is active.
  assert.is(refused.filter(isShareRefusal).length, 70 - 65);
  void start('a', 'short', 2);
  await turns.next();
  assert.equal(finished, ['short']);
});

steps('work that waits for a promise goes on with its value, and others go on meanwhile', async () => {
  const { turns, runner, start, finished } = createRunner();
  const { promise, resolve } = Promise.withResolvers<string>();
  const waiting = runner.run(
    (function* () {
      return yield* wait(promise);
    })(),
    { client: 'a' },
  );
  void start('b', 'other', 9);
  await turns.next();
  await turns.next();
  assert.equal(finished, ['other']);
  resolve('value');
  await turns.next();
  await turns.next();
  assert.is(await waiting, 'value');
});

steps('short work that waits for a promise does not wait for long work of the same client', async () => {
  const { turns, runner, start } = createRunner();
  for (let count = 0; count < 5; count += 1) void start('a', 'long', 1000);
  await turns.next();
  const waiting = runner.run(wait(Promise.resolve('value')), { client: 'a' });
  let value: string | undefined;
  void Promise.resolve(waiting).then((result) => (value = result));
  for (let turn = 0; turn < 10; turn += 1) await turns.next();
  assert.is(value, 'value');
});

steps('work that waits for a promise can handle its error', async () => {
  const { turns, runner } = createRunner();
  const waiting = runner.run(
    (function* (): Steps<string> {
      try {
        return yield* wait(Promise.reject(new Error('gone')));
      } catch (error) {
        yield;
        return (error as Error).message;
      }
    })(),
  );
  for (let turn = 0; turn < 3; turn += 1) await turns.next();
  assert.is(await waiting, 'gone');
});

steps(
  'work that comes after the slice of a turn is done in the next, even if nothing else waits',
  async () => {
    const { turns, runner, start, finished } = createRunner();
    void runner.run(oneStep(() => (turns.time += 5)));
    void start('a', 'next', 1);
    assert.equal(finished, []);
    await turns.next();
    await turns.next();
    assert.equal(finished, ['next']);
  },
);

steps('knows the longest step of each operation', () => {
  const { runner, turns } = createRunner();
  turns.time = 1000;
  function* work(...times: number[]): Steps<void> {
    for (const time of times) {
      turns.time += time;
      yield;
    }
  }
  void runner.run(work(0, 1, 0), { operation: 'quick' });
  void runner.run(work(2), { operation: 'slow' });
  void runner.run(work(30), { operation: 'slowest' });
  assert.equal(
    [...runner.longest],
    [
      ['quick', 1],
      ['slow', 2],
      ['slowest', 30],
    ],
  );
});

steps.run();
