import type { Browser } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { launchBrowser } from '../../../support/browser.ts';
import type { Body } from '../../../support/http.ts';
import { startServer } from '../../../support/server.ts';
import { startStaticHost, stopProcesses } from '../../../support/static-host.ts';
import { openWorkerPage, type WorkerPage } from '../../../support/worker-page.ts';

const texts = suite('texts of the service in a browser');
const browser: Browser = await launchBrowser();
const files = await startStaticHost();
const tab: WorkerPage = await openWorkerPage(browser, `${files.origin}/index.html`);
assert.is(await tab.kind(), 'browser');
const host = await startServer({ LADDER: 'off', LOG: 'off' });

texts.after(async () => {
  await browser.close();
  stopProcesses();
  await host.stop();
});

interface Sent {
  method: string;
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
}

const json = { 'Content-Type': 'application/json' };

/** Returns the body of the Node host, with the origin of the files in place of its own. */
async function askHost({ method, path, body, headers = {} }: Sent): Promise<Body> {
  const response = await fetch(host.origin + path, {
    method,
    headers: { ...(body !== undefined && json), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return JSON.parse((await response.text()).replaceAll(host.origin, files.origin));
}

const askWorker = async ({ method, path, ...options }: Sent): Promise<Body> =>
  (await tab.ask(method, path, options)).body;

const toMessage = (method: string, params: object = {}): Sent => ({
  method: 'POST',
  path: '/mcp',
  body: { jsonrpc: '2.0', id: 1, method, params },
});

const toCall = (name: string, args: object) => toMessage('tools/call', { name, arguments: args });

texts('templates of resources are described', async () => {
  const { result } = await askWorker(toMessage('resources/templates/list'));
  assert.match(result.resourceTemplates[0].description, /Skills, technologies and related occupations/);
});

const initialize = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
};

/** Lists, errors and refusals of /mcp. */
const messages: [what: string, sent: Sent][] = [
  ['initialize', toMessage('initialize', initialize)],
  ['resources/list', toMessage('resources/list')],
  ['resources/templates/list', toMessage('resources/templates/list')],
  ['prompts/list', toMessage('prompts/list')],
  ['an unknown method', toMessage('none')],
  ['a cursor', toMessage('tools/list', { cursor: 'x' })],
  ['an unknown resource', toMessage('resources/read', { uri: 'none' })],
  ['a completion of nothing', toMessage('completion/complete', {})],
  ['an unknown tool', toMessage('tools/call', { name: 'none', arguments: {} })],
  ['a tool without its arguments', toCall('createCandidate', {})],
  ['a tool with wrong arguments', toCall('createPlacement', { candidateId: 1, status: 'none' })],
  ['an update without a workspace', toCall('updateCandidate', { id: 'cand_001', name: 'x' })],
  ['an unknown record', toCall('getCandidate', { id: 'cand_none' })],
  ['matches of the seed', toCall('matchJobOrder', { id: 'job_001', limit: 2 })],
];

/** Refusals and empty answers over HTTP. */
const requests: Sent[] = [
  { method: 'GET', path: '/nowhere' },
  { method: 'GET', path: '/candidat' },
  { method: 'GET', path: '/candidates?limit=0&status=x&none=1' },
  { method: 'GET', path: '/candidates?status=available&metro=Nowhere' },
  { method: 'GET', path: '/candidates/job_001' },
  { method: 'GET', path: '/placements?scope=admin' },
  { method: 'GET', path: '/workspace' },
  { method: 'GET', path: '/job-orders/job_001/matches?limit=2' },
  { method: 'GET', path: '/confirmation' },
  { method: 'GET', path: '/shortlist' },
  { method: 'GET', path: '/occupations?q=nurse&limit=3' },
  { method: 'DELETE', path: '/pricing' },
  { method: 'POST', path: '/titles', body: { titles: ['CDL A driver'] } },
  { method: 'POST', path: '/titles', body: {} },
  { method: 'POST', path: '/candidates', body: { fullName: 'x', onetCode: '15-1252' } },
  { method: 'POST', path: '/job-orders', body: { title: '\u202e', openings: 0, metro: 5 } },
  { method: 'POST', path: '/placements', body: { candidateId: 'job_001', jobOrderId: '#x', startDate: 'x' } },
  { method: 'POST', path: '/batch', body: {} },
  { method: 'POST', path: '/batch', body: { candidates: [{ name: 1 }] } },
  { method: 'PATCH', path: '/candidates/cand_001', body: { name: 'x' } },
];

for (const [what, sent] of [
  ...messages,
  ...requests.map((sent): [string, Sent] => [
    `${sent.method} ${sent.path} ${sent.body === undefined ? '' : JSON.stringify(sent.body)}`,
    sent,
  ]),
])
  texts(`match those of the Node host: ${what}`, async () => {
    const [theirs, ours] = await Promise.all([askWorker(sent), askHost(sent)]);
    assert.equal(theirs, ours);
  });

texts('each tool is described as on the Node host', async () => {
  const list = async (ask: (sent: Sent) => Promise<Body>): Promise<Body[]> =>
    (await ask(toMessage('tools/list'))).result.tools;
  const ours = new Map((await list(askHost)).map((tool) => [tool.name, tool]));
  for (const tool of await list(askWorker)) assert.equal(tool, ours.get(tool.name), tool.name);
});

texts.run();
