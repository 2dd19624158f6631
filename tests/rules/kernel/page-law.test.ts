import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Json } from '../../../src/kernel/json.ts';
import {
  checkCursor,
  createListReply,
  cutPage,
  decodeCursor,
  type PageEntry,
  pickPage,
} from '../../../src/kernel/page.ts';
import { toChance } from '../../support/people.ts';

const pages = suite('pages of rows');

/** Makes rows at ascending positions, of which some are below 0. */
function makeRows(count: number, chance: (bound: number) => number): PageEntry<{ at: number }>[] {
  let position = -5;
  return Array.from({ length: count }, () => {
    position += 1 + chance(3);
    return { position, row: Json.of({ at: position }) };
  });
}
const listPositions = (entries: readonly { position: number }[]) => entries.map(({ position }) => position);

pages('the pages of a list hold each row once, in order, each page but the last at its limit', () => {
  const chance = toChance(91);
  for (let round = 0; round < 200; round += 1) {
    const [rows, limit] = [makeRows(chance(25), chance), 1 + chance(7)];
    const read: number[] = [];
    let cursor: string | undefined;
    do {
      const page = pickPage('rows', rows, { limit, cursor });
      assert.is(page.total, rows.length);
      if (page.nextCursor) assert.is(page.entries.length, limit);
      read.push(...listPositions(page.entries));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    assert.equal(read, listPositions(rows));
  }
});

pages('a cursor holds its place while rows before it come and go', () => {
  const rows = makeRows(10, toChance(92));
  const { nextCursor } = pickPage('rows', rows, { limit: 4 });
  const next = pickPage('rows', rows.slice(3), { limit: 4, cursor: nextCursor });
  assert.equal(listPositions(next.entries), listPositions(rows.slice(4, 8)));
});

pages('a page ends early where its rows take too many bytes, and has one row at least', () => {
  const rows = [30, 30, 40, 200, 1].map((bytes, position) => ({
    position,
    row: Json.of('a'.repeat(bytes - 2 < 0 ? 0 : bytes - 2)),
  }));
  const cut = (from: number, mostBytes: number) =>
    cutPage('rows', rows.slice(from), { limit: 50, total: 5, mostBytes }).entries.length;
  assert.is(cut(0, 99), 2);
  assert.is(cut(0, 100), 3);
  assert.is(cut(3, 100), 1);
  assert.is(cut(0, 1000), 5);
});

const toCursor = (text: string) => btoa(text).replaceAll('=', '');

pages('a cursor is read in its own collection alone', () => {
  for (const position of [0, 1, -1, 7, 1000, -37, 123_456_789_012_345]) {
    const cursor = toCursor(`rows:${position}`);
    assert.is(decodeCursor('rows', cursor), position);
    assert.is(decodeCursor('others', cursor), undefined);
    assert.equal(checkCursor('rows', cursor), []);
    assert.is(checkCursor('others', cursor).length, 1);
  }
});

pages('a text that is no cursor has no position', () => {
  const wrong = ['rows', 'rows:', 'rows:1:2', 'rows:01', 'rows:-0', 'rows:1.5', 'rows: 1', 'rows:x', ':1'];
  for (const text of [...wrong, 'rows:1234567890123456']) {
    assert.is(decodeCursor('rows', toCursor(text)), undefined, text);
    assert.equal(checkCursor('rows', toCursor(text)), [
      { path: 'cursor', message: 'is not a cursor of this collection; send nextCursor unchanged, or none' },
    ]);
  }
  assert.is(decodeCursor('rows', '***'), undefined);
});

pages('the schema alone refuses a cursor that is no text, or too long', () => {
  for (const cursor of [undefined, 7, 'a'.repeat(201)]) assert.equal(checkCursor('rows', cursor), []);
  assert.is(checkCursor('rows', 'a'.repeat(200)).length, 1);
});

const texts = { path: '/rows', member: 'rows', explainNone: () => 'None yet.' };
const readBody = (reply: { body: object | string }) => (reply.body as Json<object>).value;

pages('a reply says the same as a value and as text', () => {
  const chance = toChance(93);
  for (let round = 0; round < 50; round += 1) {
    const page = pickPage('rows', makeRows(1 + chance(9), chance), { limit: 1 + chance(5) });
    for (const lead of [{}, { note: 'a "note"' }]) {
      const { body } = createListReply(texts, page, {}, { lead });
      assert.equal(JSON.parse((body as Json).text), readBody({ body }));
      assert.equal(readBody({ body }), {
        type: 'OK',
        ...lead,
        rows: page.entries.map(({ row }) => row.value),
        total: page.total,
        ...(page.nextCursor && { nextCursor: page.nextCursor }),
      });
    }
  }
});

pages('a reply links to the next page with the same query, at the address that was called', () => {
  const page = pickPage('rows', makeRows(5, toChance(94)), { limit: 2 });
  const link = (path: string) =>
    createListReply(texts, page, { q: 'a b', none: undefined }, { call: { path } as never }).headers?.Link;
  const cursor = encodeURIComponent(page.nextCursor!);
  assert.is(link('/rows'), `</rows?q=a+b&cursor=${cursor}>; rel="next"`);
  assert.is(link('/rows.json'), `</rows.json?q=a+b&cursor=${cursor}>; rel="next"`);
});

pages('the last page has no link', () => {
  const page = pickPage('rows', makeRows(5, toChance(95)), { limit: 5 });
  assert.is(createListReply(texts, page, {}).headers, undefined);
});

pages('a page without rows says why', () => {
  const explain = (total: number) =>
    createListReply(texts, { entries: [], total, nextCursor: undefined }, {}).body as Record<string, unknown>;
  assert.equal(explain(0), { type: 'EMPTY', message: 'None yet.', total: 0 });
  assert.match(explain(1).message as string, 'no row behind this cursor; all 1 came before it');
});

pages.run();
