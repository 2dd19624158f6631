import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { dayAt } from '../../support/days.ts';
import {
  carpenter,
  carpenters,
  changeRecord,
  nurse,
  order,
  pairsOf,
  placeOn,
  propose,
  readPlan,
  registered,
  world,
} from '../../support/plans.ts';

const planning = suite('who can be planned for an order');

planning('leaves out orders that are closed or filled', async () => {
  const desk = await world.open({
    candidates: [nurse('a'), nurse('b')],
    jobOrders: [order('closed'), order('filled'), order('open')],
  });
  await changeRecord(desk, '/job-orders/%23closed', { status: 'closed' });
  await placeOn(desk, '#a', '#filled');
  assert.equal(pairsOf(await readPlan(desk)), ['open b']);
});

planning('has nobody of the public seed', async () => {
  const desk = await world.open({ jobOrders: [order('o')] });
  assert.equal((await readPlan(desk)).plan, []);
});

planning('leaves out a person with an unmet gate', async () => {
  const gates: [object, object][] = [
    [{ shift: 'night' }, { shifts: ['day'] }],
    [{ requires: ['ACLS'] }, {}],
    [{ startDate: dayAt(5) }, { availableFrom: dayAt(6) }],
    [{ payRateMaxUsdHour: 40 }, { payRateUsdHour: 50 }],
    [{ workplace: 'onsite' }, { workplaces: ['remote'] }],
  ];
  for (const [wanted, stated] of gates) {
    const desk = await world.open({ candidates: [nurse('a', stated)], jobOrders: [order('o', wanted)] });
    assert.equal((await readPlan(desk)).plan, [], JSON.stringify(wanted));
  }
});

planning('leaves out a person without the licence', async () => {
  const desk = await world.open({
    candidates: [nurse('a', { onetCode: '29-2061.00' })],
    jobOrders: [order('o', { onetCode: registered })],
  });
  assert.equal((await readPlan(desk, 'minScore=0')).plan, []);
});

planning('leaves out a person who has withdrawn', async () => {
  const desk = await world.open({ candidates: [nurse('a')], jobOrders: [order('o')] });
  await changeRecord(desk, '/candidates/%23a', { status: 'withdrawn' });
  assert.equal((await readPlan(desk)).plan, []);
});

planning('leaves out a person whom a placement holds on those days', async () => {
  const desk = await world.open({
    candidates: [nurse('a')],
    jobOrders: [order('o', { startDate: dayAt(5) }), order('now')],
  });
  await placeOn(desk, '#a', '#now', { startDate: dayAt(0), plannedEndDate: dayAt(10) });
  assert.equal((await readPlan(desk)).plan, []);
});

planning('has a person whom a placement holds on other days', async () => {
  const desk = await world.open({
    candidates: [nurse('a')],
    jobOrders: [order('later', { startDate: dayAt(11) }), order('now')],
  });
  await placeOn(desk, '#a', '#now', { startDate: dayAt(0), plannedEndDate: dayAt(10) });
  assert.equal(pairsOf(await readPlan(desk)), ['later a']);
});

planning('has a pair that is proposed', async () => {
  const desk = await world.open({ candidates: [nurse('a')], jobOrders: [order('o')] });
  await placeOn(desk, '#a', '#o', propose);
  assert.equal(pairsOf(await readPlan(desk)), ['o a']);
});

planning('leaves out a pair that was declined, and plans the person elsewhere', async () => {
  for (const declineReason of ['client', 'candidate', 'other', undefined]) {
    const desk = await world.open({ candidates: [nurse('a')], jobOrders: [order('p'), order('o')] });
    const id = await placeOn(desk, '#a', '#o', propose);
    await changeRecord(desk, `/placements/${id}`, {
      status: 'declined',
      ...(declineReason && { declineReason }),
    });
    assert.equal(pairsOf(await readPlan(desk)), ['p a'], declineReason);
  }
});

planning('has a declined pair that is proposed again', async () => {
  const desk = await world.open({ candidates: [nurse('a')], jobOrders: [order('o')] });
  const id = await placeOn(desk, '#a', '#o', propose);
  await changeRecord(desk, `/placements/${id}`, { status: 'declined', declineReason: 'client' });
  await placeOn(desk, '#a', '#o', propose);
  assert.equal(pairsOf(await readPlan(desk)), ['o a']);
});

planning('has a pair whose proposal was declined because the order closed', async () => {
  const desk = await world.open({ candidates: [nurse('a')], jobOrders: [order('o')] });
  const id = await placeOn(desk, '#a', '#o', propose);
  await changeRecord(desk, `/placements/${id}`, { status: 'declined', declineReason: 'closed' });
  assert.equal(pairsOf(await readPlan(desk)), ['o a']);
});

planning('leaves out a person who left the order early', async () => {
  const desk = await world.open({ candidates: [nurse('a')], jobOrders: [order('o')] });
  const id = await placeOn(desk, '#a', '#o', { startDate: dayAt(-9) });
  await changeRecord(desk, `/placements/${id}`, { endDate: dayAt(-1), endReason: 'candidate-left' });
  assert.equal((await readPlan(desk)).plan, []);
});

planning('has a person whose placement was cancelled', async () => {
  const desk = await world.open({ candidates: [nurse('a')], jobOrders: [order('o')] });
  const id = await placeOn(desk, '#a', '#o', { startDate: dayAt(9) });
  await changeRecord(desk, `/placements/${id}`, { endDate: dayAt(0), endReason: 'cancelled' });
  assert.equal(pairsOf(await readPlan(desk)), ['o a']);
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

planning('in its strict form leaves out what is not stated', async () => {
  const desk = await world.open({
    candidates: [nurse('silent'), nurse('nights', { shifts: ['night'] })],
    jobOrders: [order('o', { shift: 'night', openings: 2 })],
  });
  assert.equal(pairsOf(await readPlan(desk, 'unstated=unmet')), ['o nights']);
});

planning('in its strict form plans a pair if the order has no gate', async () => {
  const desk = await world.open({
    candidates: [nurse('a', { onetCode: carpenters })],
    jobOrders: [order('o', { onetCode: carpenters })],
  });
  assert.equal(pairsOf(await readPlan(desk, 'unstated=unmet')), ['o a']);
});

planning('has no pair below 30 points unless a lower minScore is sent', async () => {
  const desk = await world.open({
    candidates: [carpenter],
    jobOrders: [order('o', { onetCode: '15-1252.00' })],
  });
  const { body } = await desk.get('/job-orders/%23o/matches?scope=workspace');
  const { score } = body.matches[0];
  assert.ok(score < 30, String(score));
  assert.equal((await readPlan(desk)).plan, []);
  assert.is((await readPlan(desk, `minScore=${score}`)).plan.length, 1);
  assert.equal((await readPlan(desk, `minScore=${score + 0.25}`)).plan, []);
});

planning.run();
