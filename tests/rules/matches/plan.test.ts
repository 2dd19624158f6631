import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Body } from '../../support/http.ts';
import {
  askPlan,
  carpenter,
  carpenters,
  changeRecord,
  critical,
  nurse,
  order,
  pairsOf,
  placeOn,
  propose,
  readPlan,
  registered,
  world,
} from '../../support/plans.ts';

const planning = suite('the plan of a workspace');

const reasonsOf = ({ unfilled }: Body): string[] => unfilled.map(({ reason }: Body) => reason);

planning('gives a person that two orders want to the order that nobody else fits', async () => {
  const desk = await world.open({
    candidates: [nurse('both', { credentials: ['ACLS'] }), nurse('one')],
    jobOrders: [order('any'), order('acls', { requires: ['ACLS'] })],
  });
  assert.equal(pairsOf(await readPlan(desk)), ['acls both', 'any one']);
});

planning('of plans that fill as many openings, has the one with the highest total score', async () => {
  const desk = await world.open({
    candidates: [nurse('icu'), nurse('er', { skills: ['ER'] })],
    jobOrders: [order('wantsEr', { skills: ['ER'] }), order('wantsIcu')],
  });
  assert.equal(pairsOf(await readPlan(desk)), ['wantsIcu icu', 'wantsEr er']);
});

planning('shows the score that a match of the pair has, and what is not stated', async () => {
  const desk = await world.open({
    candidates: [nurse('a')],
    jobOrders: [order('o', { shift: 'night', skills: ['ICU', 'ER'] })],
  });
  const [row] = (await readPlan(desk)).plan;
  const { body } = await desk.get('/job-orders/%23o/matches?scope=workspace');
  assert.is(row.score, body.matches[0].score);
  assert.equal(row.unknown, ['shift not stated']);
});

planning('names the order and the person by id, ref and title or name', async () => {
  const desk = await world.open({ candidates: [nurse('a')], jobOrders: [order('o')] });
  const [{ jobOrder, candidate }] = (await readPlan(desk)).plan;
  const made = (await desk.get('/job-orders/%23o')).body.jobOrder;
  const person = (await desk.get('/candidates/%23a')).body.candidate;
  assert.equal(jobOrder, { id: made.id, ref: 'o', title: 'Order o' });
  assert.equal(candidate, { id: person.id, ref: 'a', name: 'Nurse a' });
});

planning('fills an order with three openings with the three who fit best', async () => {
  const desk = await world.open({
    candidates: [
      nurse('far', { metro: 'Reno, NV' }),
      nurse('a'),
      nurse('b'),
      nurse('near', { metro: 'Cleveland, OH' }),
    ],
    jobOrders: [order('o', { openings: 3 })],
  });
  assert.equal(pairsOf(await readPlan(desk)), ['o b', 'o a', 'o near']);
});

planning('says how many openings of an order stay empty', async () => {
  const desk = await world.open({ candidates: [nurse('a')], jobOrders: [order('o', { openings: 3 })] });
  const { unfilled } = await readPlan(desk);
  assert.is(unfilled[0].openings, 2);
});

planning('plans only the openings that no accepted placement takes', async () => {
  const desk = await world.open({
    candidates: [nurse('a'), nurse('b'), nurse('c')],
    jobOrders: [order('o', { openings: 2 })],
  });
  await placeOn(desk, '#a', '#o');
  assert.equal(pairsOf(await readPlan(desk)), ['o c']);
});

planning('is EMPTY without an open order', async () => {
  const desk = await world.open({ candidates: [nurse('a')] });
  assert.is((await readPlan(desk)).type, 'EMPTY');
});

planning('needs a workspace', async () => {
  assert.is((await world.get('/workspace/plan')).status, 401);
  assert.is((await world.tool('planWorkspace', {})).isError, true);
});

planning('refuses a minScore that is not from 0 to 100, and another unstated than unmet', async () => {
  const desk = await world.open({ candidates: [nurse('a')], jobOrders: [order('o')] });
  for (const [name, values] of Object.entries({ minScore: ['-1', '100.5', 'high'], unstated: ['met'] }))
    for (const value of values) {
      const { status, body } = await askPlan(desk, `${name}=${value}`);
      assert.is(status, 400, value);
      assert.is(body.issues[0].path, name);
    }
  for (const value of ['0', '100']) assert.is((await askPlan(desk, `minScore=${value}`)).status, 200, value);
});

planning('says why an opening stays empty', async () => {
  const cases: [string, object[], object][] = [
    ['The workspace has no candidate who can be planned.', [], {}],
    ['No candidate reaches the score.', [carpenter], {}],
    [
      'No candidate who reaches the score meets the gates.',
      [nurse('a', { shifts: ['day'] })],
      { shift: 'night' },
    ],
    ['Each candidate who fits is planned already.', [nurse('a')], { openings: 2 }],
  ];
  for (const [reason, candidates, more] of cases) {
    const desk = await world.open({ candidates, jobOrders: [order('o', more)] });
    assert.equal(reasonsOf(await readPlan(desk)), [reason]);
  }
});

planning('says that everybody who fits was declined', async () => {
  const desk = await world.open({ candidates: [nurse('a')], jobOrders: [order('o')] });
  const id = await placeOn(desk, '#a', '#o', propose);
  await changeRecord(desk, `/placements/${id}`, { status: 'declined' });
  assert.equal(reasonsOf(await readPlan(desk)), [
    'Each candidate who fits was declined for this order, left it, or is placed in it.',
  ]);
});

planning('proposes nothing', async () => {
  const desk = await world.open({ candidates: [nurse('a')], jobOrders: [order('o')] });
  await readPlan(desk);
  const { records, revision } = (await desk.get('/workspace')).body.workspace;
  assert.is(records.placements, 0);
  assert.is(revision, 1);
});

planning('is 304 until the workspace changes', async () => {
  const desk = await world.open({ candidates: [nurse('a')], jobOrders: [order('o')] });
  const { headers } = await askPlan(desk);
  const again = () =>
    world.get('/workspace/plan', {
      'x-workspace': desk.workspace,
      'if-none-match': headers.get('etag'),
    });
  assert.is((await again()).status, 304);
  await changeRecord(desk, '/candidates/%23a', { status: 'withdrawn' });
  assert.is((await again()).status, 200);
});

const metros = ['Columbus, OH', 'Austin, TX', 'Reno, NV'];
const codes = [critical, registered, carpenters, '15-1252.00'];

/** Forty orders and two hundred people of four occupations. */
const orders40 = Array.from({ length: 40 }, (_, at) =>
  order(`order-${at}`, { title: 'Night nurse, intensive care', onetCode: codes[at % 4], shift: 'night' }),
);
const people200 = Array.from({ length: 200 }, (_, at) => ({
  ...nurse(`person-${at}`, { onetCode: codes[at % 4], metro: metros[at % 3] }),
  name: `Person of a usual name ${at}`,
}));

/** Makes a desk of forty orders and two hundred people, which are more than one batch. */
async function openLargeDesk(jobOrders: object[], candidates: object[]) {
  const desk = await world.open({ jobOrders });
  const made = await desk.post('/batch', { candidates });
  assert.is(made.status, 201, made.text);
  return desk;
}

planning('of 40 orders and 200 people is at most 16 kB', async () => {
  const desk = await openLargeDesk(orders40, people200);
  const { text, body } = await askPlan(desk);
  assert.is(body.plan.length, 40);
  console.log(`figure: plan bytes ${Buffer.byteLength(text)}`);
  assert.ok(Buffer.byteLength(text) <= 16_000, `${Buffer.byteLength(text)} bytes`);
});

planning('plans each person once, and has no order in more rows than it has openings', async () => {
  const desk = await openLargeDesk(orders40, people200);
  const pairs = pairsOf(await readPlan(desk)).map((pair) => pair.split(' '));
  assert.is(new Set(pairs.map(([, person]) => person)).size, 40);
  assert.is(new Set(pairs.map(([one]) => one)).size, 40);
});

planning('has the same total in whichever order the records were created', async () => {
  const total = ({ plan }: Body): number => plan.reduce((sum: number, { score }: Body) => sum + score, 0);
  const desk = await openLargeDesk(orders40, people200.slice(0, 50));
  const turned = await openLargeDesk(orders40.toReversed(), people200.slice(0, 50).toReversed());
  assert.is(total(await readPlan(turned)), total(await readPlan(desk)));
});

planning('takes the newest orders if there are more than one plan has, and counts the others', async () => {
  const desk = await world.open({
    candidates: [nurse('a')],
    jobOrders: [
      order('old', { openings: 1 }),
      order('large', { openings: 600 }),
      order('new', { openings: 400 }),
    ],
  });
  const { unfilled, more } = await readPlan(desk);
  assert.equal(
    unfilled.map(({ jobOrder }: Body) => jobOrder.ref),
    ['new', 'large'],
  );
  assert.is(more, 1);
});

planning.run();
