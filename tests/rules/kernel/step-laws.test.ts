import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Refusal } from '../../../src/kernel/refusal.ts';
import { StepRunner } from '../../../src/kernel/step-runner.ts';
import { andThen, isSteps, oneStep, runAtOnce, type Steps, wait } from '../../../src/kernel/steps.ts';
import { countNames, createRunner, FakeTurns } from '../../support/fake-turns.ts';
import { toChance } from '../../support/people.ts';

const laws = suite('laws of work in steps');

/** Work of random steps, which waits for a promise now and then, and returns its name or throws it. */
function* makeWork(turns: FakeTurns, name: string, chance: (bound: number) => number): Steps<string> {
  for (let left = chance(25); left > 0; left -= 1) {
    turns.time += chance(3);
    if (chance(8) > 0) yield;
    else if (chance(3) > 0) assert.is(yield* wait(Promise.resolve(left)), left);
    else {
      const message = yield* caught(Promise.reject(new Error(name)));
      assert.is(message, name);
    }
  }
  if (chance(4) === 0) throw new Error(name);
  return name;
}

function* caught(promise: Promise<never>): Steps<string> {
  try {
    return yield* wait(promise);
  } catch (error) {
    return (error as Error).message;
  }
}

laws('each work ends with its own result or error, whatever else runs', async () => {
  for (let seed = 1; seed <= 30; seed += 1) {
    const chance = toChance(seed);
    const turns = new FakeTurns();
    const runner = new StepRunner(turns);
    const ended: string[] = [];
    const names = Array.from({ length: 40 }, (_, at) => `work ${at}`);
    for (const name of names) {
      const start = async () => runner.run(makeWork(turns, name, chance), { client: 'abcdefg'[chance(7)] });
      void start().then(
        (result) => ended.push(result),
        (error: Error) => ended.push(error.message),
      );
      if (chance(3) === 0) await turns.next();
    }
    for (let turn = 0; turn < 2000 && ended.length < names.length; turn += 1) await turns.next();
    assert.equal(ended.toSorted(), names.toSorted(), `seed ${seed}`);
  }
});

laws('at most four clients have long work in progress at once, and others follow', async () => {
  const { turns, done, start, finished } = createRunner();
  for (const client of ['a', 'b', 'c', 'd', 'e', 'f']) {
    void start(client, client, 40);
    await turns.next();
  }
  while (finished.length === 0) await turns.next();
  const inProgress = Object.values(countNames(done)).filter((count) => count > 8);
  assert.is(inProgress.length, 4);
  while (finished.length < 6) await turns.next();
  assert.equal(finished.toSorted(), ['a', 'b', 'c', 'd', 'e', 'f']);
});

laws('a runner that had nothing to do goes on with new work', async () => {
  const { turns, start, finished } = createRunner();
  for (const name of ['first', 'second', 'third']) {
    void start('a', name, 10);
    for (let turn = 0; turn < 9; turn += 1) await turns.next();
  }
  assert.equal(finished, ['first', 'second', 'third']);
});

laws('a client whose long work fails can have other long work done', async () => {
  const { turns, runner, start, finished } = createRunner();
  const fail = (function* (): Steps<never> {
    for (let at = 0; at < 20; at += 1) {
      turns.time += 1;
      yield;
    }
    throw new Error('broken');
  })();
  const failed = Promise.resolve(runner.run(fail, { client: 'a' })).catch(({ message }: Error) => message);
  await turns.next();
  void start('a', 'next', 20);
  for (let turn = 0; turn < 30; turn += 1) await turns.next();
  assert.is(await failed, 'broken');
  assert.equal(finished, ['next']);
});

/** Starts short work until it is refused. Returns how much was taken, and the code. */
function countTaken(begin: (at: number) => void): [taken: number, code: string] {
  for (let taken = 0; taken < 20_000; taken += 1)
    try {
      begin(taken);
    } catch (error) {
      return [taken, (error as Refusal).envelope.code];
    }
  return [20_000, ''];
}

laws('1,000 pieces of new work of one client may wait, and 10,000 in all', () => {
  for (const [clients, most, code] of [
    [1, 1000, 'work_share'],
    [20, 10_000, 'too_busy'],
  ] as const) {
    const { runner, work } = createRunner();
    // The first takes the whole slice of this turn, and is no new work any more.
    void runner.run(work('first', 9), { client: 'first' });
    const begin = (at: number) => void runner.run(work('many', 9), { client: `client ${at % clients}` });
    assert.equal(countTaken(begin), [most, code], `${clients} clients`);
  }
});

laws('1,000 pieces of long work may wait in all', async () => {
  const { turns, start } = createRunner();
  const refused: unknown[] = [];
  for (let count = 0; count < 1010; count += 1)
    start(`client ${count % 50}`, 'long', 10_000).catch((error) => refused.push(error));
  for (let turn = 0; turn < 2500; turn += 1) await turns.next();
  // Four are active.
  assert.is(refused.length, 1010 - 1004);
  assert.is((refused[0] as Refusal).envelope.code, 'too_busy');
});

laws('a value is there at once, and steps are what can go on', () => {
  assert.is(runAtOnce(wait(7)), 7);
  assert.is(runAtOnce(andThen(wait(7), (value) => value + 1)), 8);
  assert.is(runAtOnce(oneStep(() => 7)), 7);
  for (const value of [undefined, null, 7, 'text', {}, Promise.resolve(7)] as unknown[])
    assert.not(isSteps(value as object), String(value));
  assert.ok(isSteps(wait(7)));
});

laws('work of one step waits for its turn', () => {
  let isDone = false;
  const work = oneStep(() => (isDone = true));
  work.next();
  assert.not(isDone);
  work.next();
  assert.ok(isDone);
});

laws.run();
