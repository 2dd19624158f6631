import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { interleave } from '../../../support/agent-mix.ts';
import { startNginxCacheBefore } from '../../../support/balancers.ts';
import { startServer } from '../../../support/server.ts';
import { skipsWithout } from '../../../support/tools.ts';
import { send } from '../../../support/wire.ts';

const cdn = suite('a cache in front');
if (skipsWithout('nginx')) process.exit();
const hidden = { TRUST_PROXY: '1', RATE_LIMIT: 'off', METER: 'count', LOG: 'off' };
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Runs `use` with the cache of the example in front of a host. */
async function withCache(
  env: Record<string, string>,
  use: (origin: string, stop: () => Promise<unknown>) => Promise<void>,
): Promise<void> {
  const host = await startServer({ ...hidden, ...env });
  const cache = await startNginxCacheBefore(host.port);
  try {
    await use(cache.origin, host.stop);
  } finally {
    cache.stop();
    await host.stop();
  }
}

cdn("the cache does not answer one workspace with what is another's", () =>
  withCache({ CDN_BYPASS: 'on' }, async (origin) => {
    const { pairs, mixed } = await interleave(origin, 1000);
    assert.is(pairs, 1000);
    assert.equal(mixed, []);
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
  cdn(`the cache keeps documents, and ${CDN_BYPASS === 'on' ? 'public replies too' : 'no live reply'}`, () =>
    withCache({ CDN_BYPASS }, async (origin, stop) => {
      const askAll = () => Promise.all(['/pricing', ...shared].map((path) => send(origin, path)));
      const [first, ...rest] = await askAll();
      await pause(50);
      await stop();
      const [pricing, ...others] = await askAll();
      assert.is(pricing!.status, 200);
      assert.is(pricing!.bytes.toString(), first!.bytes.toString());
      const wanted = rest.map(({ status }) => (CDN_BYPASS === 'on' ? status : 0));
      const got = others.map(({ status }) => (status >= 500 ? 0 : status));
      assert.equal(got, wanted);
      for (const headers of ofCaller) {
        const { status } = await send(origin, '/candidates', { headers });
        assert.ok(status >= 500, `${JSON.stringify(headers)} bypasses the cache: ${status}`);
      }
    }),
  );

cdn('nginx serves assets of the previous build, answers a burst at once, and caches no key set', async () => {
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

cdn.run();
