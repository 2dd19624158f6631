import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { makeHeldCore } from '../support/held-reads.ts';
import { order, person } from '../support/matches.ts';

const test = suite('turns of large reads');
const core = makeHeldCore();
const { from, hold, release, countHeld, step } = core;

/** Makes a workspace with this many candidates and orders. */
async function make(count: number, orders = 1) {
  const { body } = await core.ask('POST', '/batch', { jobOrders: Array(orders).fill(order) });
  const { workspace } = body;
  for (let made = 0; made < count; made += 200) {
    const candidates = Array(Math.min(200, count - made)).fill(person());
    const { status } = await core.ask('POST', '/batch', { candidates }, { 'x-workspace': workspace });
    assert.is(status, 201);
  }
  return { workspace: workspace as string, matches: `${body.jobOrders[0].links.self}/matches` };
}

type Made = Awaited<ReturnType<typeof make>>;

const large = await make(510);
const otherLarge = await make(510);
const small = await make(40);
const tiny = await make(3);
const [one, two] = ['192.0.2.1', '192.0.2.2'];
test.after.each(release);

/** Reads that go through all records of a workspace. */
const toReads = ({ matches }: Made) => [
  `${matches}?minScore=1`,
  `${matches}?minScore=2`,
  '/candidates?status=available',
  '/candidates?skill=icu',
  '/candidates?sort=name',
  '/workspace/export?limit=30',
  '/workspace/matches?limit=2',
  '/workspace/plan?minScore=1',
];
const readAll = (made: Made, client: string) =>
  toReads(made).map((target) => from(client, target, made.workspace));

async function holdToAnswered(answers: ReturnType<typeof readAll>): Promise<void> {
  for (const { status, text } of await Promise.all(answers)) assert.is(status, 200, text);
}

for (const [what, made] of Object.entries({ long: large, short: small })) {
  test(`a client runs one ${what} read at a time`, async () => {
    hold(made.workspace);
    const answers = readAll(made, one);
    for (let steps = 0; steps < 10; steps += 1) {
      assert.is(await countHeld(), 1);
      await step();
    }
    release();
    await holdToAnswered(answers);
  });
}

test('another client is answered between two pairs of a plan', async () => {
  const [people, orders] = [40, 5];
  const { workspace } = await make(people, orders);
  hold(workspace);
  const plan = from(one, '/workspace/plan', workspace);
  // A plan reads each record first. So it compares pairs by now, and is held after one.
  for (let steps = 0; steps < 2 * (people + orders); steps += 1) await step();
  assert.is(await countHeld(), 1);
  assert.is((await from(two, '/workspace/plan', tiny.workspace)).status, 200);
  release();
  assert.is((await plan).body.plan.length, orders);
});

test('another client is answered while a list is sorted', async () => {
  const people = 150;
  const { workspace } = await make(people);
  hold(workspace);
  const sorted = from(one, '/candidates?sort=name', workspace);
  // A sorted list reads each record first. So it sorts by now.
  for (let steps = 0; steps < people; steps += 1) await step();
  assert.is(await countHeld(), 1);
  assert.is((await from(two, '/candidates?sort=name', tiny.workspace)).status, 200);
  release();
  assert.is((await sorted).body.total, people);
});

test('an IPv6 network is one client', async () => {
  hold(large.workspace);
  const answers = ['2001:db8:1:2:0:0:0:1', '2001:db8:1:2:0:0:0:2'].map((client) =>
    from(client, `${large.matches}?minScore=3`, large.workspace),
  );
  assert.is(await countHeld(), 1);
  release();
  await holdToAnswered(answers);
});

for (const [what, made] of Object.entries({ short: small, tiny })) {
  test(`${what} reads of a client are answered while its large ones wait`, async () => {
    hold(large.workspace);
    const long = readAll(large, one);
    await countHeld();
    await holdToAnswered(readAll(made, one));
    assert.is(await countHeld(), 1);
    release();
    await holdToAnswered(long);
  });
}

test('a page of a large workspace is answered while the large reads of a client wait', async () => {
  hold(otherLarge.workspace);
  const long = readAll(otherLarge, one);
  await countHeld();
  assert.is((await from(one, '/candidates?limit=200', large.workspace)).status, 200);
  release();
  await holdToAnswered(long);
});

test('the large reads of a client are answered while those of another wait', async () => {
  hold(large.workspace);
  const held = readAll(large, one);
  await countHeld();
  await holdToAnswered(readAll(otherLarge, two));
  assert.is(await countHeld(), 1);
  release();
  await holdToAnswered(held);
});

test('few large reads run at once, however many clients ask', async () => {
  hold(large.workspace);
  const answers = Array.from({ length: 12 }, (_, at) =>
    from(`192.0.2.${at + 10}`, `${large.matches}?minScore=${at + 4}`, large.workspace),
  );
  assert.is(await countHeld(), 4);
  release();
  await holdToAnswered(answers);
});

test('a caller with the current version does not wait', async () => {
  const target = `${large.matches}?minScore=50`;
  const { headers } = await from(one, target, large.workspace);
  hold(otherLarge.workspace);
  const long = readAll(otherLarge, one);
  await countHeld();
  assert.is((await from(one, target, large.workspace, { 'if-none-match': headers.ETag })).status, 304);
  release();
  await holdToAnswered(long);
});

test('a client with too many waiting reads is refused, with a Retry-After', async () => {
  hold(large.workspace);
  const waiting = Array.from({ length: 65 }, (_, at) =>
    from(one, `${large.matches}?minScore=${at / 4}`, large.workspace),
  );
  await countHeld();
  const { status, headers, body } = await from(one, `${large.matches}?minScore=99`, large.workspace);
  assert.is(status, 429);
  assert.is(body.code, 'work_share');
  assert.is(headers['Retry-After'], '2');
  await holdToAnswered(readAll(otherLarge, two));
  release();
  await holdToAnswered(waiting);
});

test.run();
