import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { paperRows, ranPapers } from '../../support/paper-rows.ts';
import { openTable } from '../../support/small-table.ts';

const caching = suite('caching of replies of a small table');
const { ask, service } = openTable(paperRows);

/** Which caches may store the reply to a read. */
const cacheOf = async (target: string, headers: Record<string, string> = {}) => {
  const reply = await ask('GET', target, { headers });
  return [reply.headers['Cache-Control'], reply.headers['CDN-Cache-Control'], reply.headers.Vary];
};

caching('each cache rule has its headers', async () => {
  assert.match(String(await cacheOf('/paper')), /^public, max-age=300, .*max-age=3600/);
  assert.match(String(await cacheOf('/things/1')), /^public, max-age=300, must-revalidate,max-age=300/);
  assert.equal(await cacheOf('/things'), ['no-cache', 'no-store', 'X-Workspace']);
  assert.equal(await cacheOf('/things?limit=5'), ['no-store', undefined, 'Prefer']);
  assert.equal(await cacheOf('/tagged'), ['no-store', undefined, undefined]);
  assert.equal(await cacheOf('/things', { 'X-Workspace': 'ws_1' }), [
    'private, no-store',
    undefined,
    'X-Workspace',
  ]);
  assert.equal(await cacheOf('/things/none'), ['no-store', undefined, undefined]);
});

caching('a call with a query or a body, or a strict one, varies by Prefer', async () => {
  const varies = async (method: string, target: string, sent = {}) =>
    (await ask(method, target, sent)).headers.Vary?.includes('Prefer') ?? false;
  assert.is(await varies('GET', '/things/1'), false);
  assert.is(await varies('GET', '/things/1?a=1'), true);
  assert.is(await varies('POST', '/things'), false);
  assert.is(await varies('POST', '/things', { body: {} }), true);
  assert.is(await varies('GET', '/things/1', { headers: { Prefer: 'handling=strict' } }), true);
  assert.is(await varies('POST', '/fail', { body: {} }), true);
  assert.is(await varies('POST', '/raw', { body: {} }), false);
});

caching('strict handling is confirmed, and its reply is stored nowhere', async () => {
  const strict = { headers: { Prefer: 'handling=strict' } };
  for (const target of ['/paper', '/things/1']) {
    const { headers } = await ask('GET', target, strict);
    assert.is(headers['Preference-Applied'], 'handling=strict');
    assert.is(headers['Cache-Control'], 'no-store');
    assert.is(headers['CDN-Cache-Control'], 'no-store');
  }
  assert.is((await ask('POST', '/fail', strict)).headers['Preference-Applied'], 'handling=strict');
  assert.is((await ask('GET', '/paper')).headers['Preference-Applied'], undefined);
});

const readTag = async (target: string, headers: Record<string, string> = {}) =>
  (await ask('GET', target, { headers })).headers.ETag;

caching('a list of public records has a tag for each query, while the build is the same', async () => {
  const tag = await readTag('/things');
  assert.match(tag!, /^W\/"\w+"$/);
  assert.is(await readTag('/things'), tag);
  assert.is.not(await readTag('/things?limit=5'), tag);
  assert.is(await readTag('/things', { 'X-Workspace': 'ws_1' }), undefined);
  assert.is(await readTag('/things', { Prefer: 'handling=strict' }), undefined);
  assert.is(await readTag('/paper'), undefined);
  const other = openTable(paperRows, { catalogue: { ...service.catalogue, build: 'build 2' } });
  assert.is.not((await other.ask('GET', '/things')).headers.ETag, tag);
  const unknown = openTable(paperRows, { catalogue: { ...service.catalogue, build: undefined } });
  assert.is((await unknown.ask('GET', '/things')).headers.ETag, undefined);
});

caching('a list that the caller has is 304, and is not made', async () => {
  const tag = (await readTag('/things'))!;
  ranPapers.length = 0;
  const known = await ask('GET', '/things', { headers: { 'If-None-Match': tag } });
  assert.is(known.status, 304);
  assert.is(known.body, '');
  assert.is(known.headers.ETag, tag);
  assert.is(known.headers['Content-Type'], undefined);
  assert.equal(ranPapers, []);
  for (const other of ['"other"', '*']) await ask('GET', '/things', { headers: { 'If-None-Match': other } });
  assert.equal(ranPapers, ['list', 'list']);
});

caching('an answer with a tag of its own is 304 for a caller that has it', async () => {
  const read = async (tag: string) =>
    (await ask('GET', '/tagged', { headers: { 'If-None-Match': tag } })).status;
  assert.is(await read('"a"'), 304);
  assert.is(await read('"b"'), 200);
});

caching.run();
