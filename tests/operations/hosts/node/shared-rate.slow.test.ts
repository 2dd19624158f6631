import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connect } from '../../../support/http.ts';
import { askRedis, skipsRedis, startRedis, until } from '../../../support/redis.ts';
import { startServer } from '../../../support/server.ts';

if (!skipsRedis()) {
  const rate = suite('one quota for all instances');
  const redis = await startRedis(['--appendfsync', 'no']);
  const env = {
    STORE_URL: `redis://127.0.0.1:${redis.port}`,
    STORE_DURABILITY: 'none',
    TRUST_PROXY: '1',
    RATE_LIMIT_LIVE: '200',
    RATE_LIMIT_MINT: '5',
    LOG: 'off',
  };
  const hosts = await Promise.all([startServer(env), startServer(env)]);
  const clients = await Promise.all(hosts.map(({ origin }) => connect(origin)));
  for (const client of clients)
    await until(async () => (await client.get('/readyz')).status === 200, 'both are ready', 60_000);
  const candidate = { name: 'A', onetCode: '15-1252.00' };
  let last = 0;
  /** Returns the headers of a new caller. */
  const makeCaller = () => ({ 'X-Forwarded-For': `203.0.113.${++last}` });

  /** Counts how many of this many reads are allowed, sent to each host in turn. */
  async function countAllowed(count: number, caller: Record<string, string>): Promise<number> {
    const statuses: number[] = [];
    for (let times = 0; times < count; times += 1)
      statuses.push((await clients[times % 2]!.get('/candidates?limit=1', caller)).status);
    return statuses.filter((status) => status === 200).length;
  }

  rate('new workspaces are counted exactly, and given back if the create is refused', async () => {
    const caller = makeCaller();
    assert.is((await clients[0]!.post('/candidates', {}, caller)).status, 400);
    const made = await Promise.all(
      Array.from({ length: 16 }, (_, index) => clients[index % 2]!.post('/candidates', candidate, caller)),
    );
    assert.is(made.filter(({ status }) => status === 201).length, 5);
    const mints = made.map(({ headers }) => /"mint";r=(\d+)/.exec(headers.get('ratelimit')!)?.[1]);
    assert.equal([...mints].sort(), [...Array(11).fill('0'), '0', '1', '2', '3', '4']);
  });

  rate('live requests are counted exactly, and the store keeps no address', async () => {
    const allowed = await countAllowed(260, makeCaller());
    assert.is(allowed, 200);
    const keys = askRedis(redis.port, 'KEYS', '*');
    assert.match(keys, /careers:3:rate:/);
    assert.not.match(keys, /203\.0|live/);
  });

  rate('an IPv6 /56 has the new workspaces of four callers over all instances', async () => {
    let made = 0;
    for (let subnet = 0; subnet < 30; subnet += 1) {
      const caller = { 'X-Forwarded-For': `2001:db8:1:${(0xab00 + subnet).toString(16)}::1` };
      if ((await clients[subnet % 2]!.post('/candidates', candidate, caller)).status === 201) made += 1;
    }
    assert.is(made, 20);
  });

  rate('titles count at every instance', async () => {
    const caller = makeCaller();
    const toTitles = (count: number) => Array.from({ length: count }, (_, at) => `nurse ${at}`);
    const code = async (at: number, count: number) =>
      (await clients[at]!.post('/titles', { titles: toTitles(count) }, caller)).status;
    assert.is(await code(0, 100), 200);
    assert.is(await code(1, 90), 200);
    assert.is(await code(0, 20), 200, 'while any of the quota is left');
    assert.is(await code(1, 1), 429);
  });

  rate('each instance goes on by itself while the store is away, and makes no workspace', async () => {
    await redis.stop('SIGKILL');
    const allowed = await countAllowed(460, makeCaller());
    assert.ok(allowed >= 190 && allowed <= 400, `${allowed} allowed`);
    assert.is((await clients[0]!.post('/candidates', candidate, makeCaller())).status, 503);
  });

  rate.after(async () => {
    await Promise.all([...hosts, redis].map((one) => one.stop()));
  });
  rate.run();
}
