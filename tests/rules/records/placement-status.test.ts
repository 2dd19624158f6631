import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { PlacementRecord } from '../../../src/placements/placement-record.ts';
import { readStatus, readValidateBy } from '../../../src/placements/status.ts';
import { expectStatus } from '../../support/placement-oracle.ts';
import { World } from '../../support/world.ts';

const table = suite('the status of a placement by day');

const now = Date.parse('2026-11-26T12:00:00Z');
const today = '2026-11-26';
const dayAt = (days: number) => new Date(now + days * 86_400_000).toISOString().slice(0, 10);

interface Row {
  startDate?: string;
  plannedEndDate?: string;
  endDate?: string;
  endReason?: string;
  guaranteeDays?: number;
  status: string;
}

const [past, yesterday, tomorrow] = [dayAt(-100), dayAt(-1), dayAt(1)];

/** The table of the guide to outcomes, with the days around each limit. */
const rows: Row[] = [
  { status: 'scheduled' },
  { startDate: tomorrow, status: 'scheduled' },
  { startDate: today, status: 'active' },
  { startDate: yesterday, status: 'active' },
  { startDate: dayAt(-90), status: 'active' },
  { startDate: dayAt(-91), status: 'active' },
  { startDate: dayAt(-3000), status: 'active' },
  { startDate: past, plannedEndDate: tomorrow, status: 'active' },
  { startDate: past, plannedEndDate: today, status: 'active' },
  { startDate: past, plannedEndDate: yesterday, status: 'completed' },
  { plannedEndDate: yesterday, status: 'completed' },
  { plannedEndDate: today, status: 'scheduled' },
  { startDate: past, endDate: today, endReason: 'candidate-left', status: 'completed' },
  { startDate: past, endDate: dayAt(-10), endReason: 'candidate-left', status: 'ended-early' },
  { startDate: past, endDate: dayAt(-9), endReason: 'other', status: 'completed' },
  { startDate: past, endDate: dayAt(-70), endReason: 'other', guaranteeDays: 30, status: 'ended-early' },
  { startDate: past, endDate: dayAt(-69), endReason: 'other', guaranteeDays: 30, status: 'completed' },
  { startDate: past, endDate: past, endReason: 'client-ended', status: 'ended-early' },
  { startDate: past, endDate: past, endReason: 'finished', status: 'completed' },
  { startDate: past, endDate: past, endReason: 'converted', status: 'completed' },
  {
    startDate: past,
    plannedEndDate: yesterday,
    endDate: dayAt(-2),
    endReason: 'other',
    status: 'ended-early',
  },
  {
    startDate: past,
    plannedEndDate: yesterday,
    endDate: yesterday,
    endReason: 'other',
    status: 'completed',
  },
  { startDate: past, plannedEndDate: dayAt(-2), endDate: yesterday, endReason: 'other', status: 'completed' },
  { startDate: tomorrow, endDate: yesterday, endReason: 'cancelled', status: 'ended-early' },
  { startDate: today, endDate: yesterday, endReason: 'cancelled', status: 'ended-early' },
  { endDate: yesterday, endReason: 'cancelled', status: 'ended-early' },
  { endDate: yesterday, endReason: 'candidate-left', status: 'ended-early' },
];

const describe = ({ status, ...facts }: Row) => `${JSON.stringify(facts).replaceAll('"', '')} is ${status}`;

for (const row of rows) {
  table(describe(row), async () => {
    const { status, ...facts } = row;
    const world = new World({ now });
    const sent = { candidateId: 'cand_036', jobOrderId: 'job_034', onetCode: '29-1141.00', ...facts };
    const { body, text } = await world.post('/batch', { placements: [sent] });
    assert.is(body.placements?.[0].status, status, text);
  });
}

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
