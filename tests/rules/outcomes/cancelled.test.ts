import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { dayAt } from '../../support/days.ts';
import type { Body } from '../../support/http.ts';
import { changePlacement, isRefused, openSmallDesk, place } from '../../support/small-desk.ts';

const cancelled = suite('work that never began');
const wide = { onetCode: '15-1252.00' };

cancelled('is cancelled before its start or on it', async () => {
  for (const endDate of [dayAt(-3), dayAt(0)]) {
    const desk = await openSmallDesk();
    await place(desk, { ref: 'x', startDate: dayAt(0) });
    const changed = await changePlacement(desk, 'x', { endDate, endReason: 'cancelled' });
    assert.is(isRefused(changed), false, JSON.stringify(changed.body));
    const { status, outcome } = changed.body.placement;
    assert.is(status, 'ended-early');
    assert.is(outcome.validateBy ?? null, null);
    const { body } = await desk.get('/candidates/%23a');
    assert.is(body.candidate.freeFrom, dayAt(0), 'the person is free on the first day');
    assert.is(body.candidate.status, 'available');
  }
});

cancelled('cannot be cancelled after its first day', async () => {
  const desk = await openSmallDesk();
  await place(desk, { ref: 'x', startDate: dayAt(-39) });
  for (const endDate of [dayAt(-38), dayAt(0)]) {
    const refused = await changePlacement(desk, 'x', { endDate, endReason: 'cancelled' });
    assert.ok(isRefused(refused));
    const { body } = refused;
    assert.match(JSON.stringify(body), /client-ended or candidate-left/);
  }
});

cancelled('is not among what waits for an outcome', async () => {
  const desk = await openSmallDesk();
  await place(desk, { ref: 'x', startDate: dayAt(0), plannedEndDate: dayAt(0) });
  await changePlacement(desk, 'x', { endDate: dayAt(0), endReason: 'cancelled' });
  for (const query of ['outcome=pending', `dueBefore=${dayAt(900)}`]) {
    const { body }: { body: Body } = await desk.get(`/placements?${query}`);
    assert.is(body.type, 'EMPTY', query);
  }
  const stated = await desk.post('/placements/%23x/outcome', { result: 'retained' });
  assert.is(stated.body.code, 'illegal_transition');
  assert.match(stated.text, /cancelled/);
});

cancelled('leaves the day to other work', async () => {
  const desk = await openSmallDesk();
  await place(desk, { ref: 'x', startDate: dayAt(0) });
  await changePlacement(desk, 'x', { endDate: dayAt(0), endReason: 'cancelled' });
  const other = await place(desk, { jobOrderId: '#p', startDate: dayAt(0), ...wide });
  assert.equal(other.body.warnings?.filter(({ code }: Body) => code === 'already_placed') ?? [], []);
});

cancelled.run();
