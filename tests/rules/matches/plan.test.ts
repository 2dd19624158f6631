import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { dayAt } from '../../support/days.ts';
import {
  askPlan,
  carpenters,
  changeRecord,
  critical,
  nurse,
  order,
  pairsOf,
  placeOn,
  readPlan,
  registered,
  world,
} from '../../support/plans.ts';

const planning = suite('the plan of a workspace');

const openPair = () => world.open({ candidates: [nurse('a')], jobOrders: [order('o')] });

planning('needs a workspace', async () => {
  assert.is((await world.get('/workspace/plan')).status, 401);
});

planning('refuses a minScore that is not from 0 to 100, and another unstated than unmet', async () => {
  const desk = await openPair();
  for (const [name, values] of Object.entries({ minScore: ['-1', '100.5', 'high'], unstated: ['met'] }))
    for (const value of values) {
      const { status, body } = await askPlan(desk, `${name}=${value}`);
      assert.is(status, 400, value);
      assert.is(body.issues[0].path, name);
    }
  for (const value of ['0', '100']) assert.is((await askPlan(desk, `minScore=${value}`)).status, 200, value);
});

planning('proposes nothing', async () => {
  const desk = await openPair();
  await readPlan(desk);
  assert.is((await desk.get('/workspace')).body.workspace.revision, 1);
});

planning('is 304 until the workspace changes', async () => {
  const desk = await openPair();
  const { headers } = await askPlan(desk);
  const again = () => desk.get('/workspace/plan', { 'if-none-match': headers.get('etag') });
  assert.is((await again()).status, 304);
  await changeRecord(desk, '/candidates/%23a', { status: 'withdrawn' });
  assert.is((await again()).status, 200);
});

for (const [start, pairs] of [
  [10, []],
  [11, ['later a']],
] as const)
  planning(`a placement until day 10 leaves ${pairs.length} pairs of work from day ${start}`, async () => {
    const desk = await world.open({
      candidates: [nurse('a')],
      jobOrders: [order('later', { startDate: dayAt(start) }), order('now')],
    });
    await placeOn(desk, '#a', '#now', { startDate: dayAt(0), plannedEndDate: dayAt(10) });
    assert.equal(pairsOf(await readPlan(desk)), pairs);
  });

planning('does not give a person a second opening of the order that holds the person', async () => {
  const half = { hoursPerWeek: 20 };
  const desk = await world.open({
    candidates: [nurse('a')],
    jobOrders: [order('o', { openings: 2, ...half })],
  });
  await placeOn(desk, '#a', '#o', half);
  assert.equal(pairsOf(await readPlan(desk)), []);
});

const metros = ['Columbus, OH', 'Austin, TX', 'Reno, NV'];
const codes = [critical, registered, carpenters, '15-1252.00'];

/** Makes a desk of forty orders and two hundred people of four occupations, which are more than one batch. */
async function openLargeDesk() {
  const more = { title: 'Night nurse, intensive care', shift: 'night' };
  const desk = await world.open({
    jobOrders: Array.from({ length: 40 }, (_, at) => order(`${at}`, { ...more, onetCode: codes[at % 4] })),
  });
  const candidates = Array.from({ length: 200 }, (_, at) => ({
    ...nurse(`${at}`, { onetCode: codes[at % 4], metro: metros[at % 3] }),
    name: `Person of a usual name ${at}`,
  }));
  const made = await desk.post('/batch', { candidates });
  assert.is(made.status, 201, made.text);
  return desk;
}

planning('fills each of 40 orders with people of its occupation', async () => {
  const pairs = pairsOf(await readPlan(await openLargeDesk())).map((pair) => pair.split(' ').map(Number));
  assert.is(new Set(pairs.map(([job]) => job)).size, 40);
  for (const [job, person] of pairs) assert.is(person! % 4, job! % 4, `${job} ${person}`);
});

planning('of 40 orders and 200 people is at most 16 kB', async () => {
  const { text } = await askPlan(await openLargeDesk());
  console.log(`figure: plan bytes ${Buffer.byteLength(text)}`);
  assert.ok(Buffer.byteLength(text) <= 16_000, `${Buffer.byteLength(text)} bytes`);
});

planning.run();
