import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { workspaceIdPattern } from '../../../../src/records/account/workspace.ts';
import { launchBrowser } from '../../../support/browser.ts';
import { onetCode } from '../../../support/sandbox.ts';
import { startStaticHost, stopProcesses } from '../../../support/static-host.ts';
import { openWorkerPage } from '../../../support/worker-page.ts';

const dist = join(import.meta.dirname, '..', '..', '..', '..', 'dist');
const script = join(dist, 'client', 'worker.js');
const hostFolder = join(dist, 'host');
const smoke = suite('the service in a browser (short)');
const browser = await launchBrowser();
const { origin } = await startStaticHost();
smoke.after(async () => {
  await browser.close();
  stopProcesses();
});

// The limit covers words of any script, licences, comments and links of reviewers, and the arguments and prompts of MCP clients.
// A worker cannot load a part later, so it has the parsers, column names, countries and streets of imports too.
smoke('is at most 150 kB over the wire', () => {
  const bytes = brotliCompressSync(readFileSync(script)).length;
  console.log(`figure: worker brotli bytes ${bytes}`);
  assert.ok(bytes <= 150_000, String(bytes));
});

// Each is in one module that a worker does not have, as a text that no minifier changes.
const textsOfHost = ['Find nonce, a string of', 'attestationObject', 'owner bearer'];

smoke('has no code of the ladder, which the host has', () => {
  const worker = readFileSync(script, 'utf8');
  const parts = readdirSync(hostFolder).filter((name) => name.endsWith('.mjs'));
  const host = parts.map((name) => readFileSync(join(hostFolder, name), 'utf8')).join('\n');
  for (const text of textsOfHost) {
    assert.ok(host.includes(text), `the host has ${text}`);
    assert.not(worker.includes(text), `the worker has ${text}`);
  }
});

smoke('registers on a static host, creates, places and lists, also after a reload', async () => {
  const tab = await openWorkerPage(browser, `${origin}/index.html`);
  assert.is(await tab.kind(), 'browser');
  const said = await tab.page.locator('.where:visible').allInnerTexts();
  assert.is(said.length, 1);
  assert.match(said[0]!, /in this browser only/);
  const post = (path: string, body: object, headers = {}) => tab.ask('POST', path, { body, headers });
  const person = await post('/candidates', { name: 'Ann Sample', onetCode });
  assert.is(person.status, 201, person.text);
  assert.match(person.body.workspace, new RegExp(workspaceIdPattern));
  const headers = { 'X-Workspace': person.body.workspace };
  const order = await post('/job-orders', { client: 'Example', title: 'Dev', onetCode }, headers);
  const [candidateId, jobOrderId] = [person.body.candidate.id, order.body.jobOrder.id];
  const placed = await post('/placements', { candidateId, jobOrderId, onetCode }, headers);
  assert.is(placed.status, 201, placed.text);
  const at = placed.body.placement.links.self;
  const before = await tab.ask('GET', at, { headers });
  assert.is(before.body.placement.links.candidate, `/candidates/${candidateId}`);
  await tab.page.reload();
  assert.is(await tab.kind(), 'browser');
  assert.equal((await tab.ask('GET', at, { headers })).body, before.body);
  const { candidates } = (await tab.ask('GET', '/candidates?scope=all', { headers })).body;
  assert.equal(candidates[0].id, candidateId);
  assert.is(candidates[0].status, 'placed');
  assert.ok(candidates.length > 1, 'the seed is there too');
  assert.is((await tab.ask('GET', at)).status, 404, 'a stranger sees the seed only');
  assert.is((await tab.ask('GET', '/placements?scope=admin')).status, 403);
});

smoke('plans who fills the open orders', async () => {
  const tab = await openWorkerPage(browser, `${origin}/index.html`);
  assert.is(await tab.kind(), 'browser');
  const body = {
    candidates: [{ ref: 'ann', name: 'Ann Sample', onetCode }],
    jobOrders: [{ ref: 'dev', client: 'Example', title: 'Dev', onetCode }],
  };
  const { workspace } = (await tab.ask('POST', '/batch', { body })).body;
  const planned = await tab.ask('GET', '/workspace/plan', { headers: { 'X-Workspace': workspace } });
  assert.is(planned.body.plan[0].candidate.ref, 'ann', planned.text);
});

smoke('sorts a list, and reads the history of a record', async () => {
  const tab = await openWorkerPage(browser, `${origin}/index.html`);
  assert.is(await tab.kind(), 'browser');
  const candidates = ['Bea', 'Cy', 'Ann'].map((name) => ({ name, onetCode }));
  const made = (await tab.ask('POST', '/batch', { body: { candidates } })).body;
  const headers = { 'X-Workspace': made.workspace };
  const read = async (path: string) => (await tab.ask('GET', path, { headers })).body;
  const namesOf = (body: { candidates: { name: string }[] }) => body.candidates.map(({ name }) => name);
  assert.equal(namesOf(await read('/candidates?sort=name')), ['Ann', 'Bea', 'Cy']);
  assert.is((await read(`/workspace/activity?record=${made.candidates[0].id}`)).total, 1);
  const seed = namesOf((await tab.ask('GET', '/candidates?sort=name&limit=200')).body);
  assert.equal(seed, seed.toSorted(new Intl.Collator('en').compare));
});

smoke('serves the parts of the API reference of a static host', async () => {
  const tab = await openWorkerPage(browser, `${origin}/index.html`);
  const { status, text } = await tab.ask('GET', '/api/placements.md');
  assert.is(status, 200);
  assert.match(text, /^# API: placements\n/);
});

smoke.run();
