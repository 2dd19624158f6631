import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildService } from '../../src/hosts/build/build-service.ts';
import { createAnswerRequest } from '../../src/hosts/worker/answer-request.ts';
import type { Manifest } from '../../src/kernel/freeze.ts';
import { pageHeaders } from '../../src/kernel/headers.ts';
import { withServer } from '../support/server.ts';

const root = join(import.meta.dirname, '..', '..');
const manifest: Manifest = JSON.parse(readFileSync(join(root, 'dist', 'host', 'manifest.json'), 'utf8'));
const pages = Object.keys(manifest.files).filter((name) => name.endsWith('.html'));
const lasting = Object.keys(manifest.files).filter((name) => /^\/(_astro|worker)\//.test(name));
const asPage = { Accept: 'text/html' };
const whole = suite('headers of every page on every host');

/** Asserts the headers that every page needs. */
function holdToPage(headers: Headers, what: string): void {
  assert.match(headers.get('Content-Type') ?? '', /^text\/html/, what);
  for (const [name, value] of Object.entries(pageHeaders)) assert.is(headers.get(name), value, what);
}

/** Every address at which a host answers HTML, requested from that host. */
async function holdHost(origin: string): Promise<void> {
  const ask = (path: string, headers: Record<string, string> = asPage) =>
    fetch(origin + path, { headers, method: 'HEAD' });
  for (const page of pages) holdToPage((await ask(page)).headers, page);
  for (const headers of [asPage, { 'Sec-Fetch-Dest': 'document' }]) {
    holdToPage((await ask('/', headers)).headers, `/ for ${JSON.stringify(headers)}`);
  }
  const nowhere = await ask('/nowhere');
  assert.is(nowhere.status, 404);
  assert.match(nowhere.headers.get('Content-Type') ?? '', /json/, 'an unknown address has no page');
  for (const face of ['application/json', 'text/markdown']) {
    const { headers } = await ask('/', { Accept: face });
    assert.is(headers.get('Content-Security-Policy'), null, `/ as ${face} is not HTML`);
  }
  assert.ok(lasting.length > 10);
  for (const file of lasting) {
    const { headers } = await ask(file);
    assert.is(headers.get('Cache-Control'), 'public, max-age=31536000, immutable', file);
    assert.is(headers.get('CDN-Cache-Control'), 'max-age=31536000, immutable', file);
  }
  assert.match((await ask('/worker.js')).headers.get('Cache-Control') ?? '', /max-age=300,/);
  const gone = await ask(lasting[0]!.replace(/\.\w+$/, '0$&'));
  assert.is(gone.status, 404);
  assert.is(gone.headers.get('Cache-Control'), 'no-store');
}

whole('the build has pages', () => assert.ok(pages.length > 1000, String(pages.length)));

whole('the Node host', async () => {
  await withServer({ LOG: 'off' }, ({ origin }) => holdHost(origin));
});

whole('the service worker', async () => {
  const read = async () => new Response('');
  const readLarge = async () => new Uint8Array();
  const files = { read, readLarge, readPage: read, install: async () => {}, deleteOthers: async () => {} };
  const answer = createAnswerRequest(buildService(), files);
  const ask = (path: string) => answer(new Request(`http://localhost${path}`, { headers: asPage }));
  for (const page of [...pages, '/']) holdToPage((await ask(page)).headers, page);
  const { headers } = await ask(lasting[0]!);
  assert.match(headers.get('Cache-Control') ?? '', /immutable/);
});

whole.run();
