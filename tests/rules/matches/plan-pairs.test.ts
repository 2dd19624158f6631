import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { dayAt } from '../../support/days.ts';
import {
  carpenter,
  carpenters,
  nurse,
  openDesk,
  order,
  pairsOf,
  propose,
  registered,
} from '../../support/plans.ts';

const planning = suite('who can be planned for an order');

planning('leaves out orders that are closed or filled', async () => {
  const desk = await openDesk({
    candidates: [nurse('a'), nurse('b')],
    jobOrders: [order('closed'), order('filled'), order('open')],
  });
  await desk.change('/job-orders/%23closed', { status: 'closed' });
  await desk.place('#a', '#filled');
  assert.equal(pairsOf(await desk.plan()), ['open b']);
});

planning('has nobody of the public seed', async () => {
  const desk = await openDesk({ jobOrders: [order('o')] });
  assert.equal((await desk.plan()).plan, []);
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
    const desk = await openDesk({ candidates: [nurse('a', stated)], jobOrders: [order('o', wanted)] });
    assert.equal((await desk.plan()).plan, [], JSON.stringify(wanted));
  }
});

planning('leaves out a person without the licence', async () => {
  const desk = await openDesk({
    candidates: [nurse('a', { onetCode: '29-2061.00' })],
    jobOrders: [order('o', { onetCode: registered })],
  });
  assert.equal((await desk.plan('minScore=0')).plan, []);
});

planning('leaves out a person who has withdrawn', async () => {
  const desk = await openDesk({ candidates: [nurse('a')], jobOrders: [order('o')] });
  await desk.change('/candidates/%23a', { status: 'withdrawn' });
  assert.equal((await desk.plan()).plan, []);
});

planning('leaves out a person whom a placement holds on those days', async () => {
  const desk = await openDesk({
    candidates: [nurse('a')],
    jobOrders: [order('o', { startDate: dayAt(5) }), order('now')],
  });
  await desk.place('#a', '#now', { startDate: dayAt(0), plannedEndDate: dayAt(10) });
  assert.equal((await desk.plan()).plan, []);
});

planning('has a person whom a placement holds on other days', async () => {
  const desk = await openDesk({
    candidates: [nurse('a')],
    jobOrders: [order('later', { startDate: dayAt(11) }), order('now')],
  });
  await desk.place('#a', '#now', { startDate: dayAt(0), plannedEndDate: dayAt(10) });
  assert.equal(pairsOf(await desk.plan()), ['later a']);
});

planning('has a pair that is proposed', async () => {
  const desk = await openDesk({ candidates: [nurse('a')], jobOrders: [order('o')] });
  await desk.place('#a', '#o', propose);
  assert.equal(pairsOf(await desk.plan()), ['o a']);
});

planning('leaves out a pair that was declined, and plans the person elsewhere', async () => {
  for (const declineReason of ['client', 'candidate', 'other', undefined]) {
    const desk = await openDesk({ candidates: [nurse('a')], jobOrders: [order('p'), order('o')] });
    const id = await desk.place('#a', '#o', propose);
    await desk.change(`/placements/${id}`, { status: 'declined', ...(declineReason && { declineReason }) });
    assert.equal(pairsOf(await desk.plan()), ['p a'], declineReason);
  }
});

planning('has a declined pair that is proposed again', async () => {
  const desk = await openDesk({ candidates: [nurse('a')], jobOrders: [order('o')] });
  const id = await desk.place('#a', '#o', propose);
  await desk.change(`/placements/${id}`, { status: 'declined', declineReason: 'client' });
  await desk.place('#a', '#o', propose);
  assert.equal(pairsOf(await desk.plan()), ['o a']);
});

planning('has a pair whose proposal was declined because the order closed', async () => {
  const desk = await openDesk({ candidates: [nurse('a')], jobOrders: [order('o')] });
  const id = await desk.place('#a', '#o', propose);
  await desk.change(`/placements/${id}`, { status: 'declined', declineReason: 'closed' });
  assert.equal(pairsOf(await desk.plan()), ['o a']);
});

planning('leaves out a person who left the order early', async () => {
  const desk = await openDesk({ candidates: [nurse('a')], jobOrders: [order('o')] });
  const id = await desk.place('#a', '#o', { startDate: dayAt(-9) });
  await desk.change(`/placements/${id}`, { endDate: dayAt(-1), endReason: 'candidate-left' });
  assert.equal((await desk.plan()).plan, []);
});

planning('has a person whose placement was cancelled', async () => {
  const desk = await openDesk({ candidates: [nurse('a')], jobOrders: [order('o')] });
  const id = await desk.place('#a', '#o', { startDate: dayAt(9) });
  await desk.change(`/placements/${id}`, { endDate: dayAt(0), endReason: 'cancelled' });
  assert.equal(pairsOf(await desk.plan()), ['o a']);
});

planning('does not give a person a second opening of the order that holds the person', async () => {
  const half = { hoursPerWeek: 20 };
  const desk = await openDesk({
    candidates: [nurse('a')],
    jobOrders: [order('o', { openings: 2, ...half })],
  });
  await desk.place('#a', '#o', half);
  assert.equal(pairsOf(await desk.plan()), []);
});

planning('in its strict form leaves out what is not stated', async () => {
  const desk = await openDesk({
    candidates: [nurse('silent'), nurse('nights', { shifts: ['night'] })],
    jobOrders: [order('o', { shift: 'night', openings: 2 })],
  });
  assert.equal(pairsOf(await desk.plan('unstated=unmet')), ['o nights']);
});

planning('in its strict form plans a pair if the order has no gate', async () => {
  const desk = await openDesk({
    candidates: [nurse('a', { onetCode: carpenters })],
    jobOrders: [order('o', { onetCode: carpenters })],
  });
  assert.equal(pairsOf(await desk.plan('unstated=unmet')), ['o a']);
});

planning('has no pair below 30 points unless a lower minScore is sent', async () => {
  const desk = await openDesk({
    candidates: [carpenter],
    jobOrders: [order('o', { onetCode: '15-1252.00' })],
  });
  const { body } = await desk.ask('GET', '/job-orders/%23o/matches?scope=workspace');
  const { score } = body.matches[0];
  assert.ok(score < 30, String(score));
  assert.equal((await desk.plan()).plan, []);
  assert.is((await desk.plan(`minScore=${score}`)).plan.length, 1);
  assert.equal((await desk.plan(`minScore=${score + 0.25}`)).plan, []);
});

planning.run();
