import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { PlacementRecord } from '../../../src/placements/placement-record.ts';
import { readStatus, readValidateBy } from '../../../src/placements/status.ts';
import { expectStatus } from '../../support/placement-oracle.ts';

const table = suite('the status of a placement by day');

const now = Date.parse('2026-11-26T12:00:00Z');
const today = '2026-11-26';
const dayAt = (days: number) => new Date(now + days * 86_400_000).toISOString().slice(0, 10);

const [past, yesterday] = [dayAt(-100), dayAt(-1)];

/** Every date before, on and after today, and missing. */
const days = [undefined, -200, -91, -90, -30, -2, -1, 0, 1, 30];
const reasons = ['candidate-left', 'client-ended', 'cancelled', 'finished', 'converted', 'other'];

function* listFacts(): Generator<Record<string, unknown>> {
  const toDay = (at: number | undefined) => (at === undefined ? undefined : dayAt(at));
  for (const start of days)
    for (const planned of days)
      for (const end of days)
        for (const endReason of end === undefined ? [undefined] : reasons)
          for (const guaranteeDays of [undefined, 1, 30, 89])
            yield {
              startDate: toDay(start),
              plannedEndDate: toDay(planned),
              endDate: toDay(end),
              endReason,
              guaranteeDays,
            };
}

table('agrees with independently written rules, for all days and reasons', () => {
  let count = 0;
  for (const facts of listFacts()) {
    const status = readStatus(facts as unknown as PlacementRecord, today);
    assert.is(status, expectStatus(facts, today), JSON.stringify(facts));
    count += 1;
  }
  assert.ok(count > 20_000, `${count} were compared`);
});

table('is its stage before acceptance, whatever its days are', () => {
  for (const asked of ['proposed', 'interviewing', 'offered', 'declined']) {
    const record = { asked, startDate: past, plannedEndDate: yesterday } as unknown as PlacementRecord;
    assert.is(readStatus(record, today), asked);
  }
});

table('ignores the guarantee if there is no end, and otherwise ends it on the same day everywhere', () => {
  for (const guaranteeDays of [1, 45, 90]) {
    const record = { startDate: past, guaranteeDays } as unknown as PlacementRecord;
    assert.is(readStatus(record, today), 'active');
    assert.is(readValidateBy(record), dayAt(-100 + guaranteeDays));
  }
});

table.run();
