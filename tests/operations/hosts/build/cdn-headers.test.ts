import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findAddressHeaders, type Manifest } from '../../../../src/kernel/freeze.ts';
import { withOpenServer } from '../../../support/open-host.ts';
import { useServer } from '../../../support/server.ts';
import { type Sent, send } from '../../../support/wire.ts';

const shared = suite('headers for a CDN');
const file = join(import.meta.dirname, '..', '..', '..', '..', 'dist', 'host', 'manifest.json');
const manifest: Manifest = JSON.parse(readFileSync(file, 'utf8'));
const minute = 'max-age=60';

const directives = (field: string) => field.split(', ').filter((one) => /^(stale-|must-)/.test(one));

shared('CDN-Cache-Control keeps the stale and revalidation rules of every public document', () => {
  let count = 0;
  for (const [address, frozen] of Object.entries(manifest.addresses)) {
    const headers = findAddressHeaders(manifest, frozen);
    const cdn = headers['CDN-Cache-Control']!;
    if (!headers['Cache-Control']!.startsWith('public')) {
      assert.is(cdn, 'no-store', address);
      assert.is(headers['Cache-Tag'], undefined, address);
      continue;
    }
    for (const one of directives(headers['Cache-Control']!))
      assert.ok(directives(cdn).includes(one), address);
    assert.is(headers['Cache-Tag'], manifest.tag, address);
    count += 1;
  }
  assert.ok(count > 3000, String(count));
  assert.match(manifest.tag, /^careers-[0-9a-f]{12}$/);
});

const mine = { 'X-Workspace': 'ws_x' };
const seeds = ['/candidates', '/candidates/cand_001', '/candidates?limit=2', '/job-orders/job_001/matches'];
const nothing = ['/candidates/cand_none', '/placements/plc_none'];

shared('with CDN_BYPASS, a CDN may keep public replies for a minute if no workspace is named', async () => {
  await withOpenServer({ CDN_BYPASS: 'on' }, async ({ origin }) => {
    const ask = async (path: string, more: Sent = {}) => (await send(origin, path, more)).headers;
    for (const path of [...seeds, ...nothing, '/offer']) {
      for (const method of ['GET', 'HEAD']) {
        const headers = await ask(path, { method });
        assert.is(headers['cdn-cache-control'], minute, path);
        assert.is(headers['cache-tag'], manifest.tag, path);
        assert.match(headers['cache-control']!, /^no-(?:cache|store)$/, `${path}: a browser asks again`);
        assert.match(headers.vary!, 'X-Workspace', path);
        for (const name of ['x-request-id', 'ratelimit', 'x-workspace'])
          assert.is(headers[name], undefined, path);
      }
    }
    const kept: [path: string, more?: Sent][] = [
      ...seeds.map((path): [string, Sent] => [path, { headers: mine }]),
      ['/candidates', { headers: { Authorization: 'Bearer x', ...mine } }],
      ['/candidates?limit=2', { headers: { Authorization: 'Bearer x' } }],
      ['/candidates?limit=2', { headers: { Prefer: 'handling=strict' } }],
      ['/candidates/cand_none', { headers: mine }],
      ['/candidates?limit=0'],
      ['/candidates?scope=admin'],
      ['/placements?spend=26'],
      ['/nowhere'],
      ['/workspace'],
      ['/work'],
      ['/healthz'],
      ['/candidates', { method: 'POST', body: '{"name": "A", "onetCode": "15-1252.00"}' }],
      ['/candidates', { method: 'OPTIONS' }],
    ];
    for (const [path, more] of kept) {
      const headers = await ask(path, more);
      const what = `${more?.method ?? 'GET'} ${path} ${JSON.stringify(more?.headers ?? {})}`;
      assert.ok([undefined, 'no-store'].includes(headers['cdn-cache-control'] as string), what);
      assert.is(headers['cache-tag'], undefined, what);
    }
    assert.is((await ask('/occupations?q=nurse'))['cache-tag'], manifest.tag);
  });
});

shared('without CDN_BYPASS, a CDN keeps no live reply', async () => {
  const { origin } = await useServer();
  for (const path of [...seeds, ...nothing, '/offer']) {
    const { headers } = await send(origin, path);
    assert.ok([undefined, 'no-store'].includes(headers['cdn-cache-control'] as string), path);
    assert.is(headers['cache-tag'], undefined, path);
  }
});

shared.run();
