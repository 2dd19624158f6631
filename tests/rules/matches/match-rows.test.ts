import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { matching } from '../../../scripts/matching.ts';
import { today } from '../../support/days.ts';
import type { Body } from '../../support/http.ts';
import {
  carpenters,
  changeRecord,
  nurse,
  order,
  placeAt,
  placeOn,
  registered,
  world,
} from '../../support/plans.ts';
import { pluck } from '../../support/rows.ts';
import { listMatches } from '../../support/small-desk.ts';

const rows = suite('rows of matches');

const points = matching.points as Record<'occupation' | 'skills' | 'metro', number>;
const openPair = () => world.open({ candidates: [nurse('a')], jobOrders: [order('o')] });

const ranked = await world.open({
  // The worst is created last, so that age does not explain the order.
  candidates: [
    nurse('same'),
    nurse('near', { onetCode: registered }),
    nurse('far', { onetCode: carpenters, skills: ['Framing'] }),
  ],
  jobOrders: [order('o')],
});
const [same, near, far] = (await listMatches(ranked)) as [Body, Body, Body];
const reasonOf = ({ reasons }: Body, factor: string) => reasons.find((one: Body) => one.factor === factor);

rows('come by how close the occupations are', () => {
  assert.equal(
    [same, near, far].map(({ candidate }) => candidate.ref),
    ['same', 'near', 'far'],
  );
});

for (const [factor, text] of [
  ['occupation', 'is of the same occupation, Critical Care Nurses'],
  ['skills', 'has 1 of the 1 skill asked for: ICU'],
  ['metro', 'is in Columbus, OH, where the order is'],
] as const)
  rows(`give all points of ${factor}, and say why`, () => {
    assert.equal(reasonOf(same, factor), { factor, points: points[factor], text });
  });

rows('give a part of the points for a close occupation', () => {
  const { points: given, text } = reasonOf(near, 'occupation');
  assert.match(text, /^Registered Nurses is close to Critical Care Nurses \(0\.\d\d of 1\)$/);
  assert.ok(given > points.occupation / 2 && given < points.occupation, String(given));
});

rows('say what is missing', () => {
  assert.equal(same.gaps, []);
  assert.equal(near.gaps, ['the order is for Critical Care Nurses, not for Registered Nurses']);
  assert.equal(far.gaps, [
    'Carpenters is not related to Critical Care Nurses',
    'lacks 1 of the 1 skill asked for: ICU',
  ]);
});

rows('have the newest placement of the pair, from both sides and in the matches of a workspace', async () => {
  const desk = await openPair();
  assert.is((await listMatches(desk))[0]!.history, undefined);
  const earlier = await placeAt(desk, 'declined', ['#a', '#o']);
  assert.equal((await listMatches(desk))[0]!.history, { placementId: earlier, status: 'declined' });
  const placementId = await placeAt(desk, 'proposed', ['#a', '#o']);
  const history = { placementId, status: 'proposed' };
  assert.equal((await listMatches(desk))[0]!.history, history);
  const { body } = await desk.get('/candidates/%23a/matches');
  assert.equal(body.matches[0].history, history);
  const { orders } = (await desk.get('/workspace/matches')).body;
  assert.equal(orders[0].matches[0].history, history);
});

rows('have the members that fields names, the score, and the id of the record', async () => {
  const desk = await openPair();
  const { body } = await desk.get('/job-orders/%23o/matches?fields=name,unknown');
  const [match] = body.matches;
  assert.equal(Object.keys(match).sort(), ['candidate', 'meets', 'score', 'unknown']);
  assert.equal(match.candidate, { id: match.candidate.id, name: 'Nurse a' });
  const { orders } = (await desk.get('/workspace/matches?fields=name')).body;
  assert.equal(Object.keys(orders[0].matches[0]).sort(), ['candidate', 'meets', 'score']);
});

rows('say that a person is placed already, and put the person last', async () => {
  const desk = await world.open({
    candidates: [nurse('free', { metro: 'Reno, NV' }), nurse('placed')],
    jobOrders: [order('o'), order('p')],
  });
  const id = await placeOn(desk, '#placed', '#p', { startDate: today });
  const busy = await listMatches(desk);
  assert.is(busy[1]!.candidate.status, 'placed');
  assert.match(busy[1]!.unmet.join(), `is placed already on ${today}, by a placement from`);
  await changeRecord(desk, `/placements/${id}`, { endDate: today, endReason: 'cancelled' });
  assert.is((await listMatches(desk))[0]!.candidate.ref, 'placed');
});

rows('leave out a person who is deleted or in another workspace', async () => {
  const desk = await world.open({ candidates: [nurse('a'), nurse('b')], jobOrders: [order('o')] });
  await world.open({ candidates: [nurse('c')] });
  await desk.delete('/candidates/%23a');
  assert.equal(pluck(pluck(await listMatches(desk), 'candidate'), 'ref'), ['b']);
});

for (const [path, noun] of [
  ['/candidates/cand_none', 'candidate'],
  ['/candidates/job_001', 'candidate'],
  ['/candidates/%23gone', 'candidate'],
  ['/job-orders/job_none', 'job order'],
  ['/job-orders/cand_001', 'job order'],
] as const)
  rows(`of ${path}, which is none in view, are 404 EMPTY`, async () => {
    const desk = await world.open({ candidates: [nurse('gone')] });
    await desk.delete('/candidates/%23gone');
    const { status, body } = await desk.get(`${path}/matches`);
    assert.is(status, 404);
    assert.is(body.type, 'EMPTY');
    assert.match(body.message, new RegExp(`No ${noun} has this (id|ref)|here belongs that of a ${noun}`));
  });

for (const [path, status, back] of [
  ['/job-orders/%23o', 'closed', 'open'],
  ['/candidates/%23a', 'withdrawn', 'available'],
] as const)
  rows(`of a record that is ${status} are EMPTY until it is ${back}`, async () => {
    const desk = await openPair();
    await changeRecord(desk, path, { status });
    const { body } = await desk.get(`${path}/matches`);
    assert.is(body.type, 'EMPTY');
    assert.is(body.total, 0);
    assert.match(body.message, `is ${status}, so nothing is matched`);
    await changeRecord(desk, path, { status: back });
    assert.is((await desk.get(`${path}/matches`)).body.total, 1);
  });

rows.run();
