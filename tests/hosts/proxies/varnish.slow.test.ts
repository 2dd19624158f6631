import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startHaproxyBefore, startNginxBefore } from '../../support/balancers.ts';
import { caches } from '../../support/caches.ts';
import { findPort, startServer, withServer } from '../../support/server.ts';
import { skipsWithout } from '../../support/tools.ts';
import { send, sendRaw } from '../../support/wire.ts';

const varnish = suite('the Varnish of the example');
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const balancers = { nginx: startNginxBefore, haproxy: startHaproxyBefore };

/** Varnish before an origin that answers as told. */
async function withOrigin(listener: RequestListener, use: (origin: string) => Promise<void>): Promise<void> {
  const origin = createServer(listener).listen(0, '127.0.0.1');
  await once(origin, 'listening');
  const cache = await caches.varnishd((origin.address() as AddressInfo).port);
  try {
    await use(cache.origin);
  } finally {
    cache.stop();
    origin.close();
    origin.closeAllConnections();
  }
}

if (!skipsWithout('varnishd')) {
  for (const error of [503, 429]) {
    varnish(`a ${error} of the host takes no kept answer away while stale-if-error lasts`, async () => {
      let status = 200;
      let asked = 0;
      const keeping = 'max-age=1, stale-while-revalidate=86400, stale-if-error=86400';
      await withOrigin(
        ({ url }, response) => {
          const isProbe = url === '/healthz';
          if (!isProbe) asked += 1;
          const headers = status === 200 ? { 'CDN-Cache-Control': keeping } : { 'Cache-Control': 'no-store' };
          response.writeHead(isProbe ? 200 : status, headers).end('kept');
        },
        async (origin) => {
          assert.is((await send(origin, '/pricing')).status, 200);
          await pause(2000);
          status = error;
          const statuses = [];
          for (let n = 0; n < 4; n += 1) {
            const reply = await send(origin, '/pricing');
            statuses.push(`${reply.status} ${reply.bytes}`);
            await pause(50);
          }
          assert.equal(statuses, Array(4).fill('200 kept'));
          assert.ok(asked > 2, `asked for anew: ${asked}`);
          assert.is((await send(origin, '/not-kept')).status, error, 'without a kept answer it is told');
        },
      );
    });
  }

  for (const [name, start] of Object.entries(balancers)) {
    if (skipsWithout(name)) continue;
    varnish(`finds ${name} well, which hides /readyz`, async () => {
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
    });
  }

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

  varnish('takes no BAN that a proxy on its machine passes on', async () => {
    await withOrigin(
      (_, response) => response.end(),
      async (origin) => {
        const ban = async (headers: object) =>
          (await send(origin, '/', { method: 'BAN', headers: { 'Cache-Tag': 'careers-0a', ...headers } }))
            .status;
        assert.is(await ban({}), 200);
        for (const before of ['203.0.113.7', '127.0.0.1', '']) {
          assert.is(await ban({ 'X-Forwarded-For': before }), 403, before);
        }
      },
    );
  });
}

varnish.run();
