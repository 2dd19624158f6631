import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { dayAt, openWorld } from '../../support/desk-world.ts';
import type { Body } from '../../support/http.ts';

const cancelled = suite('work that never began');
const wide = { onetCode: '15-1252.00' };

cancelled('is cancelled before its start or on it', async () => {
  for (const endDate of [dayAt(-3), dayAt(0)]) {
    const world = await openWorld();
    await world.place({ ref: 'x', startDate: dayAt(0) });
    const changed = await world.change('x', { endDate, endReason: 'cancelled' });
    assert.is(changed.isRefused, false, JSON.stringify(changed.body));
    const { status, outcome } = changed.body.placement;
    assert.is(status, 'ended-early');
    assert.is(outcome.validateBy ?? null, null);
    const { body } = await world.ask('GET', '/candidates/%23a');
    assert.is(body.candidate.freeFrom, dayAt(0), 'the person is free on the first day');
    assert.is(body.candidate.status, 'available');
  }
});

cancelled('cannot be cancelled after its first day', async () => {
  const world = await openWorld();
  await world.place({ ref: 'x', startDate: dayAt(-39) });
  for (const endDate of [dayAt(-38), dayAt(0)]) {
    const { isRefused, body } = await world.change('x', { endDate, endReason: 'cancelled' });
    assert.ok(isRefused);
    assert.match(JSON.stringify(body), /client-ended or candidate-left/);
  }
});

cancelled('is not among what waits for an outcome', async () => {
  const world = await openWorld();
  await world.place({ ref: 'x', startDate: dayAt(0), plannedEndDate: dayAt(0) });
  await world.change('x', { endDate: dayAt(0), endReason: 'cancelled' });
  for (const query of ['outcome=pending', `dueBefore=${dayAt(900)}`]) {
    const { body }: { body: Body } = await world.ask('GET', `/placements?${query}`);
    assert.is(body.type, 'EMPTY', query);
  }
  const stated = await world.ask('POST', '/placements/%23x/outcome', { result: 'retained' });
  assert.is(stated.body.code, 'illegal_transition');
  assert.match(stated.text, /cancelled/);
});

cancelled('leaves the day to other work', async () => {
  const world = await openWorld();
  await world.place({ ref: 'x', startDate: dayAt(0) });
  await world.change('x', { endDate: dayAt(0), endReason: 'cancelled' });
  const other = await world.place({ jobOrderId: '#p', startDate: dayAt(0), ...wide });
  assert.equal(other.body.warnings?.filter(({ code }: Body) => code === 'already_placed') ?? [], []);
});

cancelled.run();
