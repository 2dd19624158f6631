import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { codesOf, dayAt, openWorld } from '../../support/desk-world.ts';

const life = suite('the life of a placement');

type World = Awaited<ReturnType<typeof openWorld>>;

const left = (day: number) => ({ endDate: dayAt(day), endReason: 'candidate-left' });

life('ends long after its planned end, and its candidate is free', async () => {
  const world = await openWorld();
  await world.place({ ref: 'x', startDate: '2026-03-02', plannedEndDate: '2026-05-29' });
  assert.is((await world.placement('x')).status, 'completed');

  const { body, isRefused } = await world.change('x', {
    endDate: '2026-08-28',
    endReason: 'candidate-left',
  });

  assert.not(isRefused, JSON.stringify(body));
  assert.is(body.placement.status, 'completed');
  assert.is((await world.person()).status, 'available');
  const [first] = await world.matches('p');
  assert.is.not(first!.meets, false);
});

life('ends years after day 90 without a planned end', async () => {
  const world = await openWorld();
  await world.place({ ref: 'x', startDate: dayAt(-1500) });
  assert.is((await world.placement('x')).status, 'active');
  const { body } = await world.change('x', left(-3));
  assert.is(body.placement.status, 'completed');
  const last = body.placement.transitions.at(-1);
  assert.is(last.from, 'active');
  assert.is(last.to, 'completed');
  assert.is(last.reason, 'candidate-left');
});

for (const status of [undefined, 'ended-early', 'completed'])
  life(`ends with status ${status}, and names the resulting status`, async () => {
    const world = await openWorld();
    await world.place({ ref: 'x', startDate: dayAt(-10), plannedEndDate: dayAt(30) });
    const { body } = await world.change('x', { ...(status && { status }), ...left(-1) });
    assert.is(body.placement?.status, 'ended-early', JSON.stringify(body));
    const finished = await world.change('x', { ...(status && { status }), endReason: 'finished' });
    assert.is(finished.body.placement?.status, 'completed', JSON.stringify(finished.body));
  });

life('needs a day to end', async () => {
  const world = await openWorld();
  await world.place({ ref: 'x', startDate: dayAt(-10) });
  for (const status of ['ended-early', 'completed']) {
    const { body } = await world.change('x', { status, endReason: 'other' });
    assert.is(body.code, 'invalid_request');
    assert.equal(codesOf({ body }), ['endDate']);
  }
});

life('keeps a person placed whom the client took on, until they are available', async () => {
  const world = await openWorld();
  await world.place({ ref: 'x', startDate: dayAt(-200) });
  const { body } = await world.change('x', { endDate: dayAt(-5), endReason: 'converted' });
  assert.is(body.placement.status, 'completed');
  const held = await world.person();
  assert.is(held.status, 'placed');
  assert.is(held.freeFrom, null);

  const moved = await world.ask('PATCH', '/candidates/%23a', { status: 'available' });

  assert.is(moved.status, 200, moved.text);
  assert.is((await world.person()).status, 'available');
  assert.is((await world.person()).freeFrom, dayAt(0));
  await world.change('x', { note: 'Still there.' });
  assert.is((await world.person()).status, 'available', 'another change does not hold the person again');
});

life('has the day and the reason of its end corrected, one at a time', async () => {
  const world = await openWorld();
  await world.place({ ref: 'x', startDate: dayAt(-50) });
  await world.change('x', left(-40));
  assert.is((await world.change('x', { endDate: dayAt(-4) })).body.placement.endDate, dayAt(-4));
  const { body } = await world.change('x', { endReason: 'client-ended' });
  assert.is(body.placement.endReason, 'client-ended');
  assert.is(body.placement.transitions.length, 1, 'a correction is not a move');
});

life('is active again once its end is removed', async () => {
  const world = await openWorld();
  await world.place({ ref: 'x', startDate: dayAt(-50) });
  await world.change('x', left(-4));
  const { body } = await world.change('x', { endDate: null });
  const { status, endDate, endReason, transitions } = body.placement;
  assert.is(status, 'active');
  assert.is(endDate, undefined);
  assert.is(endReason, undefined);
  assert.is(transitions.at(-1).from, 'ended-early');
  assert.is(transitions.at(-1).to, 'active');
  assert.is((await world.person()).status, 'placed');
});

life('is active again once its planned end is later', async () => {
  const world = await openWorld();
  await world.place({ ref: 'x', startDate: dayAt(-200), plannedEndDate: dayAt(-57) });
  assert.is((await world.placement('x')).status, 'completed');
  const { body } = await world.change('x', { plannedEndDate: dayAt(20) });
  assert.is(body.placement.status, 'active');
  assert.is((await world.person()).freeFrom, dayAt(21));
});

life('keeps its planned end once it has ended, until the end is removed', async () => {
  const world = await openWorld();
  await world.place({ ref: 'x', startDate: dayAt(-50), plannedEndDate: dayAt(10) });
  await world.change('x', left(-4));
  const { body } = await world.change('x', { plannedEndDate: dayAt(20) });
  assert.is(body.code, 'illegal_transition');
  assert.equal(codesOf({ body }), ['plannedEndDate']);
  assert.not((await world.change('x', { plannedEndDate: dayAt(10), note: 'Same.' })).isRefused);
  assert.not((await world.change('x', { plannedEndDate: dayAt(20), endDate: null })).isRefused);
});

const fates = {
  'made available': async ({ ask }: World) => {
    for (const status of ['withdrawn', 'available']) await ask('PATCH', '/candidates/%23a', { status });
  },
  'taken on': async ({ place, change }: World) => {
    await place({ ref: 'x', startDate: dayAt(-200) });
    await change('x', { endDate: dayAt(-5), endReason: 'converted' });
  },
};

for (const [first, last, status] of [
  ['made available', 'taken on', 'placed'],
  ['taken on', 'made available', 'available'],
] as const)
  life(`leaves a person ${status} who is ${first} and then ${last}, on one day`, async () => {
    const world = await openWorld();
    for (const fate of [first, last]) {
      await fates[fate](world);
      world.clock.now += 60_000;
    }
    assert.is((await world.person()).status, status);
  });

life('ends before its start only if it is cancelled', async () => {
  const world = await openWorld();
  await world.place({ ref: 'x', startDate: dayAt(20) });
  for (const endReason of ['candidate-left', 'finished', 'converted', 'other']) {
    const { body } = await world.change('x', { endDate: dayAt(0), endReason });
    assert.is(body.code, 'invalid_request', endReason);
    assert.equal(codesOf({ body }), ['endDate'], endReason);
  }
  const { body } = await world.change('x', { endDate: dayAt(0), endReason: 'cancelled' });
  assert.is(body.placement.status, 'ended-early');
  assert.is((await world.person()).freeFrom, dayAt(0), 'no day of it was worked');
});

life('refuses an end before it is accepted', async () => {
  const world = await openWorld();
  await world.place({ ref: 'x', status: 'proposed', startDate: dayAt(-5) });
  const { body } = await world.change('x', left(-1));
  assert.is(body.code, 'illegal_transition');
  const both = await world.change('x', { status: 'scheduled', ...left(-1) });
  assert.is(both.isRefused, true);
});

life('refuses to make a candidate available who is at work', async () => {
  const world = await openWorld();
  await world.place({ ref: 'x', startDate: dayAt(-50) });
  const { status, body } = await world.ask('PATCH', '/candidates/%23a', { status: 'available' });
  assert.is(status, 409);
  assert.is(body.code, 'illegal_transition');
  assert.match(body.reason, /End its placement first/);
});

life('says from when a candidate is free', async () => {
  const world = await openWorld({ a: { availableFrom: dayAt(7) } });
  assert.is((await world.person()).freeFrom, dayAt(7));
  await world.place({ ref: 'x', startDate: dayAt(-10), plannedEndDate: dayAt(3) });
  assert.is((await world.person()).freeFrom, dayAt(7));
  await world.place({ ref: 'y', jobOrderId: '#p', startDate: dayAt(30), plannedEndDate: dayAt(60) });
  assert.is((await world.person()).freeFrom, dayAt(61));
  await world.change('y', { plannedEndDate: null });
  assert.is((await world.person()).freeFrom, null);
});

life('counts its last day as worked: who ends today is free tomorrow', async () => {
  const world = await openWorld();
  await world.place({ ref: 'x', startDate: dayAt(-10) });
  await world.change('x', left(0));
  const { status, freeFrom } = await world.person();
  assert.is(status, 'available');
  assert.equal(freeFrom, dayAt(1));
});

life('fills an opening of its order, also when completed, until openings are raised', async () => {
  const world = await openWorld();
  await world.place({ ref: 'x', startDate: dayAt(-50), plannedEndDate: dayAt(-1) });
  assert.is((await world.order()).status, 'filled');
  const again = await world.place({ candidateId: '#b', strict: true });
  assert.is(again.body.code, 'conflict');
  assert.match(again.body.reason, /raise openings/);
  await world.ask('PATCH', '/job-orders/%23o', { openings: 2 });
  assert.is((await world.order()).openingsLeft, 1);
  assert.not((await world.place({ candidateId: '#b', strict: true })).isRefused);
});

life('frees its opening if it ended early', async () => {
  const world = await openWorld();
  await world.place({ ref: 'x', startDate: dayAt(-50) });
  await world.change('x', left(-1));
  assert.is((await world.order()).status, 'open');
});

life('an order is closed after its last day, and open again with a later one', async () => {
  const world = await openWorld({ o: { endDate: dayAt(5) } });
  world.to(5);
  assert.is((await world.order()).status, 'open');
  world.to(6);
  const { status, openingsLeft } = await world.order();
  assert.is(status, 'closed');
  assert.is(openingsLeft, 0);
  const refused = await world.ask('PATCH', '/job-orders/%23o', { status: 'open' });
  assert.is(refused.status, 409);
  assert.is(refused.body.code, 'illegal_transition');
  const opened = await world.ask('PATCH', '/job-orders/%23o', { endDate: dayAt(6) });
  assert.is(opened.body.jobOrder.status, 'open');
});

life('an imported order that closed after its last day opens again with a later one', async () => {
  const world = await openWorld({ o: { endDate: dayAt(5) } });
  world.to(6);
  const page = (await world.ask('GET', '/workspace/export')).body;
  const { body } = await world.core.ask('POST', '/batch', page);
  const [order] = body.jobOrders;
  assert.is(order.status, 'closed');
  const mine = { 'x-workspace': body.workspace };
  const opened = await world.core.ask('PATCH', order.links.self, { endDate: dayAt(9) }, mine);
  assert.is(opened.body.jobOrder.status, 'open');
});

life('an order that was closed has no opening left', async () => {
  const world = await openWorld();
  await world.ask('PATCH', '/job-orders/%23o', { status: 'closed' });
  assert.is((await world.order()).openingsLeft, 0);
});

life('an export keeps an end, a conversion and a person made available', async () => {
  const world = await openWorld();
  await world.place({ ref: 'x', startDate: dayAt(-200), guaranteeDays: 30 });
  await world.change('x', { endDate: dayAt(-100), endReason: 'converted' });
  await world.place({ ref: 'y', candidateId: '#b', jobOrderId: '#p', startDate: dayAt(-20) });
  await world.change('y', { endDate: dayAt(-10), endReason: 'converted' });
  await world.ask('PATCH', '/candidates/%23a', { status: 'available' });
  const statuses = (rows: { ref: string; status: string }[]) =>
    rows.map(({ ref, status }) => `${ref} ${status}`);
  const page = (await world.ask('GET', '/workspace/export')).body;

  world.to(3);
  const { status, body } = await world.core.ask('POST', '/batch', page);

  assert.is(status, 201, JSON.stringify(body));
  const mine = { 'x-workspace': body.workspace };
  const back = await world.core.ask('GET', '/workspace/export', undefined, mine);
  assert.equal(statuses(back.body.candidates), ['a available', 'b placed']);
  assert.equal(statuses(back.body.placements), ['x completed', 'y completed']);
  assert.is(back.body.placements[0].guaranteeDays, 30);
});

life.run();
