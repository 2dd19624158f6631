import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findAddressHeaders, type Manifest } from '../../../../src/kernel/freeze.ts';
import { launchBrowser } from '../../../support/browser.ts';
import { unknownWorkspace } from '../../../support/http.ts';
import { startStaticHost, stopProcesses } from '../../../support/static-host.ts';
import { openWorkerPage, type WorkerPage } from '../../../support/worker-page.ts';

const dist = join(import.meta.dirname, '..', '..', '..', '..', 'dist');
const browser: Browser = await launchBrowser();
const host = await startStaticHost();
const tab: WorkerPage = await openWorkerPage(browser, `${host.origin}/index.html`);
assert.is(await tab.kind(), 'browser');
const worker = suite('the service in a browser');
const candidate = { name: 'Ann Sample', onetCode: '15-1252.00' };
const get = (path: string, headers: object = {}) => tab.ask('GET', path, { headers });
const post = (path: string, body: unknown, headers: object = {}) => tab.ask('POST', path, { body, headers });

const rpc = async (method: string, params = {}) =>
  (await post('/mcp', { jsonrpc: '2.0', id: 1, method, params })).body.result;
const call = async (name: string, args: object) =>
  (await rpc('tools/call', { name, arguments: args })).structuredContent;

worker.after(async () => {
  await browser.close();
  stopProcesses();
});

worker('if no worker can start, the page says so and offers nothing that needs a service', async () => {
  const context = await browser.newContext({ serviceWorkers: 'block' });
  const page = await context.newPage();
  for (const [path, button] of [
    ['/index.html#console', /^Send /],
    ['/workspace.html', /^(Open|Open an example)$/],
    ['/verify.html', /^Run /],
  ] as const) {
    await page.goto(host.origin + path);
    await page.getByText('Read only: no live service answers').waitFor();
    await page.getByRole('heading', { level: 1 }).waitFor();
    if (path === '/index.html#console') await page.locator('[data-console]').scrollIntoViewIfNeeded();
    const offered = page.locator('button', { hasText: button });
    await offered.first().waitFor({ state: 'attached' });
    assert.is(await offered.locator('visible=true').count(), 0, path);
  }
  await context.close();
});

/** Returns everything in IndexedDB of this page, as text. */
const readKept = () =>
  tab.page.evaluate(async () => {
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve) => {
        request.onsuccess = () => resolve(request.result);
      });
    const database = await done(indexedDB.open('careers-2'));
    const all = database.transaction('workspaces').objectStore('workspaces');
    return JSON.stringify([await done(all.getAllKeys()), await done(all.getAll())]);
  });

worker('an outcome is stated and confirmed, unsigned, and tokens and ids are stored as hashes', async () => {
  const { workspace, candidate: person } = (await post('/candidates', candidate)).body;
  const mine = { 'X-Workspace': workspace };
  const order = { client: 'Example & Sons', title: 'Developer', onetCode: candidate.onetCode };
  const { jobOrder } = (await post('/job-orders', order, mine)).body;
  const [candidateId, jobOrderId] = [person.id, jobOrder.id];
  const startDate = new Date().toISOString().slice(0, 10);
  const sent = { candidateId, jobOrderId, onetCode: candidate.onetCode, startDate };
  const { self } = (await post('/placements', sent, mine)).body.placement.links;
  assert.is((await post(`${self}/outcome`, { result: 'converted' }, mine)).status, 200);
  const { confirmation } = (await post(`${self}/confirmations`, { party: 'client' }, mine)).body;
  const { token, url } = confirmation;
  assert.is(url, `${host.origin}/confirm.html#${token}`);
  const read = async () => (await get(self, mine)).body.placement.outcome;
  const { statement, tag } = await call('getConfirmation', { confirmation: token });
  assert.is(statement.result, 'converted');
  assert.equal(statement.client, order.client);
  const said = { confirmation: token, agrees: true, tag, comment: 'So it is.' };
  assert.is((await call('answerConfirmation', said)).answer.agrees, true);
  const { validated, confirmations } = await read();
  assert.is(validated, true);
  assert.is(confirmations[0].party, 'client');
  assert.is(confirmations[0].comment, 'So it is.');
  const receipt = await get(`${self}/receipt`, mine);
  assert.is(receipt.status, 409);
  assert.is(receipt.body.code, 'not_live');
  assert.match(receipt.body.reason, /Nothing is signed here/);
  assert.equal((await get('/.well-known/jwks.json')).body, { keys: [] });
  const kept = await readKept();
  assert.match(kept, /[0-9a-f]{64}/);
  assert.match(kept, /So it is\./);
  for (const secret of [workspace, token]) assert.not.ok(kept.includes(secret));
  await tab.page.reload();
  assert.is(await tab.kind(), 'browser');
  assert.is((await read()).validated, true, 'it outlives the page');
});

const boundaries: [method: string, path: string, status: number, type: string, options?: object][] = [
  ['GET', '/candidates', 401, 'BLOCKED', { headers: { 'X-Workspace': unknownWorkspace } }],
  ['GET', '/placements?spend=26', 402, 'OFFER'],
  ['GET', '/offer', 402, 'OFFER'],
  ['GET', '/placements?scope=admin', 403, 'BLOCKED'],
  ['GET', '/placements.json?scope=internal', 403, 'BLOCKED'],
  ['GET', '/candidates/cand_none', 404, 'EMPTY'],
  ['GET', '/occupations/99-9999.99', 404, 'EMPTY'],
  ['GET', '/nowhere', 404, 'EMPTY'],
  ['GET', '/nowhere.html', 404, 'EMPTY'],
  ['GET', '/%ff', 400, 'BLOCKED'],
  ['GET', '/candidates?limit=0', 400, 'BLOCKED'],
  ['POST', '/candidates', 400, 'BLOCKED', { body: {} }],
  ['POST', '/candidates', 413, 'BLOCKED', { body: { name: 'x'.repeat(70_000) } }],
  ['DELETE', '/pricing', 405, 'BLOCKED'],
  ['GET', '/candidates?status=none', 200, 'EMPTY'],
];

worker('refuses as a live service does', async () => {
  for (const [method, path, status, type, options] of boundaries) {
    const reply = await tab.ask(method, path, options);
    assert.equal(reply.status, status, `${method} ${path}: ${reply.text}`);
    assert.equal(reply.body?.type, type, `${method} ${path}: ${reply.text}`);
  }
});

worker('lists its tools at /mcp', async () => {
  const { tools } = await rpc('tools/list');
  assert.ok(tools.length > 30);
  const { workspace } = await call('createCandidate', candidate);
  const { candidates } = await call('listCandidates', { workspace });
  assert.is(candidates[0].name, 'Ann Sample');
  assert.is((await call('getOffer', {})).type, 'OFFER');
});

worker('lists its documents as resources at /mcp, and completes codes', async () => {
  const { resources } = await rpc('resources/list');
  for (const path of ['/llms.txt', '/pricing', '/guides/search.md', '/openapi.json']) {
    const { uri } = resources.find((one: { uri: string }) => one.uri.endsWith(path));
    assert.is((await rpc('resources/read', { uri })).contents[0].text, (await get(path)).text, path);
  }
  const [{ uriTemplate: uri }] = (await rpc('resources/templates/list')).resourceTemplates;
  const asked = { ref: { type: 'ref/resource', uri }, argument: { name: 'code', value: '15-1252' } };
  assert.is((await rpc('completion/complete', asked)).completion.values[0], '15-1252.00');
  const read = await rpc('resources/read', { uri: uri.replace('{code}', '15-1252.00') });
  assert.match(read.contents[0].text, '"id":"15-1252.00"');
});

const buildOrigin = 'http://localhost:4321';

worker('answers every document and a record of each kind as the build froze it', async () => {
  const manifest: Manifest = JSON.parse(readFileSync(join(dist, 'host', 'manifest.json'), 'utf8'));
  const isOneOfMany =
    /^\/(occupations|candidates|job-orders|placements)\/(?!15-1252|cand_001|job_001|plc_001)/;
  const paths = Object.keys(manifest.addresses).filter((path) => !isOneOfMany.test(path));
  assert.ok(paths.length > 60);
  for (const path of paths) {
    const { file, ignoresQuery } = manifest.addresses[path]!;
    const headers = findAddressHeaders(manifest, manifest.addresses[path]!);
    const reply = await get(path);
    assert.is(reply.status, 200, path);
    // Guides contain the address at which they are read.
    const text = reply.text.replaceAll(host.origin, buildOrigin);
    assert.is(text, readFileSync(join(dist, 'client', file), 'utf8'), path);
    assert.is(reply.headers['content-type'], manifest.files[file]!.type, path);
    for (const [name, value] of Object.entries(headers)) {
      if (name === 'Cache-Tag' || (ignoresQuery && name === 'Link')) continue;
      assert.is(reply.headers[name.toLowerCase()], value, `${path} ${name}`);
    }
  }
});

worker('negotiates its home: a page for a navigation, JSON for a script', async () => {
  assert.is((await get('/')).body.type, 'OK');
  assert.match((await get('/', { Accept: 'text/markdown' })).headers['content-type']!, /^text\/markdown/);
  await tab.page.goto(`${host.origin}/`);
  assert.match(await tab.page.title(), /Careers Placement/);
  assert.is(await tab.kind(), 'browser');
  const reply = await tab.page.goto(`${host.origin}/pricing`);
  assert.match(reply!.headers()['content-type']!, /^application\/json/);
  await tab.page.goto(`${host.origin}/pricing.html`);
});

worker('reads what it stored while the host cannot be reached', async () => {
  host.stop();
  assert.is((await tab.page.reload())?.status(), 200);
  assert.is((await get('/candidates?limit=1')).body.candidates.length, 1);
  assert.is(await tab.kind(), 'browser');
});

worker.run();
