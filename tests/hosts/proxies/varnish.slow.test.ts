import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { caches, startHaproxyBefore, startNginxBefore } from '../../support/balancers.ts';
import { findPort, startServer, withServer } from '../../support/server.ts';
import { skipsWithout } from '../../support/tools.ts';
import { send, sendRaw } from '../../support/wire.ts';

const varnish = suite('the Varnish of the example');
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const balancers = { nginx: startNginxBefore, haproxy: startHaproxyBefore };

/** A cached answer stays while the origin of a Varnish answers with this. */
async function holdStale(error: number): Promise<void> {
  let [status, asked] = [200, 0];
  const keeping = 'max-age=1, stale-while-revalidate=86400, stale-if-error=86400';
  const origin = createServer(({ url }, response) => {
    const isProbe = url === '/healthz';
    if (!isProbe) asked += 1;
    const headers = status === 200 ? { 'CDN-Cache-Control': keeping } : { 'Cache-Control': 'no-store' };
    response.writeHead(isProbe ? 200 : status, headers).end('kept');
  }).listen(0, '127.0.0.1');
  await once(origin, 'listening');
  const cache = await caches.varnishd((origin.address() as AddressInfo).port);
  try {
    assert.is((await send(cache.origin, '/pricing')).status, 200);
    await pause(2000);
    status = error;
    for (let n = 0; n < 4; n += 1) {
      const reply = await send(cache.origin, '/pricing');
      assert.is(`${reply.status} ${reply.bytes}`, '200 kept');
      await pause(50);
    }
    assert.ok(asked > 2, `asked again: ${asked}`);
    assert.is((await send(cache.origin, '/not-kept')).status, error, 'without a cached answer it is shown');
  } finally {
    cache.stop();
    origin.close();
    origin.closeAllConnections();
  }
}

/** Varnish finds a balancer well, before a host whose inside that hides. */
async function holdBehind(start: (typeof balancers)[keyof typeof balancers]): Promise<void> {
  const host = await startServer({ TRUST_PROXY: '2', LOG: 'off' });
  const balancer = await start([host.port, await findPort()]);
  const cache = await caches.varnishd(Number(new URL(balancer.origin).port));
  try {
    // Two probes, 2 s apart, are what it takes to be found ill.
    await pause(5000);
    assert.is((await send(cache.origin, '/')).status, 200);
    assert.is((await send(cache.origin, '/readyz')).status, 404);
    assert.is((await send(balancer.origin, '/%72eadyz')).status, 404);
  } finally {
    cache.stop();
    balancer.stop();
    await host.stop();
  }
}

if (!skipsWithout('varnishd')) {
  varnish('a 503 or 429 of the host takes no cached answer away while stale-if-error lasts', () =>
    Promise.all([503, 429].map(holdStale)).then(() => {}),
  );

  varnish('finds a balancer well, which hides /readyz', async () => {
    const found = Object.entries(balancers).filter(([name]) => !skipsWithout(name));
    await Promise.all(found.map(([, start]) => holdBehind(start)));
  });

  varnish('no way of writing an address shows the inside', async () => {
    await withServer({ METRICS: 'on', TRUST_PROXY: '1', LOG: 'off' }, async (host) => {
      const cache = await caches.varnishd(host.port);
      const { port } = new URL(cache.origin);
      try {
        for (const path of ['/readyz', '/metrics', '/readyz?a', '/%72eadyz', '/ready%7A', '/%6Detrics']) {
          for (const before of ['', 'http://localhost', 'https://localhost', 'HTTPS://u@x:1', 'ftp://x']) {
            const target = before + path;
            const bytes = `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
            const { status, text } = await sendRaw(Number(port), bytes);
            assert.is(status, 404, `${target}: ${text.slice(0, 80)}`);
          }
        }
        for (const target of ['https://x/pricing', 'https://x', 'https://x?', 'http://x']) {
          const bytes = `HEAD ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
          assert.is((await sendRaw(Number(port), bytes)).status, 200, target);
        }
      } finally {
        cache.stop();
      }
    });
  });
}

varnish.run();
