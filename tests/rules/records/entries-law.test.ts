import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { kinds } from '../../../src/kinds.ts';
import { fitEntry } from '../../../src/records/activity/fit-entry.ts';
import { listMemberChanges } from '../../../src/records/activity/member-changes.ts';
import { describeName, presentRecordName } from '../../../src/records/activity/record-names.ts';
import { describeEntry } from '../../../src/records/activity/sentence.ts';
import type { ActivityEntry, MemberChange } from '../../../src/workspace/activity.ts';
import { toChance } from '../../support/people.ts';

const entries = suite('entries of the activity');

const [candidate, , placement] = ['candidate', 'jobOrder', 'placement'].map(
  (name) => kinds.find((kind) => kind.name === name)!,
);
const measure = (value: object) => Buffer.byteLength(JSON.stringify(value));

/** Makes an entry of random records and changes. */
function makeEntry(chance: (bound: number) => number) {
  const text = () => 'é'.repeat(chance(chance(3) === 0 ? 900 : 30));
  const records = Array.from({ length: chance(25) }, (_, at) => ({
    id: `cand_${at}`,
    kind: 'candidate',
    name: text(),
  }));
  const changes = Array.from({ length: chance(60) }, (_, at) => ({
    id: `cand_${at % 5}`,
    member: `m${at}`,
    from: null,
    to: text(),
  }));
  return { via: 'http' as const, operation: 'change', records, ...(changes.length > 0 && { changes }) };
}

entries('an entry has at most 4,096 bytes, and counts all that it leaves out', () => {
  const chance = toChance(211);
  const cut = { records: 0, changes: 0, values: 0 };
  for (let round = 0; round < 400; round += 1) {
    const whole = makeEntry(chance);
    if (whole.records.length < 2 && !whole.changes) continue;
    const fitted = fitEntry(whole);
    assert.ok(measure({ ...fitted, revision: 1e6, at: 1e13 }) <= 4096);
    assert.equal(fitted.records, whole.records.slice(0, fitted.records.length));
    assert.is(fitted.records.length + (fitted.more ?? 0), whole.records.length);
    const changes = fitted.changes ?? [];
    assert.is(changes.length + (fitted.moreChanges ?? 0), whole.changes?.length ?? 0);
    const used = measure({ ...fitted, revision: 1e6, at: 1e13 });
    for (const change of changes) {
      const before = whole.changes!.find(({ member }) => member === change.member)!;
      assert.equal(change, 'to' in change ? before : { id: before.id, member: before.member });
      if ('to' in change) continue;
      const withValues = used + measure(before) - measure(change);
      assert.ok(withValues > 4096 - 40, 'a value is left out only if it has no room');
      cut.values += 1;
    }
    cut.records += fitted.more ?? 0;
    cut.changes += fitted.moreChanges ?? 0;
  }
  assert.ok(Math.min(...Object.values(cut)) > 20, JSON.stringify(cut));
});

entries('an entry that fits stays whole, and its first 40 changes are kept', () => {
  const records = [{ id: 'a', kind: 'candidate' }];
  const make = (count: number) =>
    fitEntry({
      via: 'http',
      operation: 'change',
      records,
      changes: Array.from({ length: count }, (_, at) => ({ id: 'a', member: `m${at}` })),
    });
  assert.equal(make(40).changes!.length, 40);
  assert.is('moreChanges' in make(40), false);
  assert.is(make(41).moreChanges, 1);
  assert.is('more' in make(1), false);
  assert.is('changes' in make(0), false);
});

entries('records that an entry left out before are counted on', () => {
  const records = Array.from({ length: 20 }, (_, at) => ({
    id: `${at}`,
    kind: 'candidate',
    name: 'a'.repeat(300),
  }));
  const { records: kept, more } = fitEntry({ via: 'http', operation: 'change', records, more: 7 });
  assert.ok(kept.length < 20);
  assert.is(kept.length + more!, 27);
});

const change = (before: object, after: object, kind = candidate!) =>
  listMemberChanges(kind, ['name', 'skills', 'note', 'outcome.result'], { ...before }, { ...after });

entries('a change has the values before and after, or what a list lost and gained', () => {
  const rows: [before: object, after: object, expected: object[]][] = [
    [{ name: 'A' }, { name: 'A' }, []],
    [{ name: 'A' }, { name: 'B' }, [{ member: 'name', from: 'A', to: 'B' }]],
    [{}, { name: 'B' }, [{ member: 'name', from: null, to: 'B' }]],
    [{ name: 'A' }, {}, [{ member: 'name', from: 'A', to: null }]],
    [{ name: 'é'.repeat(200) }, {}, [{ member: 'name', from: 'é'.repeat(200), to: null }]],
    [{ name: 'é'.repeat(201) }, {}, [{ member: 'name', from: 'é'.repeat(200), to: null }]],
    [{ skills: ['a', 'b'] }, { skills: ['b', 'c'] }, [{ member: 'skills', added: ['c'], removed: ['a'] }]],
    [{ skills: ['a', 'b'] }, { skills: ['b', 'a'] }, [{ member: 'skills', added: [], removed: [] }]],
    [{ skills: ['a'] }, { skills: ['a'] }, []],
    [{}, { skills: ['a'] }, [{ member: 'skills', added: ['a'], removed: [] }]],
    [{ skills: ['a'] }, {}, [{ member: 'skills', added: [], removed: ['a'] }]],
    [
      { outcome: { result: 'ended' } },
      { outcome: { result: 'kept' } },
      [{ member: 'outcome.result', from: 'ended', to: 'kept' }],
    ],
    [{ outcome: { result: 'kept' } }, { outcome: { result: 'kept' } }, []],
    [{}, { outcome: { result: 'kept' } }, [{ member: 'outcome.result', from: null, to: 'kept' }]],
    [{ note: 'a' }, { note: 'b' }, [{ member: 'note' }]],
  ];
  for (const [before, after, expected] of rows)
    assert.equal(change(before, after), expected, JSON.stringify([before, after]));
});

const records: Record<string, Record<string, unknown>> = {
  cand_1: { id: 'cand_1', name: 'Ann' },
  job_1: { id: 'job_1', title: 'Nurse' },
  plc_1: { id: 'plc_1', candidateId: 'cand_1', jobOrderId: 'job_1' },
  plc_2: { id: 'plc_2', candidateId: 'cand_1', jobOrderId: 'gone' },
  plc_3: { id: 'plc_3', candidateId: 'gone', jobOrderId: 'gone' },
  long: { id: 'long', name: '😀'.repeat(100) },
  exact: { id: 'exact', name: 'a'.repeat(80) },
};
const view = { find: (_: string, id: string) => records[id] } as never;
const name = (kind: (typeof kinds)[number], id: string) => describeName(kind, id, view, kinds);

entries('a record is named by its name or title, or by the records that it refers to', () => {
  assert.equal(name(candidate!, 'cand_1'), { name: 'Ann' });
  assert.equal(name(candidate!, 'job_1'), { name: 'Nurse' });
  assert.equal(
    name(placement!, 'plc_1').namedBy!.map((one) => one.name),
    ['Ann', 'Nurse'],
  );
  assert.equal(
    name(placement!, 'plc_2').namedBy!.map((one) => one.name),
    ['Ann'],
  );
  assert.equal(name(placement!, 'plc_3'), {});
  assert.equal(name(candidate!, 'gone'), {});
});

entries('a name is cut to 80 characters', () => {
  assert.is(name(candidate!, 'exact').name, 'a'.repeat(80));
  assert.is(name(candidate!, 'long').name, '😀'.repeat(80));
});

entries('an entry shows the name of its day, and otherwise the name now', () => {
  const present = (record: object) =>
    presentRecordName({ id: 'plc_1', kind: 'placement', ...record }, view, kinds);
  assert.is(present({ name: 'Then' }), 'Then');
  assert.is(
    present({
      namedBy: [
        { id: 'a', name: 'A' },
        { id: 'b', name: 'B' },
      ],
    }),
    'A, B',
  );
  assert.is(present({ namedBy: [] }), null);
  assert.is(present({}), 'Ann, Nurse');
  assert.is(present({ id: 'cand_1', kind: 'candidate' }), 'Ann');
  assert.is(present({ id: 'gone' }), null);
});

/** The sentence of changes of one placement. */
function say(
  changes: Partial<MemberChange>[],
  more: Partial<ActivityEntry> & { reason?: string; effectiveDate?: string } = {},
) {
  const { reason, effectiveDate, ...rest } = more;
  const entry: ActivityEntry = {
    ...{ revision: 1, at: Date.parse('2026-11-22T12:00:00Z'), via: 'http', operation: 'change' },
    records: [
      { id: 'other', kind: 'placement', reason: 'of another' },
      { id: 'plc_1', kind: 'placement', ...(reason && { reason }), ...(effectiveDate && { effectiveDate }) },
    ],
    changes: [
      { id: 'other', member: 'status', from: 'a', to: 'b' },
      ...changes.map((one) => ({ id: 'plc_1', member: 'status', ...one })),
    ],
    ...rest,
  };
  return describeEntry(entry, { kind: placement!, id: 'plc_1', event: 'changed' });
}

entries('a sentence says each change of the record, an extension first', () => {
  const sentences: Record<string, Partial<MemberChange>[]> = {
    Changed: [],
    'Status proposed to offered': [{ from: 'proposed', to: 'offered' }],
    'Status offered': [{ from: null, to: 'offered' }],
    'Status removed, was offered': [{ from: 'offered', to: null }],
    'Status changed': [{}],
    'Outcome result kept': [{ member: 'outcome.result', from: null, to: 'kept' }],
    'Extended from 1 December 2026 to 2 January 2027, status a to b': [
      { from: 'a', to: 'b' },
      { member: placement!.period![1], from: '2026-12-01', to: '2027-01-02' },
    ],
    'Skills added a, b': [{ member: 'skills', added: ['a', 'b'], removed: [] }],
    'Skills removed c': [{ member: 'skills', added: [], removed: ['c'] }],
    'Skills added a and removed c': [{ member: 'skills', added: ['a'], removed: ['c'] }],
    'Skills in another order': [{ member: 'skills', added: [], removed: [] }],
  };
  for (const [sentence, changes] of Object.entries(sentences)) assert.is(say(changes), sentence);
});

entries('an end that is not later is no extension', () => {
  const end = placement!.period![1];
  for (const [from, to] of [
    ['2027-01-02', '2026-12-01'],
    ['2027-01-02', 'later'],
    ['then', '2027-01-02'],
  ])
    assert.not.match(say([{ member: end, from, to }]), 'Extended', `${from} to ${to}`);
});

entries('a sentence says from which day, why and who asked', () => {
  const changes = [{ from: 'a', to: 'b' }];
  assert.is(say(changes, { effectiveDate: '2026-12-01' }), 'Status a to b, from 1 December');
  assert.is(say(changes, { effectiveDate: '2027-12-01' }), 'Status a to b, from 1 December 2027');
  assert.is(say(changes, { reason: 'it fits' }), 'Status a to b, because it fits');
  assert.is(say(changes, { actor: 'Dana' }), 'Status a to b (Dana)');
});

entries.run();
