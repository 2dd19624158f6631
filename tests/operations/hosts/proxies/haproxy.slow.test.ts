import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startHaproxyBefore } from '../../../support/balancers.ts';
import { skipsRedis, startRedis, until } from '../../../support/redis.ts';
import { findPort, startServer } from '../../../support/server.ts';
import { skipsWithout } from '../../../support/tools.ts';
import { send } from '../../../support/wire.ts';

const haproxy = suite('the example for HAProxy');
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const candidate = { method: 'POST', body: '{"name": "A", "onetCode": "15-1252.00"}' };

/** Asserts that requests that need no store are forwarded after Redis got this signal. */
async function holdWithout(signal: 'SIGKILL' | 'SIGSTOP'): Promise<void> {
  const redis = await startRedis();
  const env = { STORE_URL: `redis://127.0.0.1:${redis.port}`, TRUST_PROXY: '1', LOG: 'off' };
  const host = await startServer(env);
  const front = await startHaproxyBefore([host.port, await findPort()]);
  try {
    assert.is((await send(front.origin, '/candidates', candidate)).status, 201);
    redis.process.kill(signal);
    const isAway = async () => (await send(host.origin, '/readyz')).status === 503;
    await until(isAway, '/readyz says that the store is away');
    for (const end = Date.now() + 5000; Date.now() < end; await pause(250)) {
      for (const path of ['/pricing', '/occupations?q=nurse', '/candidates'])
        assert.is((await send(front.origin, path)).status, 200, `${signal} ${path}`);
    }
    const { status, headers } = await send(front.origin, '/candidates', candidate);
    assert.is(status, 503);
    assert.match(headers['content-type']!, 'json', 'the host answered');
  } finally {
    front.stop();
    redis.process.kill('SIGCONT');
    await host.stop();
    await redis.stop();
  }
}

if (!skipsWithout('haproxy') && !skipsRedis())
  haproxy('forwards requests that need no store while the store is gone or hangs', () =>
    Promise.all([holdWithout('SIGKILL'), holdWithout('SIGSTOP')]).then(() => {}),
  );

haproxy.run();
