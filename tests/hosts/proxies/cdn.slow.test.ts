import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { interleave, measureShare } from '../../support/agent-mix.ts';
import { caches, startNginxCacheBefore } from '../../support/balancers.ts';
import { startServer } from '../../support/server.ts';
import { skipsWithout } from '../../support/tools.ts';
import { send } from '../../support/wire.ts';

const cdn = suite('a cache in front');
const hidden = { TRUST_PROXY: '1', RATE_LIMIT: 'off', METER: 'count', LOG: 'off' };
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const found = Object.entries(caches).filter(([name]) => !skipsWithout(name));

/** A host, and before it each cache that this machine has. */
async function withCaches(
  env: Record<string, string>,
  use: (fronts: { name: string; origin: string }[], stop: () => Promise<unknown>) => Promise<void>,
): Promise<void> {
  const host = await startServer({ ...hidden, ...env });
  const start = async ([name, before]: (typeof found)[number]) => ({ name, ...(await before(host.port)) });
  const fronts = await Promise.all(found.map(start));
  try {
    await use(fronts, host.stop);
  } finally {
    for (const { stop } of fronts) stop();
    await host.stop();
  }
}

cdn("no cache answers one workspace with what is another's", () =>
  withCaches({ CDN_BYPASS: 'on' }, async (fronts) => {
    for (const { name, origin } of fronts) {
      const { pairs, kept, mixed } = await interleave(origin, 1000);
      assert.equal([pairs, mixed], [1000, []], name);
      if (name === 'varnishd') assert.ok(kept > 300, `${kept} answers were kept`);
    }
  }),
);

const shared = [
  '/candidates',
  '/candidates/cand_001',
  '/candidates?limit=2',
  '/candidates/cand_none',
  '/offer',
];
const ofCaller = [{ 'X-Workspace': 'ws_x' }, { 'X-Workspace': '0' }, { Authorization: 'Bearer x' }];

for (const CDN_BYPASS of ['on', 'off'])
  cdn(`each keeps documents, and what is for all ${CDN_BYPASS === 'on' ? 'too' : 'not'}`, () =>
    withCaches({ CDN_BYPASS }, async (fronts, stop) => {
      const askAll = ({ origin }: (typeof fronts)[number]) =>
        Promise.all(['/pricing', ...shared].map((path) => send(origin, path)));
      const before = await Promise.all(fronts.map(askAll));
      await pause(50);
      await stop();
      for (const [at, front] of fronts.entries()) {
        const [pricing, ...others] = await askAll(front);
        const [first, ...rest] = before[at]!;
        assert.equal([pricing!.status, pricing!.bytes.toString()], [200, first!.bytes.toString()]);
        const wanted = rest.map(({ status }) => (CDN_BYPASS === 'on' ? status : 0));
        const got = others.map(({ status }) => (status >= 500 ? 0 : status));
        assert.equal(got, wanted, `${front.name}, CDN_BYPASS=${CDN_BYPASS}`);
        for (const headers of ofCaller) {
          const { status } = await send(front.origin, '/candidates', { headers });
          assert.ok(status >= 500, `${JSON.stringify(headers)} is passed by: ${status}`);
        }
      }
    }),
  );

if (!skipsWithout('nginx')) {
  cdn('nginx has assets of the build before too, has nobody wait, and keeps no key set', async () => {
    const host = await startServer(hidden);
    const before = { '/_astro/page.0000before.js': 'before()', '/worker/search.0000before.bin': 'bytes' };
    const cache = await startNginxCacheBefore(host.port, before);
    const ask = (path: string) => send(cache.origin, path);
    const keySet = '/.well-known/jwks.json';
    try {
      const html = (await ask('/guides.html')).bytes.toString();
      const [, now] = /"(\/_astro\/[^"]+\.css)"/.exec(html)!;
      for (const path of [...Object.keys(before), now!]) {
        const { status, headers } = await ask(path);
        assert.is(status, 200, path);
        assert.match(headers['cache-control']!, 'immutable', path);
      }
      const old = await ask('/_astro/page.0000before.js');
      assert.is(old.headers['content-type'], 'text/javascript; charset=utf-8');
      assert.is((await ask('/_astro/page.nowhere.js')).status, 404);
      await Promise.all(Array.from({ length: 32 }, () => ask('/')));
      assert.is((await ask(keySet)).status, 200);
      await host.stop();
      assert.is((await ask(keySet)).status, 502);
    } finally {
      cache.stop();
      await host.stop();
    }
  });
}

if (!skipsWithout('varnishd')) {
  cdn(
    'Varnish forgets by its tag what is of another build, but not what is named by its content',
    async () => {
      const host = await startServer(hidden);
      const cache = await caches.varnishd(host.port);
      const ask = async (path: string) => (await send(cache.origin, path)).headers;
      // What is given out from the cache names two transactions: this one, and the one that fetched it.
      const isKept = async (path: string) => (await ask(path))['x-varnish']!.includes(' ');
      const ban = async (tag: string, more = {}) =>
        (await send(cache.origin, '/', { method: 'BAN', headers: { 'Cache-Tag': tag, ...more } })).status;
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
        for (const before of ['203.0.113.7', '127.0.0.1', ''])
          assert.is(await ban('careers-0a', { 'X-Forwarded-For': before }), 403, `passed on for ${before}`);
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
