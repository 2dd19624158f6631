import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { measureShare } from '../../support/agent-mix.ts';
import { caches, startNginxCacheBefore } from '../../support/caches.ts';
import { interleave } from '../../support/interleaved.ts';
import { startServer } from '../../support/server.ts';
import { skipsWithout } from '../../support/tools.ts';
import { send } from '../../support/wire.ts';

const cdn = suite('a cache in front');
const hidden = { TRUST_PROXY: '1', RATE_LIMIT: 'off', METER: 'count', LOG: 'off' };
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

for (const [name, start] of Object.entries(caches)) {
  if (skipsWithout(name)) continue;

  cdn(`${name} never answers one workspace with what is another's`, async () => {
    const host = await startServer({ ...hidden, CDN_BYPASS: 'on' });
    const cache = await start(host.port);
    try {
      const { pairs, kept, mixed } = await interleave(cache.origin, 1000);
      assert.equal(mixed, []);
      assert.is(pairs, 1000);
      if (name === 'varnishd') assert.ok(kept > 300, `${kept} answers were kept`);
    } finally {
      cache.stop();
      await host.stop();
    }
  });

  cdn(`${name} keeps what is for all with CDN_BYPASS, and no seeds without`, async () => {
    for (const CDN_BYPASS of ['on', 'off']) {
      const host = await startServer({ ...hidden, CDN_BYPASS });
      const cache = await start(host.port);
      const ask = (path: string, headers = {}) => send(cache.origin, path, { headers });
      try {
        const paths = [
          '/candidates',
          '/candidates/cand_001',
          '/candidates?limit=2',
          '/candidates/cand_none',
          '/offer',
        ];
        const first = await Promise.all(['/pricing', ...paths].map((path) => ask(path)));
        await pause(50);
        await host.stop();
        const [pricing, ...others] = await Promise.all(['/pricing', ...paths].map((path) => ask(path)));
        assert.equal([pricing!.status, pricing!.bytes.toString()], [200, first[0]!.bytes.toString()]);
        const wanted = CDN_BYPASS === 'on' ? first.slice(1).map(({ status }) => status) : paths.map(() => 0);
        const got = others.map(({ status }) => (status >= 500 ? 0 : status));
        assert.equal(got, wanted, `CDN_BYPASS=${CDN_BYPASS}`);
        for (const headers of [
          { 'X-Workspace': 'ws_x' },
          { 'X-Workspace': '0' },
          { Authorization: 'Bearer x' },
        ]) {
          const { status } = await ask('/candidates', headers);
          assert.ok(status >= 500, `${JSON.stringify(headers)} is passed by: ${status}`);
        }
      } finally {
        cache.stop();
        await host.stop();
      }
    }
  });
}

if (!skipsWithout('nginx')) {
  cdn('nginx has the assets of the build before, and those of this one from its host', async () => {
    const host = await startServer(hidden);
    const before = { '/_astro/page.0000before.js': 'before()', '/worker/search.0000before.bin': 'bytes' };
    const cache = await startNginxCacheBefore(host.port, before);
    try {
      const html = (await send(cache.origin, '/guides.html')).bytes.toString();
      const [, now] = /"(\/_astro\/[^"]+\.css)"/.exec(html)!;
      for (const path of [...Object.keys(before), now!]) {
        const { status, headers } = await send(cache.origin, path);
        assert.is(status, 200, path);
        assert.match(headers['cache-control']!, 'immutable', path);
      }
      const old = await send(cache.origin, '/_astro/page.0000before.js');
      assert.is(old.headers['content-type'], 'text/javascript; charset=utf-8');
      assert.is((await send(cache.origin, '/_astro/page.nowhere.js')).status, 404);
    } finally {
      cache.stop();
      await host.stop();
    }
  });
}

if (!skipsWithout('nginx')) {
  cdn('nginx has nobody wait for what it does not keep, and keeps no key set', async () => {
    const host = await startServer(hidden);
    const cache = await caches.nginx(host.port);
    const keySet = '/.well-known/jwks.json';
    try {
      await Promise.all(Array.from({ length: 32 }, () => send(cache.origin, '/')));
      assert.is((await send(cache.origin, keySet)).status, 200);
      await host.stop();
      assert.is((await send(cache.origin, keySet)).status, 502);
    } finally {
      cache.stop();
      await host.stop();
    }
  });
}

if (!skipsWithout('varnishd')) {
  cdn(
    'Varnish forgets by the tag what is of another build, but for what is named by its content',
    async () => {
      const host = await startServer(hidden);
      const cache = await caches.varnishd(host.port);
      const ask = async (path: string) => (await send(cache.origin, path)).headers;
      // What is given out from the cache names two transactions: this one, and the one that fetched it.
      const isKept = async (path: string) => (await ask(path))['x-varnish']!.includes(' ');
      const ban = async (tag: string) =>
        (await send(cache.origin, '/', { method: 'BAN', headers: { 'Cache-Tag': tag } })).status;
      try {
        const html = (await send(cache.origin, '/guides.html')).bytes.toString();
        const [, asset] = /"(\/_astro\/[^"]+\.css)"/.exec(html)!;
        const { 'cache-tag': tag } = await ask('/pricing');
        await ask(asset!);
        assert.is(await ban(String(tag)), 200);
        assert.equal([await isKept('/pricing'), await isKept(asset!)], [true, true]);
        assert.is(await ban('careers-000000000000'), 200);
        assert.equal([await isKept('/pricing'), await isKept(asset!)], [false, true]);
        assert.is(await ban('x || obj.status == 200'), 403);
      } finally {
        cache.stop();
        await host.stop();
      }
    },
  );

  cdn('at most a fifth of what agents ask for reaches the host behind Varnish with CDN_BYPASS', async () => {
    const share = await measureShare(caches.varnishd, 'on', 2000);
    assert.ok(share > 0.02 && share <= 0.2, `${(share * 100).toFixed(1)} %`);
  });
}

cdn.run();
