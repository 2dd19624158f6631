import { readdirSync, readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Body } from '../../support/http.ts';
import { client } from '../../support/in-process.ts';
import { pluck } from '../../support/rows.ts';

const folder = new URL('../../../content/occupations/', import.meta.url);
const facts: Body[] = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .sort()
  .flatMap((name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')).occupations);

const vocabulary = suite('occupations over HTTP');

const toIds = (rows: Body[]) => pluck(rows, 'id');

async function walk(path: string): Promise<Body[]> {
  const rows: Body[] = [];
  for (let next: string | undefined = path; next !== undefined; ) {
    const { body, headers }: { body: Body; headers: Headers } = await client.get(next);
    rows.push(...(body.occupations ?? []));
    next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
  }
  return rows;
}

vocabulary('the bare list is whole, codes and titles only, below 256 KiB', async () => {
  const { body, text } = await client.get('/occupations');
  assert.ok(Buffer.byteLength(text) < 256 * 1024);
  const titles = facts.map(({ id, title }) => ({ id, title }));
  assert.equal(body.occupations, titles);
  assert.is(body.total, 1016);
  assert.not.ok('nextCursor' in body);
});

vocabulary('a major group gives exactly its occupations', async () => {
  const groups = new Set(facts.map(({ id }) => id.slice(0, 2)));
  assert.is(groups.size, 23);
  for (const group of groups) {
    const expected = facts.filter(({ id }) => id.startsWith(`${group}-`));
    assert.equal(toIds(await walk(`/occupations?majorGroup=${group}`)), toIds(expected), group);
    assert.is((await client.get(`/occupations?majorGroup=${group}&limit=1`)).body.total, expected.length);
  }
  assert.is((await client.get('/occupations?majorGroup=99')).body.type, 'EMPTY');
});

vocabulary('a job zone gives exactly its occupations, also within a group', async () => {
  for (const zone of [1, 2, 3, 4, 5]) {
    const expected = facts.filter(({ jobZone }) => jobZone === zone);
    assert.ok(expected.length > 0);
    assert.equal(toIds(await walk(`/occupations?jobZone=${zone}&limit=200`)), toIds(expected));
    const both = expected.filter(({ id }) => id.startsWith('29-'));
    assert.equal(toIds(await walk(`/occupations?jobZone=${zone}&majorGroup=29`)), toIds(both));
  }
});

vocabulary('refuses a malformed filter with 400 and says what it must be', async () => {
  const wrong = { 'majorGroup=1': /two digits/, 'majorGroup=ab': /two digits/, 'majorGroup=': /two digits/ };
  const zones = { 'jobZone=0': /at least 1/, 'jobZone=6': /at most 5/, 'jobZone=x': /whole number/ };
  for (const [query, message] of Object.entries({ ...wrong, ...zones, 'jobZone=2.5': /whole number/ })) {
    const { status, body } = await client.get(`/occupations?${query}`);
    assert.is(status, 400, query);
    assert.is(body.type, 'BLOCKED', query);
    assert.is(body.issues[0].path, query.split('=')[0]);
    assert.match(body.issues[0].message, message);
  }
});

vocabulary('a search for a common word finds every occupation with it, group by group', async () => {
  for (const [word, group] of [
    ['technician', '13'],
    ['worker', '51'],
    ['operator', '25'],
  ]) {
    const having = facts.filter(({ id, title, alternateTitles = [] }) => {
      const titles: string[] = [title, ...alternateTitles];
      return id.startsWith(`${group}-`) && titles.some((one) => new RegExp(`\\b${word}s?\\b`, 'i').test(one));
    });
    const found = toIds(await walk(`/occupations?q=${word}&majorGroup=${group}`));
    assert.ok(having.length > 0, `${word} ${group}`);
    for (const { id } of having) assert.ok(found.includes(id), `${word} ${group} ${id}`);
  }
});

vocabulary('pages of a search show every hit once, in the order of the whole', async () => {
  const whole = (await client.get('/occupations?q=manager&limit=200')).body;
  assert.ok(whole.total > 20);
  const walked = toIds(await walk('/occupations?q=manager&limit=9'));
  assert.is(new Set(walked).size, walked.length);
  assert.is(walked.length, whole.total);
  assert.equal(walked.slice(0, whole.occupations.length), toIds(whole.occupations));
});

vocabulary('an occupation is read by its code, and its links work', async () => {
  for (const { id, title } of facts.filter((_, index) => index % 50 === 0)) {
    const { status, body } = await client.get(`/occupations/${id}`);
    assert.is(status, 200);
    assert.is(body.type, 'OK');
    assert.equal(body.occupation.id, id);
    assert.equal(body.occupation.title, title);
    assert.match(body.occupation.source, /O\*NET/);
    for (const href of Object.values(body.occupation.links))
      assert.is((await client.get(href as string)).status, 200, href as string);
    for (const related of body.occupation.relatedOccupations ?? [])
      assert.is((await client.get(`/occupations/${related.id}`)).body.occupation.title, related.title);
  }
});

vocabulary.run();
