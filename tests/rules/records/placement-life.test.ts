import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { dayAt } from '../../support/days.ts';
import { strict, toBody } from '../../support/sandbox.ts';
import {
  changePlacement,
  codesOf,
  isRefused,
  openSmallDesk,
  place,
  readCandidate,
  readOrder,
} from '../../support/small-desk.ts';
import type { Desk } from '../../support/world.ts';

/** Statuses, free days and openings follow from days as the oracle of `placement-desk` says. */
const life = suite('the life of a placement');

const left = (day: number) => ({ endDate: dayAt(day), endReason: 'candidate-left' });

life('may end years after day 90 without a planned end', async () => {
  const desk = await openSmallDesk();
  await place(desk, { ref: 'x', startDate: dayAt(-1500) });
  const { body } = await changePlacement(desk, 'x', left(-3));
  assert.is(body.placement.status, 'completed');
  const last = body.placement.transitions.at(-1);
  assert.is(last.from, 'active');
  assert.is(last.to, 'completed');
  assert.is(last.reason, 'candidate-left');
});

for (const status of [undefined, 'ended-early', 'completed'])
  life(`ends with status ${status}, and names the resulting status`, async () => {
    const desk = await openSmallDesk();
    await place(desk, { ref: 'x', startDate: dayAt(-10), plannedEndDate: dayAt(30) });
    const { body } = await changePlacement(desk, 'x', { ...(status && { status }), ...left(-1) });
    assert.is(body.placement?.status, 'ended-early', JSON.stringify(body));
    const finished = await changePlacement(desk, 'x', { ...(status && { status }), endReason: 'finished' });
    assert.is(finished.body.placement?.status, 'completed', JSON.stringify(finished.body));
  });

life('needs a day to end', async () => {
  const desk = await openSmallDesk();
  await place(desk, { ref: 'x', startDate: dayAt(-10) });
  for (const status of ['ended-early', 'completed']) {
    const { body } = await changePlacement(desk, 'x', { status, endReason: 'other' });
    assert.is(body.code, 'invalid_request');
    assert.equal(codesOf({ body }), ['endDate']);
  }
});

life('keeps a person placed whom the client took on, until they are available', async () => {
  const desk = await openSmallDesk();
  await place(desk, { ref: 'x', startDate: dayAt(-200) });
  const { body } = await changePlacement(desk, 'x', { endDate: dayAt(-5), endReason: 'converted' });
  assert.is(body.placement.status, 'completed');
  const held = await readCandidate(desk);
  assert.is(held.status, 'placed');
  assert.is(held.freeFrom, null);

  const moved = await desk.patch('/candidates/%23a', { status: 'available' });

  assert.is(moved.status, 200, moved.text);
  assert.is((await readCandidate(desk)).status, 'available');
  assert.is((await readCandidate(desk)).freeFrom, dayAt(0));
  await changePlacement(desk, 'x', { note: 'Still there.' });
  assert.is((await readCandidate(desk)).status, 'available', 'another change does not hold the person again');
});

life('has the day and the reason of its end corrected, one at a time', async () => {
  const desk = await openSmallDesk();
  await place(desk, { ref: 'x', startDate: dayAt(-50) });
  await changePlacement(desk, 'x', left(-40));
  assert.is((await changePlacement(desk, 'x', { endDate: dayAt(-4) })).body.placement.endDate, dayAt(-4));
  const { body } = await changePlacement(desk, 'x', { endReason: 'client-ended' });
  assert.is(body.placement.endReason, 'client-ended');
  assert.is(body.placement.transitions.length, 1, 'a correction is not a move');
});

life('is active again once its end is removed', async () => {
  const desk = await openSmallDesk();
  await place(desk, { ref: 'x', startDate: dayAt(-50) });
  await changePlacement(desk, 'x', left(-4));
  const { body } = await changePlacement(desk, 'x', { endDate: null });
  const { status, endDate, endReason, transitions } = body.placement;
  assert.is(status, 'active');
  assert.is(endDate, undefined);
  assert.is(endReason, undefined);
  assert.is(transitions.at(-1).from, 'ended-early');
  assert.is(transitions.at(-1).to, 'active');
  assert.is((await readCandidate(desk)).status, 'placed');
});

life('keeps its planned end once it has ended, until the end is removed', async () => {
  const desk = await openSmallDesk();
  await place(desk, { ref: 'x', startDate: dayAt(-50), plannedEndDate: dayAt(10) });
  await changePlacement(desk, 'x', left(-4));
  const { body } = await changePlacement(desk, 'x', { plannedEndDate: dayAt(20) });
  assert.is(body.code, 'illegal_transition');
  assert.equal(codesOf({ body }), ['plannedEndDate']);
  assert.not(isRefused(await changePlacement(desk, 'x', { plannedEndDate: dayAt(10), note: 'Same.' })));
  assert.not(isRefused(await changePlacement(desk, 'x', { plannedEndDate: dayAt(20), endDate: null })));
});

const fates = {
  'made available': async ({ ask }: Desk) => {
    for (const status of ['withdrawn', 'available']) await ask('PATCH', '/candidates/%23a', { status });
  },
  'taken on': async (desk: Desk) => {
    await place(desk, { ref: 'x', startDate: dayAt(-200) });
    await changePlacement(desk, 'x', { endDate: dayAt(-5), endReason: 'converted' });
  },
};

for (const [first, last, status] of [
  ['made available', 'taken on', 'placed'],
  ['taken on', 'made available', 'available'],
] as const)
  life(`leaves a person ${status} who is ${first} and then ${last}, on one day`, async () => {
    const desk = await openSmallDesk();
    for (const fate of [first, last]) {
      await fates[fate](desk);
      desk.world.pass(60_000);
    }
    assert.is((await readCandidate(desk)).status, status);
  });

life('ends before its start only if it is cancelled', async () => {
  const desk = await openSmallDesk();
  await place(desk, { ref: 'x', startDate: dayAt(20) });
  for (const endReason of ['candidate-left', 'finished', 'converted', 'other']) {
    const { body } = await changePlacement(desk, 'x', { endDate: dayAt(0), endReason });
    assert.is(body.code, 'invalid_request', endReason);
    assert.equal(codesOf({ body }), ['endDate'], endReason);
  }
  const { body } = await changePlacement(desk, 'x', { endDate: dayAt(0), endReason: 'cancelled' });
  assert.is(body.placement.status, 'ended-early');
  assert.is((await readCandidate(desk)).freeFrom, dayAt(0), 'no day of it was worked');
});

life('refuses an end before it is accepted', async () => {
  const desk = await openSmallDesk();
  await place(desk, { ref: 'x', status: 'proposed', startDate: dayAt(-5) });
  const { body } = await changePlacement(desk, 'x', left(-1));
  assert.is(body.code, 'illegal_transition');
  const both = await changePlacement(desk, 'x', { status: 'scheduled', ...left(-1) });
  assert.is(isRefused(both), true);
});

life('refuses to make a candidate available who is at work', async () => {
  const desk = await openSmallDesk();
  await place(desk, { ref: 'x', startDate: dayAt(-50) });
  const { status, body } = await desk.patch('/candidates/%23a', { status: 'available' });
  assert.is(status, 409);
  assert.is(body.code, 'illegal_transition');
  assert.match(body.reason, /End its placement first/);
});

life('fills an opening of its order, also when completed, until openings are raised', async () => {
  const desk = await openSmallDesk();
  await place(desk, { ref: 'x', startDate: dayAt(-50), plannedEndDate: dayAt(-1) });
  const again = await place(desk, { candidateId: '#b' }, strict);
  assert.is(again.body.code, 'conflict');
  assert.match(again.body.reason, /raise openings/);
  await desk.patch('/job-orders/%23o', { openings: 2 });
  assert.not(isRefused(await place(desk, { candidateId: '#b' }, strict)));
});

life('accepts the one of two orders to which its person was proposed', async () => {
  const desk = await openSmallDesk();
  await place(desk, { ref: 'ao', status: 'proposed' });
  await place(desk, { ref: 'ap', status: 'proposed', jobOrderId: '#p' });
  await place(desk, { ref: 'bo', status: 'proposed', candidateId: '#b' });
  assert.is((await readOrder(desk)).proposals, 2);
  assert.is((await readCandidate(desk)).status, 'available');

  await changePlacement(desk, 'ao', { status: 'scheduled', startDate: dayAt(-1) });

  assert.is((await readOrder(desk)).status, 'filled');
  assert.is((await readOrder(desk)).proposals, 1);
  assert.equal(codesOf(await changePlacement(desk, 'ap', { status: 'scheduled' })), ['already_placed']);
  assert.equal(codesOf(await changePlacement(desk, 'bo', { status: 'scheduled' })), ['already_filled']);
});

life('an order accepts fifty open placements', async () => {
  const desk = await openSmallDesk();
  const refs = Array.from({ length: 51 }, (_, at) => `c${at}`);
  const candidates = refs.map((ref) => toBody.candidate({ ref, name: ref }));
  const toPlacement = (ref: string) =>
    toBody.placement({ ref, candidateId: `#${ref}`, jobOrderId: '#o', status: 'proposed' });
  const tooMany = await desk.post('/batch', { candidates, placements: refs.map(toPlacement) });
  assert.is(tooMany.body.code, 'too_many_proposals');
  const placements = refs.slice(1).map(toPlacement);
  assert.is((await desk.post('/batch', { candidates, placements })).status, 201);

  const one = await place(desk, { candidateId: '#c0', status: 'proposed' });
  assert.is(one.status, 409);
  assert.is(one.body.code, 'too_many_proposals');
  await changePlacement(desk, 'c1', { status: 'declined' });
  assert.is((await place(desk, { candidateId: '#c0', status: 'proposed' })).status, 201);
});

life('an order is closed after its last day, and open again with a later one', async () => {
  const desk = await openSmallDesk({ o: { endDate: dayAt(5) } });
  desk.world.toDay(5);
  assert.is((await readOrder(desk)).status, 'open');
  desk.world.toDay(6);
  const { status, openingsLeft } = await readOrder(desk);
  assert.is(status, 'closed');
  assert.is(openingsLeft, 0);
  const refused = await desk.patch('/job-orders/%23o', { status: 'open' });
  assert.is(refused.status, 409);
  assert.is(refused.body.code, 'illegal_transition');
  const opened = await desk.patch('/job-orders/%23o', { endDate: dayAt(6) });
  assert.is(opened.body.jobOrder.status, 'open');
});

life('an imported order that closed after its last day opens again with a later one', async () => {
  const desk = await openSmallDesk({ o: { endDate: dayAt(5) } });
  desk.world.toDay(6);
  const page = (await desk.get('/workspace/export')).body;
  const copy = await desk.world.open(page);
  const [order] = copy.reply.body.jobOrders;
  assert.is(order.status, 'closed');
  const opened = await copy.patch(order.links.self, { endDate: dayAt(9) });
  assert.is(opened.body.jobOrder.status, 'open');
});

life('an export keeps an end, a conversion and a person made available', async () => {
  const desk = await openSmallDesk();
  await place(desk, { ref: 'x', startDate: dayAt(-200), guaranteeDays: 30 });
  await changePlacement(desk, 'x', { endDate: dayAt(-100), endReason: 'converted' });
  await place(desk, { ref: 'y', candidateId: '#b', jobOrderId: '#p', startDate: dayAt(-20) });
  await changePlacement(desk, 'y', { endDate: dayAt(-10), endReason: 'converted' });
  await desk.patch('/candidates/%23a', { status: 'available' });
  const statuses = (rows: { ref: string; status: string }[]) =>
    rows.map(({ ref, status }) => `${ref} ${status}`);
  const page = (await desk.get('/workspace/export')).body;

  desk.world.toDay(3);
  const copy = await desk.world.open(page);

  const back = await copy.get('/workspace/export');
  assert.equal(statuses(back.body.candidates), ['a available', 'b placed']);
  assert.equal(statuses(back.body.placements), ['x completed', 'y completed']);
  assert.is(back.body.placements[0].guaranteeDays, 30);
});

life.run();
