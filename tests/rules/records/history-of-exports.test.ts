import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { kinds } from '../../../src/kinds.ts';
import { joinHistory } from '../../../src/records/activity/history.ts';
import type { ActivityEntry, HistoryEntry } from '../../../src/workspace/activity.ts';
import type { StoredRecord } from '../../../src/workspace/record.ts';
import { toChance } from '../../support/people.ts';

const joined = suite('the history of a record in an export');

const kind = kinds.find(({ name }) => name === 'candidate')!;
const measure = (value: object) => Buffer.byteLength(JSON.stringify(value));
const makeRecord = (history: HistoryEntry[] = [], createdAt = 0) =>
  ({ id: 'cand_1', onetCode: '11-1011.00', createdAt, history }) as StoredRecord;
const makeEntry = (more: Partial<ActivityEntry> = {}): ActivityEntry => ({
  ...{
    revision: 1,
    at: 1000,
    via: 'http',
    operation: 'updateCandidate',
    records: [{ id: 'cand_1', kind: 'candidate' }],
  },
  ...more,
});

joined('has the newest changes that fit into 100 entries and 65,536 bytes, imported ones first', () => {
  const chance = toChance(231);
  const cut = { byCount: 0, byBytes: 0 };
  for (let round = 0; round < 300; round += 1) {
    const longest = [10, 1500, 4000][chance(3)]!;
    const text = () => 'é'.repeat(chance(longest));
    const imported = Array.from(
      { length: chance(80) },
      (): HistoryEntry => ({ at: text(), via: 'http', operation: 'x' }),
    );
    const own = Array.from({ length: chance(130) }, (_, at) => makeEntry({ at: at * 1000, actor: text() }));
    const history = joinHistory(makeRecord(imported), kind, own.toReversed());
    const all = [...imported.map(({ at }) => at), ...own.map(({ at }) => new Date(at).toISOString())];
    assert.equal(
      history.map(({ at }) => at),
      all.slice(all.length - history.length),
    );
    assert.ok(history.length <= 100);
    assert.ok(measure(history) <= 65_536);
    if (history.length === all.length) continue;
    if (history.length === 100) {
      cut.byCount += 1;
      continue;
    }
    const left = imported.length + own.length - history.length - 1;
    const next =
      left < imported.length
        ? imported[left]!
        : joinHistory(makeRecord(), kind, [own[left - imported.length]!])[0]!;
    assert.ok(measure([next, ...history]) + 1 > 65_536, `${history.length} of ${all.length}`);
    cut.byBytes += 1;
  }
  assert.ok(cut.byCount > 10 && cut.byBytes > 10, JSON.stringify(cut));
});

const join = (more: Partial<ActivityEntry>, record = makeRecord()) =>
  joinHistory(record, kind, [makeEntry(more)])[0]!;

joined('an entry of one record has what was sent, the move and what else changed', () => {
  const sent = {
    members: ['status'],
    from: 'available',
    to: 'placed',
    moreChanges: 2,
    client: 'curl',
    actor: 'Ada',
  };
  const base = { at: new Date(1000).toISOString(), via: 'http', operation: 'updateCandidate' };
  const changes = [{ id: 'cand_1', member: 'name', from: 'A', to: 'B' }];
  assert.equal(join({ ...sent, changes }), {
    ...base,
    ...sent,
    changes: [{ member: 'name', from: 'A', to: 'B' }],
  });
  const { client, actor } = sent;
  const records = [...makeEntry().records, { id: 'cand_2', kind: 'candidate' }];
  assert.equal(join({ ...sent, records }), { ...base, client, actor });
  assert.equal(join({ ...sent, more: 3 }), { ...base, client, actor });
});

joined('an entry has the changes and the reason of its own record', () => {
  const records = [
    { id: 'cand_2', kind: 'candidate', reason: 'other' },
    { id: 'cand_1', kind: 'candidate', reason: 'own', effectiveDate: '2026-11-01' },
  ];
  const changes = [{ id: 'cand_2', member: 'name', from: 'A', to: 'B' }];
  const entry = join({ records, changes });
  assert.is(entry.reason, 'own');
  assert.is(entry.effectiveDate, '2026-11-01');
  assert.is('changes' in entry, false);
});

joined('an entry made the record if it is a create, or has the time of the record and no change', () => {
  const changes = [{ id: 'cand_1', member: 'name', from: 'A', to: 'B' }];
  assert.is(join({}).created, undefined);
  assert.is(join({ operation: kind.texts.create.operationId }).created, true);
  assert.is(join({ operation: 'createBatch' }, makeRecord([], 1000)).created, true);
  assert.is(join({ operation: 'createBatch', changes }, makeRecord([], 1000)).created, undefined);
});

joined('a record without entries has what it was imported with', () => {
  const history: HistoryEntry[] = [{ at: '2026-11-01T00:00:00.000Z', via: 'http', operation: 'x' }];
  assert.equal(joinHistory(makeRecord(history), kind), history);
  assert.equal(joinHistory({ id: 'a', onetCode: 'b' }, kind), []);
});

joined.run();
