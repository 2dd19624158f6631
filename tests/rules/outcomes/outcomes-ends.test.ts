import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { dayAt } from '../../support/days.ts';
import { confirm } from '../../support/outcomes.ts';
import { strict } from '../../support/sandbox.ts';
import {
  changePlacement,
  codesOf,
  isRefused,
  openSmallDesk,
  place,
  readCandidate,
  readPlacement,
  stateOutcome,
} from '../../support/small-desk.ts';
import type { Desk } from '../../support/world.ts';

const ends = suite('outcomes of placements that end');

/** Lets the client of `x` agree to what is stated. */
async function validate(desk: Desk): Promise<void> {
  const { body } = await desk.post('/placements/%23x/confirmations', { party: 'client' });
  await confirm(desk.world, body.confirmation.token, true);
}

/** Which results agree with an end on day 40 of 90, by its reason. */
const agreeing: Record<string, string[]> = {
  'candidate-left': ['attrited'],
  'client-ended': ['attrited'],
  other: ['attrited'],
  finished: ['finished'],
  converted: ['converted'],
};
const results = ['attrited', 'finished', 'converted', 'retained'];

for (const [endReason, agreed] of Object.entries(agreeing))
  ends(`after an end by ${endReason} accept ${agreed.join() || 'nothing'}`, async () => {
    for (const result of results) {
      const desk = await openSmallDesk();
      await place(desk, { ref: 'x', startDate: dayAt(-60) });
      await changePlacement(desk, 'x', { endDate: dayAt(-20), endReason });
      const reply = await stateOutcome(desk, 'x', { result });
      const { body } = reply;
      assert.is(isRefused(reply), !agreed.includes(result), `${result} ${JSON.stringify(body)}`);
      if (isRefused(reply)) assert.is(body.code, 'illegal_transition');
      else assert.is(body.placement.outcome.asOf, dayAt(-20), 'as of the last day');
    }
  });

for (const more of [{}, { status: 'ended-early' }])
  ends(`keep the reason beside an endDate, with ${JSON.stringify(more)}`, async () => {
    const desk = await openSmallDesk();
    await place(desk, { ref: 'x', startDate: dayAt(-60) });
    const sent = {
      endDate: dayAt(-20),
      endReason: 'client-ended',
      reason: 'Their budget was cut',
      ...more,
    };
    const { status, body } = await changePlacement(desk, 'x', sent);
    assert.is(status, 200, JSON.stringify(body));
    assert.is(body.placement.transitions.at(-1).reason, sent.reason);
    const { activity } = (await desk.get('/workspace/activity?limit=1')).body;
    assert.is(activity[0].reason, sent.reason);
  });

ends('accept retained as of a day no later than the end', async () => {
  const desk = await openSmallDesk();
  await place(desk, { ref: 'x', startDate: dayAt(-60) });
  await changePlacement(desk, 'x', { endDate: dayAt(-20), endReason: 'other' });
  assert.is(
    (await stateOutcome(desk, 'x', { result: 'retained', asOf: dayAt(-19) })).body.code,
    'illegal_transition',
  );
  assert.not(isRefused(await stateOutcome(desk, 'x', { result: 'retained', asOf: dayAt(-20) })));
});

ends('accept finished once the planned end is reached', async () => {
  const desk = await openSmallDesk();
  await place(desk, { ref: 'x', startDate: dayAt(-49), plannedEndDate: dayAt(-1) });
  const { body } = await stateOutcome(desk, 'x', { result: 'finished' });
  const { status, endDate, outcome } = body.placement;
  assert.is(status, 'completed');
  assert.is(endDate, undefined);
  assert.is(outcome.result, 'finished');
  assert.equal(outcome.asOf, dayAt(-1));
});

ends('refuse finished before the planned end, or without one', async () => {
  const desk = await openSmallDesk();
  await place(desk, { ref: 'x', startDate: dayAt(-49), plannedEndDate: dayAt(1) });
  await place(desk, { ref: 'y', candidateId: '#b', jobOrderId: '#p', startDate: dayAt(-49) });
  for (const ref of ['x', 'y'])
    assert.is((await stateOutcome(desk, ref, { result: 'finished' })).body.code, 'illegal_transition', ref);
});

ends('refuse a reason that does not fit a fall-off, or contradicts the recorded one', async () => {
  const desk = await openSmallDesk();
  await place(desk, { ref: 'x', startDate: dayAt(-49) });
  const retained = await stateOutcome(desk, 'x', { result: 'retained', endReason: 'other' });
  assert.is(retained.body.code, 'invalid_request');
  assert.equal(codesOf(retained), ['endReason']);
  assert.is(
    (await stateOutcome(desk, 'x', { result: 'attrited', endReason: 'finished' })).body.code,
    'invalid_request',
  );
  await changePlacement(desk, 'x', { endDate: dayAt(-2), endReason: 'candidate-left' });
  const other = await stateOutcome(desk, 'x', { result: 'attrited', endReason: 'client-ended' });
  assert.is(other.body.code, 'illegal_transition');
  assert.equal(codesOf(other), ['endReason']);
  assert.not(isRefused(await stateOutcome(desk, 'x', { result: 'attrited', endReason: 'candidate-left' })));
});

ends('can be stated on the last day of the guarantee, until its end', async () => {
  for (const guaranteeDays of [undefined, 30]) {
    const days = guaranteeDays ?? 90;
    const desk = await openSmallDesk();
    await place(desk, { ref: 'x', startDate: dayAt(-days), ...(guaranteeDays && { guaranteeDays }) });
    const { status, outcome } = await readPlacement(desk, 'x');
    assert.is(status, 'active');
    assert.equal(outcome.validateBy, dayAt(0));
    assert.equal(codesOf(await stateOutcome(desk, 'x', { result: 'retained' })), []);
    const ended = await changePlacement(desk, 'x', { endDate: dayAt(0), endReason: 'candidate-left' });
    assert.is(ended.body.placement.status, 'ended-early');
    desk.world.toDay(1);
    assert.is((await stateOutcome(desk, 'x', { result: 'attrited' })).body.code, 'outcome_closed');
  }
});

ends('keep the guarantee that the placement had when one was stated', async () => {
  const desk = await openSmallDesk();
  await place(desk, { ref: 'x', startDate: dayAt(-10), guaranteeDays: 30 });
  const changed = await changePlacement(desk, 'x', { guaranteeDays: 20 });
  assert.is(changed.body.placement.outcome.validateBy, dayAt(10));
  const stated = await stateOutcome(desk, 'x', { result: 'retained' });
  assert.match(stated.body.warnings[0].message, `is day 10 of 20`);
  assert.match(stated.body.warnings[0].message, 'nothing else can be stated');
  const refused = await changePlacement(desk, 'x', { guaranteeDays: 21 });
  assert.is(refused.body.code, 'outcome_closed');
  assert.equal(codesOf(refused), ['guaranteeDays']);
  const due = await desk.get(`/placements?scope=workspace&dueBefore=${dayAt(11)}`);
  assert.is(due.body.placements?.length, 1, 'dueBefore counts the days of its guarantee');
  assert.is((await desk.get(`/placements?scope=workspace&dueBefore=${dayAt(10)}`)).body.type, 'EMPTY');
});

ends('keep a person placed whom the client took on, also after the planned end', async () => {
  const desk = await openSmallDesk();
  await place(desk, { ref: 'x', startDate: dayAt(-40), plannedEndDate: dayAt(2) });
  await stateOutcome(desk, 'x', { result: 'converted' });
  desk.world.toDay(3);
  assert.is((await readPlacement(desk, 'x')).status, 'completed');
  assert.is((await readCandidate(desk)).status, 'placed');
  await desk.patch('/candidates/%23a', { status: 'available' });
  assert.is((await readCandidate(desk)).status, 'available');
});

ends('advise to state the outcome of an end within the guarantee', async () => {
  const rows: [end: object, codes: string[]][] = [
    [{ endDate: dayAt(-1), endReason: 'other' }, ['outcome_open']],
    [{ endDate: dayAt(-1), endReason: 'finished' }, ['outcome_open']],
    [{ endDate: dayAt(-10), endReason: 'cancelled' }, []],
  ];
  for (const [end, codes] of rows) {
    const desk = await openSmallDesk();
    await place(desk, { ref: 'x', startDate: dayAt(-10) });
    assert.equal(codesOf(await changePlacement(desk, 'x', end, strict)), codes, JSON.stringify(end));
  }
  const late = await openSmallDesk();
  await place(late, { ref: 'x', startDate: dayAt(-200) });
  assert.equal(codesOf(await changePlacement(late, 'x', { endDate: dayAt(-1), endReason: 'other' })), []);
});

ends('are dropped if an end contradicts them, and refuse that end once validated', async () => {
  const rows: [result: object, wrong: object][] = [
    [{ result: 'retained' }, { endDate: dayAt(-1), endReason: 'other' }],
    [{ result: 'converted' }, { endDate: dayAt(0), endReason: 'client-ended' }],
    [
      { result: 'attrited', asOf: dayAt(-5) },
      { endDate: dayAt(-5), endReason: 'finished' },
    ],
    [{ result: 'attrited', asOf: dayAt(-5) }, { endDate: null }],
  ];
  for (const [result, wrong] of rows) {
    const desk = await openSmallDesk();
    const what = JSON.stringify([result, wrong]);
    await place(desk, { ref: 'x', startDate: dayAt(-49) });
    await stateOutcome(desk, 'x', result);
    assert.is((await changePlacement(desk, 'x', wrong)).body.placement.outcome.result, 'pending', what);
    await changePlacement(desk, 'x', { endDate: null });
    await stateOutcome(desk, 'x', result);
    await validate(desk);
    const refused = await changePlacement(desk, 'x', wrong);
    assert.is(refused.body.code, 'outcome_closed', what);
  }
});

ends('that are validated accept an end that agrees, also years later', async () => {
  const desk = await openSmallDesk();
  await place(desk, { ref: 'x', startDate: dayAt(-90) });
  await stateOutcome(desk, 'x', { result: 'retained' });
  await validate(desk);
  desk.world.toDay(900);
  const { placement } = (
    await changePlacement(desk, 'x', { endDate: dayAt(800), endReason: 'candidate-left' })
  ).body;
  assert.is(placement.status, 'completed');
  assert.is(placement.outcome.validated, true);
  const back = (await changePlacement(desk, 'x', { endDate: null })).body.placement;
  assert.is(back.status, 'active');
  assert.not(isRefused(await changePlacement(desk, 'x', { endDate: dayAt(0), endReason: 'candidate-left' })));
  assert.is((await changePlacement(desk, 'x', { endDate: dayAt(-1) })).body.code, 'outcome_closed');
});

ends.run();
