import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ActivityEntry, listBlanked } from '../../../src/workspace/activity.ts';
import { toChance } from '../../support/people.ts';

const deleted = suite('the activity after a delete');

const ids = ['cand_1', 'cand_2', 'job_1', 'plc_1'];
const nameOf = (id: string) => `name of ${id}`;

type Chance = (bound: number) => number;
const pick = (chance: Chance) => ids.filter(() => chance(2) === 0);

/** Makes an entry whose names and values say whose they are. */
function makeEntry(chance: Chance, revision: number): ActivityEntry {
  const records = pick(chance).map((id) => ({
    id,
    kind: 'candidate',
    ...(chance(2) === 0
      ? { name: nameOf(id) }
      : { namedBy: pick(chance).map((id) => ({ id, name: nameOf(id) })) }),
    ...(chance(3) === 0 && { reason: nameOf(id) }),
  }));
  const changes = pick(chance).map((id) => ({ id, member: 'name', from: null, to: nameOf(id) }));
  const [only] = records;
  return {
    ...{ revision, at: 5, via: 'http', operation: 'change', records, members: ['name'] },
    ...(changes.length > 0 && { changes }),
    ...(records.length === 1 && { from: `${nameOf(only!.id)} before`, to: `${nameOf(only!.id)} after` }),
  };
}

deleted('an entry has no name and no value of a record that is gone, and all others', () => {
  const chance = toChance(181);
  for (let round = 0; round < 1000; round += 1) {
    const entry = makeEntry(chance, round);
    const gone = pick(chance);
    const [blank] = listBlanked(
      [entry],
      gone.map((id) => ({ record: { id } })),
    );
    const before = JSON.stringify(entry);
    const isNamed = gone.some((id) => before.includes(`"${id}"`));
    assert.is(blank !== undefined, isNamed, before);
    if (!blank) continue;
    const after = JSON.stringify(blank);
    for (const id of ids) {
      const isGone = gone.includes(id);
      const count = (text: string) => text.split(nameOf(id)).length;
      if (isGone) assert.is(count(after), 1, `${after} of ${before}`);
      else if (!entry.records.some((one) => gone.includes(one.id)))
        assert.is(count(after), count(before), after);
    }
    assert.equal(
      blank.records.map(({ id }) => id),
      entry.records.map(({ id }) => id),
    );
    assert.equal(
      blank.changes?.map(({ id, member }) => [id, member]),
      entry.changes?.map(({ id, member }) => [id, member]),
    );
    assert.equal([blank.revision, blank.operation, blank.members], [entry.revision, 'change', ['name']]);
  }
});

deleted('what is said of records that remain stays as it is', () => {
  const entry: ActivityEntry = {
    ...{ revision: 1, at: 5, via: 'http', operation: 'change', more: 3, from: 'open', to: 'closed' },
    records: [
      { id: 'a', kind: 'candidate', name: 'Ann', reason: 'moved' },
      {
        id: 'p',
        kind: 'placement',
        namedBy: [
          { id: 'a', name: 'Ann' },
          { id: 'b', name: 'Bo' },
        ],
      },
    ],
    changes: [
      { id: 'a', member: 'name', from: 'A', to: 'Ann' },
      { id: 'p', member: 'skills', added: ['SQL'] },
    ],
  };
  assert.equal(listBlanked([entry], [{ record: { id: 'b' } }]), [
    {
      ...entry,
      records: [entry.records[0], { id: 'p', kind: 'placement', namedBy: [{ id: 'a', name: 'Ann' }] }],
    },
  ]);
  assert.equal(listBlanked([entry], [{ record: { id: 'a' } }]), [
    {
      ...entry,
      records: [
        { id: 'a', kind: 'candidate' },
        { id: 'p', kind: 'placement', namedBy: [{ id: 'b', name: 'Bo' }] },
      ],
      changes: [{ id: 'a', member: 'name' }, entry.changes![1]],
    },
  ]);
});

deleted('an entry without changes gets none', () => {
  const entry: ActivityEntry = {
    revision: 1,
    at: 5,
    via: 'http',
    operation: 'change',
    records: [{ id: 'a', kind: 'x' }],
  };
  assert.equal(
    Object.keys(listBlanked([entry], [{ record: { id: 'a' } }])[0]!).sort(),
    Object.keys(entry).sort(),
  );
});

deleted.run();
