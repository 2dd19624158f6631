import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { writeFolderPages } from '../../../../src/hosts/build/deploy.ts';
import { findAddressHeaders, type Manifest } from '../../../../src/kernel/freeze.ts';
import { startNginx } from '../../../support/balancers.ts';
import { startPagesWorker } from '../../../support/pages-worker.ts';
import { findFault, type Loss, questions } from '../../../support/static-documents.ts';
import { copyClient, startStaticHost } from '../../../support/static-host.ts';
import { skipsWithout } from '../../../support/tools.ts';

const hosts = suite('static hosts');
const dist = join(import.meta.dirname, '..', '..', '..', '..', 'dist');
const manifest: Manifest = JSON.parse(readFileSync(join(dist, 'host', 'manifest.json'), 'utf8'));

interface StaticSite {
  program: string;
  start(): Promise<{ origin: string; stop(): void }>;
  /** What the host cannot do, by path. */
  losses: Record<string, Loss>;
}

const sites: Record<string, StaticSite> = {
  'nginx with the rules of the build': { program: 'nginx', start: startNginx, losses: {} },
  'the worker for Cloudflare Pages': { program: 'node', start: startPagesWorker, losses: {} },
  'a plain server': {
    program: 'python3',
    async start() {
      const folder = copyClient();
      writeFolderPages(folder);
      return startStaticHost(folder);
    },
    losses: {
      '/offer': 'notFound',
      '/pricing': 'notFound',
      '/verify': 'page',
      '/occupations': 'page',
      '/occupations?q=nurse': 'page',
      '/occupations?limit=1&q=nurse': 'page',
      '/occupations.json?q=nurse': 'list',
      '/placements?scope=admin': 'page',
      '/candidates/': 'page',
    },
  },
};

/** The origins of the sites that can be started on this machine, by their names. */
const origins = new Map<string, string>();

for (const [name, { program, start, losses }] of Object.entries(sites)) {
  if (skipsWithout(program)) continue;
  const site = await start();
  origins.set(name, site.origin);
  hosts.after(() => site.stop());
  for (const question of questions) {
    const loss = losses[question.path];
    const what = loss ? `has the loss ${loss} at` : 'answers';
    hosts(`${name} ${what} ${question.path}`, async () => {
      assert.is(await findFault(site.origin, question, loss), undefined);
    });
  }
}

/** One record of each kind, and every address that is not of a record. */
const sample = Object.entries(manifest.addresses).filter(
  ([path]) =>
    !/^\/(occupations|candidates|job-orders|placements|guides|briefs)\//.test(path) ||
    /11-1011\.00|_001|getting-started|two-outcomes/.test(path),
);

for (const name of ['nginx with the rules of the build', 'the worker for Cloudflare Pages']) {
  if (!origins.has(name)) continue;
  hosts(`${name} sends the headers that a live service sends`, async () => {
    for (const [path, frozen] of sample) {
      const { status, headers } = await fetch(origins.get(name) + path);
      assert.is(status, 200, path);
      assert.is(headers.get('Content-Type'), manifest.files[frozen.file]!.type, path);
      for (const [header, value] of Object.entries(findAddressHeaders(manifest, frozen)))
        assert.ok(headers.get(header)?.includes(value), `${path} ${header}: ${headers.get(header)}`);
    }
  });
}

const pages = origins.get('the worker for Cloudflare Pages')!;

/** Requests that only a live service can answer, and the status of the refusal. */
const refusals: [what: string, init: RequestInit, status: number][] = [
  ['a create', { method: 'POST', body: '{}' }, 405],
  ['a workspace', { headers: { 'X-Workspace': 'ws_x' } }, 401],
];

for (const [what, init, status] of refusals)
  hosts(`the worker for Cloudflare Pages refuses ${what} with ${status}`, async () => {
    const reply = await fetch(`${pages}/candidates`, init);
    assert.is(reply.status, status);
    const { type, reason } = await reply.json();
    assert.is(type, 'BLOCKED');
    assert.not.match(reason, /mints/, 'it offers nothing that it refuses');
  });

hosts('the worker for Cloudflare Pages answers a preflight', async () => {
  assert.is((await fetch(`${pages}/candidates`, { method: 'OPTIONS' })).status, 204);
});

hosts('the worker for Cloudflare Pages negotiates the home page', async () => {
  for (const type of ['text/html', 'text/markdown', 'application/json']) {
    const { headers } = await fetch(pages, { headers: { Accept: type } });
    assert.is(headers.get('Content-Type'), `${type}; charset=utf-8`);
  }
});

hosts.run();
