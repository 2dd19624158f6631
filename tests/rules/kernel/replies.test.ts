import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as v from 'valibot';
import { fill } from '../../../src/kernel/document.ts';
import { replay } from '../../../src/kernel/freeze.ts';
import { defineOperation, type Operation } from '../../../src/kernel/operation.ts';
import { paperRows } from '../../support/paper-rows.ts';
import { openTable } from '../../support/small-table.ts';

const replies = suite('replies of a small table');

const { ask, noted, service } = openTable(paperRows, {
  frozenText: (path: string) => (path === '/404.html' ? '<h1>None</h1>' : undefined),
});

replies('OPTIONS allows a page of any origin each header that the service reads', async () => {
  const { status, headers, body, logFields } = await ask('OPTIONS', '/things');
  assert.is(status, 204);
  assert.is(body, '');
  assert.is(logFields?.operation, 'preflight');
  assert.is(headers['Access-Control-Allow-Origin'], '*');
  assert.is(headers['Access-Control-Allow-Methods'], 'GET, POST, PATCH, DELETE, HEAD, OPTIONS');
  assert.match(
    headers['Access-Control-Allow-Headers']!,
    /\*, Content-Type, X-Workspace, X-Pass, Authorization/,
  );
});

replies('an unknown address offers the address that was probably meant', async () => {
  const { status, json, headers } = await ask('GET', '/thing');
  assert.is(status, 404);
  assert.is(json.links.meant, '/things');
  assert.match(json.message, 'Did you mean /things');
  assert.is(headers.Vary, 'Sec-Fetch-Dest');
  assert.is(headers['Cache-Control'], 'no-store');
  assert.is((await ask('GET', '/xyz')).json.links.meant, undefined);
  assert.is((await ask('GET', '/papper')).json.links.meant, '/paper');
});

replies('an unknown address with a place for an id has no link', async () => {
  const table = openTable(paperRows.filter(({ operationId }) => operationId === 'getThing'));
  const { json } = await table.ask('GET', '/thing');
  assert.match(json.message, 'Did you mean /things/{id}?');
  assert.is(json.links.meant, undefined);
});

replies('a browser gets the page for an unknown address', async () => {
  const { status, headers, body } = await ask('GET', '/xyz', { headers: { 'Sec-Fetch-Dest': 'document' } });
  assert.is(status, 404);
  assert.is(body, '<h1>None</h1>');
  assert.is(headers['Content-Type'], 'text/html; charset=utf-8');
  assert.match(headers['Content-Security-Policy'] ?? '', /default-src 'none'/);
  assert.is((await ask('POST', '/xyz', { headers: { 'Sec-Fetch-Dest': 'document' } })).json.type, 'EMPTY');
});

replies('a probe has its plain address alone', async () => {
  assert.is((await ask('GET', '/probe')).status, 200);
  assert.is((await ask('GET', '/%70robe')).status, 404);
  assert.is((await ask('GET', '/%74hings')).status, 200);
});

replies('a document has an address for each of its formats', async () => {
  const markdown = await ask('GET', '/paper.md');
  assert.is(markdown.headers['Content-Type'], 'text/markdown; charset=utf-8');
  assert.match(markdown.body, /^# Paper undefined\n\n> Everything here.*\n\nText\.$/);
  assert.is((await ask('GET', '/paper.json')).json.text, 'paper');
  assert.is((await ask('GET', '/paper.html')).status, 404);
  assert.match(
    markdown.headers.Link!,
    /^<\/paper\.json>; rel="alternate"; type="application\/json", <\/paper\.md>.*<\/paper\.html>; rel="alternate"; type="text\/html"$/,
  );
  assert.is((await ask('GET', '/none.md')).status, 404);
});

replies('the home page alone negotiates, and no shared cache stores what it answers', async () => {
  const home = await ask('GET', '/', { headers: { Accept: 'text/markdown' } });
  assert.match(home.body, /^# Home/);
  assert.is(home.headers['CDN-Cache-Control'], 'no-store');
  assert.match(home.headers.Vary!, 'Accept, User-Agent');
  assert.match(home.headers.Link!, 'rel="service-desc"');
  assert.is((await ask('GET', '/')).json.type, 'OK');
  assert.is((await ask('GET', '/', { headers: { Accept: 'text/html' } })).json.type, 'OK');
  const file = await ask('GET', '/index.md');
  assert.match(file.headers['CDN-Cache-Control']!, 'max-age=3600');
  assert.is((await ask('GET', '/paper', { headers: { Accept: 'text/markdown' } })).json.type, 'OK');
});

replies('a text has the type and the headers of its document', async () => {
  const { body, headers } = await ask('GET', '/text.txt');
  assert.is(body, 'plain text');
  assert.is(headers['Content-Type'], 'text/plain; charset=utf-8');
  assert.is(headers['X-Own'], 'own');
  assert.is(headers.Link, undefined);
});

replies('a document that the settings leave out is 404', async () => {
  const { status, json } = await ask('GET', '/none');
  assert.is(status, 404);
  assert.match(json.message, 'has not published');
});

replies('a fault is 500 and reported, at once and later', async () => {
  noted.length = 0;
  const { status, json, logFields } = await ask('POST', '/fail');
  assert.is(status, 500);
  assert.is(json.code, 'internal');
  assert.is(logFields?.operation, 'failNow');
  assert.equal(noted, ['report broken']);
});

replies('a row can have a form of its own for a refusal', async () => {
  const { status, json } = await ask('POST', '/raw');
  assert.is(status, 418);
  assert.equal(json, { own: 'changed' });
});

replies('a reply without a body is stored nowhere', async () => {
  const table = openTable([
    defineOperation({
      operationId: 'accept',
      method: 'POST',
      path: '/accept',
      run: () => ({ status: 202, body: '' }),
    }),
  ]);
  const { headers, body } = await table.ask('POST', '/accept');
  assert.is(body, '');
  assert.is(headers['Cache-Control'], 'no-store');
  assert.is(headers['Content-Type'], undefined);
});

replies('only a 200 can be frozen', async () => {
  const answer = ({ path }: { path: string }) => ask('GET', path);
  assert.is((await replay(answer, '/paper')).status, 200);
  for (const path of ['/none', '/unknown'])
    try {
      await replay(answer, path);
      assert.unreachable(path);
    } catch (error) {
      assert.match((error as Error).message, 'answered 404');
    }
});

replies('a document is frozen at its path, and one that no document lists is made at the start', () => {
  const byId = new Map(service.operations.map((row) => [row.operationId, row]));
  const caching = (id: string): Operation['caching'] => byId.get(id)!.caching;
  assert.equal(caching('getPaper').frozen!(service), ['/paper']);
  assert.is(caching('getPaper').ignoresQuery, false);
  assert.is(caching('getText').ignoresQuery, true);
  assert.is(caching('getText').atStart, true);
  assert.is(caching('getPaper').atStart, undefined);
});

replies('the contract of a document has its members, its media type and itself as the example', () => {
  const contractOf = (id: string) => service.operations.find((row) => row.operationId === id)!.contract;
  const accepts = (id: string, body: object) => v.is(contractOf(id).replies[200]!.schema!, body);
  assert.is(accepts('getPaper', { type: 'OK' }), true);
  assert.is(accepts('getPaper', { type: 'OTHER' }), false);
  assert.is(accepts('getNone', { any: 1 }), true);
  assert.is(contractOf('getPaper').enveloped, true);
  assert.is(contractOf('getNone').enveloped, false);
  assert.is(contractOf('getText').replies[200]!.type, 'text/plain');
  assert.is(contractOf('getText').replies[200]!.example!(service), 'plain text');
  assert.is(contractOf('getText').tag, 'discovery');
});

replies('the places of a paper are filled in, and one without a value is a fault', () => {
  const papers = { greeting: 'Hello {{name}}, {{count}} times.' };
  const made = { ...service, catalogue: { ...service.catalogue, papers } };
  assert.is(fill(made, 'greeting', { name: 'Ada', count: 0 }), 'Hello Ada, 0 times.');
  assert.throws(() => fill(made, 'greeting', { name: 'Ada' }), /lacks a value for count/);
});

replies.run();
