import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createRandom } from '../../../scripts/titles/train-network.ts';
import { upgradePlacement } from '../../../src/placements/upgrade.ts';
import type { StoredRecord } from '../../../src/workspace/record.ts';
import { dayAt, today } from '../../support/days.ts';
import type { Body } from '../../support/http.ts';
import { expectStatus } from '../../support/placement-oracle.ts';
import {
  changePlacement,
  isRefused,
  openSmallDesk,
  place,
  readPlacement,
  stateOutcome,
} from '../../support/small-desk.ts';
import type { Desk } from '../../support/world.ts';

const ends = suite('the end that a stated fall-off makes');

/** What a caller knows of a placement: its days, the end that it recorded, and the last statement. */
interface Known {
  days: Body;
  recorded?: Body | undefined;
  stated?: Body | undefined;
}

/** Returns the end that counts: the recorded one or, without it, that of a stated fall-off. */
function findEnd({ recorded, stated }: Known): Body {
  if (recorded) return recorded;
  if (stated?.result !== 'attrited') return {};
  return { endDate: stated.asOf, endReason: stated.endReason ?? 'other' };
}

/** Returns what is known after a statement that was accepted. */
function learnStatement(known: Known, sent: Body, { outcome }: Body): Known {
  const { result, asOf } = outcome;
  const isSame = known.stated?.result === result && known.stated?.asOf === asOf;
  const endReason = sent.endReason ?? (isSame ? known.stated?.endReason : undefined);
  return { ...known, stated: { result, asOf, endReason } };
}

/** Returns what is known after a change that was accepted. */
function learnChange(known: Known, sent: Body, { outcome }: Body): Known {
  const { startDate, ...end } = sent;
  const isRemoved = end.endDate === null;
  const days = startDate === undefined ? known.days : { ...known.days, startDate };
  const isEnd = Object.keys(end).length > 0;
  const recorded = isEnd && !isRemoved ? { ...findEnd(known), ...end } : known.recorded;
  return {
    days,
    recorded: isRemoved ? undefined : recorded,
    stated: outcome.result === 'pending' ? undefined : known.stated,
  };
}

/** Draws a statement or a change. */
function drawStep(random: () => number): { isStatement: boolean; sent: Body } {
  const pick = <T>(...all: T[]): T => all[Math.floor(random() * all.length)]!;
  const day = () => dayAt(pick(-45, -40, -30, -20, -5, -1, 0));
  const reason = () => pick('candidate-left', 'client-ended', 'finished', 'converted', 'cancelled', 'other');
  if (random() < 0.5) {
    const result = pick('attrited', 'attrited', 'attrited', 'retained', 'converted');
    const asOf = random() < 0.6 ? { asOf: day() } : {};
    const why = result === 'attrited' && random() < 0.5 ? { endReason: pick('client-ended', 'other') } : {};
    return { isStatement: true, sent: { result, ...asOf, ...why } };
  }
  const sent = pick<Body>(
    { endDate: null },
    { endDate: day() },
    { endReason: reason() },
    { endDate: day(), endReason: reason() },
    { startDate: day() },
  );
  return { isStatement: false, sent };
}

async function checkHistory(random: () => number, seed: number): Promise<number> {
  const desk = await openSmallDesk();
  const planned = random() < 0.3 ? { plannedEndDate: dayAt(random() < 0.5 ? -10 : 10) } : {};
  let known: Known = { days: { startDate: dayAt(-40), ...planned } };
  await place(desk, { ref: 'x', ...known.days });
  let accepted = 0;
  for (let step = 0; step < 8; step += 1) {
    const { isStatement, sent } = drawStep(random);
    const reply = await (isStatement ? stateOutcome(desk, 'x', sent) : changePlacement(desk, 'x', sent));
    const row = await readPlacement(desk, 'x');
    if (!isRefused(reply)) {
      known = isStatement ? learnStatement(known, sent, row) : learnChange(known, sent, row);
      accepted += 1;
    }
    const what = `history ${seed}, step ${step}: ${JSON.stringify(sent)}`;
    const end = findEnd(known);
    assert.is(row.endDate, end.endDate, what);
    assert.is(row.endReason, end.endReason, what);
    assert.is(row.outcome.result, known.stated?.result ?? 'pending', what);
    assert.is(row.status, expectStatus({ ...known.days, ...end }, today), what);
  }
  return accepted;
}

ends('counts if no end is recorded, and goes with its statement, in random histories', async () => {
  let accepted = 0;
  for (let seed = 1; seed <= 150; seed += 1) accepted += await checkHistory(createRandom(seed), seed);
  assert.ok(accepted > 500, `${accepted} steps were accepted`);
});

ends('is removed with the statement, also if the caller recorded it', async () => {
  const desk = await openSmallDesk();
  await place(desk, { ref: 'x', startDate: dayAt(-40) });
  await changePlacement(desk, 'x', { endDate: dayAt(-5), endReason: 'client-ended' });
  await stateOutcome(desk, 'x', { result: 'attrited' });
  const { status, endDate, outcome } = (await changePlacement(desk, 'x', { endDate: null })).body.placement;
  assert.is(status, 'active');
  assert.is(endDate, undefined);
  assert.is(outcome.result, 'pending');
});

ends('is exported as one that is recorded', async () => {
  const desk = await openSmallDesk();
  await place(desk, { ref: 'x', startDate: dayAt(-40) });
  await stateOutcome(desk, 'x', { result: 'attrited', asOf: dayAt(-5) });
  const { exportedAt, candidates, jobOrders, placements } = (await desk.get('/workspace/export')).body;
  const sent = { exportedAt, candidates, jobOrders, placements };
  const [copy] = (await desk.world.post('/batch', sent)).body.placements;
  assert.is(copy.outcome.result, 'pending');
  for (const row of [placements[0], copy]) {
    assert.is(row.status, 'ended-early');
    assert.is(row.endDate, dayAt(-5));
    assert.is(row.endReason, 'other');
  }
});

async function readStored(desk: Desk): Promise<StoredRecord> {
  const { id } = await readPlacement(desk, 'x');
  const { contents } = await desk.world.service.openWorkspace(desk.workspace);
  return contents.find('placement', id)!.record;
}

ends('is written into a placement that was stored without it', async () => {
  for (const reason of [{}, { endReason: 'client-ended' }]) {
    const desk = await openSmallDesk();
    await place(desk, { ref: 'x', startDate: dayAt(-40) });
    await stateOutcome(desk, 'x', { result: 'attrited', asOf: dayAt(-5), ...reason });
    const stored = await readStored(desk);
    const { endDate: _, endReason: __, evidence, ...rest } = stored as StoredRecord & { evidence: Body };
    const { wroteEnd: ___, ...stated } = evidence.stated;
    const earlier = { ...rest, evidence: { ...evidence, stated } };
    assert.equal(upgradePlacement(earlier), stored);
    assert.equal(upgradePlacement(stored), stored);
  }
});

ends('is left as it is where a caller recorded it, or no fall-off is stated', async () => {
  const desk = await openSmallDesk();
  await place(desk, { ref: 'x', startDate: dayAt(-40) });
  const check = async () => {
    const stored = await readStored(desk);
    assert.equal(upgradePlacement(stored), stored);
  };
  await check();
  await stateOutcome(desk, 'x', { result: 'retained' });
  await check();
  await changePlacement(desk, 'x', { endDate: dayAt(-5), endReason: 'other' });
  await stateOutcome(desk, 'x', { result: 'attrited' });
  await check();
});

ends.run();
