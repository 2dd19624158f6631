import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Json } from '../../../src/kernel/json.ts';
import { runAtOnce } from '../../../src/kernel/steps.ts';
import { toIsoTime } from '../../../src/kernel/text.ts';
import { splitValues } from '../../../src/records/kind/filters.ts';
import { checkSortedCursor, nameList } from '../../../src/records/kind/sort.ts';
import { checkMoveTimes, findChangeTime } from '../../../src/records/kind/transitions.ts';
import { RecordSorter } from '../../../src/records/list/sorted-page.ts';
import { findPlace } from '../../../src/records/read/in-view.ts';
import { checkFields, createRowPicker, pickNamed } from '../../../src/records/read/pick-fields.ts';
import type { Entry } from '../../../src/workspace/record.ts';
import { client } from '../../support/in-process.ts';
import { toChance } from '../../support/people.ts';

const lists = suite('parts of a list');

const values = [undefined, null, 2, 10, 'b', 'B', 'é', 'e', 'a2', 'a10'];
const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** A page of records with these values, sorted as `sort` says. */
function readSorted(own: readonly unknown[], sort: string, limit: number, cursor?: string) {
  const kind = {
    collection: 'things',
    sorts: { value: ({ record }: { record: { value: unknown } }) => record.value },
  };
  const sorter = new RecordSorter(kind as never, { sort, limit, cursor });
  for (const [position, value] of own.entries())
    sorter.add({ position, record: { value }, row: Json.of({ position }) } as never);
  const page = runAtOnce(sorter.readPage());
  const places = page.entries.map(({ row }) => (row.value as unknown as { position: number }).position);
  return { ...page, places };
}

lists('records are sorted by a value, those without one last, equal ones in the usual order', () => {
  const chance = toChance(221);
  for (let round = 0; round < 200; round += 1) {
    const kind = chance(2) === 0 ? 'number' : 'string';
    const known = values.filter((value) => value == null || typeof value === kind);
    const own = Array.from({ length: chance(12) }, () => known[chance(known.length)]);
    const compare = (a: unknown, b: unknown) =>
      kind === 'number' ? Number(a) - Number(b) : collator.compare(String(a), String(b));
    for (const [sort, sign] of [
      ['value', 1],
      ['-value', -1],
    ] as const) {
      const places = own.map((_, at) => at);
      const stated = places.filter((at) => own[at] != null).sort((a, b) => sign * compare(own[a], own[b]));
      const expected = [...stated, ...places.filter((at) => own[at] == null)];
      const read: number[] = [];
      let cursor: string | undefined;
      do {
        const page = readSorted(own, sort, 3, cursor);
        assert.is(page.total, own.length);
        read.push(...page.places);
        cursor = page.nextCursor;
      } while (cursor);
      assert.equal(read, expected, JSON.stringify([own, sort]));
    }
  }
});

const sorts = { name: () => 1, status: () => 2 };
const cursorOf = (name: string) => btoa(`${name}:5`).replaceAll('=', '');
const checkCursor = (sort: string | undefined, cursor?: string) =>
  checkSortedCursor({ collection: 'things', sorts }, { sort, cursor })[0]?.message;

lists('a cursor belongs to one order of one list', () => {
  assert.is(checkCursor(undefined), undefined);
  for (const sort of [undefined, 'name', '-name', 'status']) {
    assert.is(checkCursor(sort, cursorOf(nameList('things', sort))), undefined, sort);
    assert.match(checkCursor(sort, cursorOf('others'))!, 'is not a cursor of this collection');
  }
  assert.is(checkCursor('name', cursorOf('things')), 'came without sort; leave sort out, or send no cursor');
  assert.is(
    checkCursor(undefined, cursorOf('things by -name')),
    'came with sort=-name; send that sort too, or send no cursor',
  );
  assert.is(checkCursor('unknown', cursorOf('others')), undefined);
});

lists('a cursor of another list is refused', async () => {
  const { body } = await client.get('/candidates?limit=2');
  const reply = await client.get(`/job-orders?limit=2&cursor=${body.nextCursor}`);
  assert.is(reply.status, 400);
  assert.is(reply.body.issues[0].path, 'cursor');
});

lists('the values of a filter are between commas', () => {
  assert.equal(splitValues(' a , b,,c d, '), ['a', 'b', 'c d']);
  assert.equal(splitValues(' , '), []);
});

lists('the moves of a record are in the past, the oldest first', () => {
  const check = (...times: number[]) =>
    checkMoveTimes(
      times.map((at) => ({ at, from: 'a', to: 'b' })),
      1000,
    ).map(({ path, message }) => `${path} ${message}`);
  assert.equal(check(), []);
  assert.equal(check(1, 1, 2, 1000), []);
  assert.equal(check(1001), [`transitions[0].at is in the future; send a time until ${toIsoTime(1000)}`]);
  assert.equal(check(5, 4), [
    `transitions[1].at is before the move in front of it, ${toIsoTime(5)}; send the oldest move first`,
  ]);
});

lists('a change is never before the last change of its record', () => {
  const time = (record: object) => findChangeTime(record as never, 100);
  assert.is(time({}), 100);
  assert.is(time({ createdAt: 101 }), 101);
  assert.is(time({ createdAt: 5, updatedAt: 102 }), 102);
  assert.is(time({ transitions: [{ at: 200 }, { at: 103 }] }), 103);
});

lists('the members of a row are named by their kind', () => {
  const check = (fields: unknown) => checkFields(fields, ['id', 'name'])[0]?.message;
  assert.is(check(undefined), undefined);
  assert.is(check('name'), undefined);
  assert.is(check('name, id,name'), undefined);
  assert.is(check(' , '), 'names no member; send any of id, name');
  assert.is(check('name,x,y'), 'has unknown members (x, y); send any of id, name');
});

lists('a row shows the named members, its id, its example and what it refers to', () => {
  const kind = { references: { candidateId: 'candidate' } } as never;
  const row = { id: 'a', name: 'A', note: 'n', example: true, links: { self: '/a', candidate: '/c' } };
  const pick = (fields: string | undefined, value: object = row) =>
    createRowPicker(kind, fields)(Json.of(value) as never).value;
  assert.equal(pick(undefined), row);
  assert.equal(pick('name'), { id: 'a', name: 'A', example: true, links: { candidate: '/c' } });
  assert.equal(pick('links'), { id: 'a', example: true, links: row.links });
  assert.equal(pick('note', { ...row, example: false }), { id: 'a', note: 'n', links: { candidate: '/c' } });
  const plain = createRowPicker({ references: {} } as never, 'name')(Json.of(row) as never).value;
  assert.equal(plain, { id: 'a', name: 'A', example: true });
});

lists('the named members of an object are those that it has', () => {
  assert.equal(pickNamed({ a: 1, b: undefined, c: null }, ['a', 'b', 'c', 'd']), { a: 1, c: null });
});

lists('a place among entries is found by their numbers', () => {
  const chance = toChance(222);
  for (let round = 0; round < 200; round += 1) {
    const seqs = Array.from({ length: 30 }, (_, at) => at + 1).filter(() => chance(2) === 0);
    const entries = seqs.map((seq) => ({ seq })) as Entry[];
    for (let seq = -1; seq < 33; seq += 1)
      assert.is(findPlace(entries, seq), seqs.filter((one) => one < seq).length);
  }
});

lists.run();
