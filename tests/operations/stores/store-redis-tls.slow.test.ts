import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { RedisStore } from '../../../src/stores/redis.ts';
import { openRedis, toCreate, toFault } from '../../support/changes.ts';
import { connect } from '../../support/http.ts';
import { skipsRedis, startRedis, until } from '../../support/redis.ts';
import { makeTls, startClusterSet, trust } from '../../support/redis-sets.ts';
import { withServer } from '../../support/server.ts';

const tls = suite('Redis over TLS');
/** Returns URLs of every kind to a server on this port. */
const toUrls = (scheme: string, port: number) => [
  `${scheme}://127.0.0.1:${port}`,
  `${scheme}-cluster://127.0.0.1:${port}`,
  `${scheme}-sentinel://127.0.0.1:${port}/careers`,
];

/** Waits until a store of each of these URLs reports this. */
async function holdTo(urls: string[], says: RegExp): Promise<void> {
  const holdOne = async (url: string) => {
    const store = new RedisStore(url);
    let said = '';
    const isSaid = async () => {
      said = (await toFault(store.check()))?.stack ?? 'it is up';
      return says.test(said);
    };
    await until(isSaid, `${url} says ${says}`).catch(({ message }) =>
      assert.unreachable(`${message}: ${said}`),
    );
    assert.not.match(said, /\n/);
    await store.close();
  };
  await Promise.all(urls.map(holdOne));
}

if (!skipsRedis()) {
  const trusted = makeTls();
  const stranger = makeTls();
  trust(trusted);

  tls('reports TLS at an address without it, and the other way round', async () => {
    const [secured, plain] = [await startRedis([], { tls: trusted }), await startRedis()];
    await holdTo(toUrls('redis', secured.port), /^StoreFault: closed: .*speaks TLS.* begins with rediss/);
    await holdTo(
      toUrls('rediss', plain.port),
      /^StoreFault: timeout: .*speaks no TLS where STORE_URL is rediss/,
    );
  });

  tls('refuses a certificate of an unknown authority', async () => {
    const { port } = await startRedis([], { tls: stranger });
    await holdTo(toUrls('rediss', port), /^StoreFault: tls: .* NODE_EXTRA_CA_CERTS \(self-signed/);
  });

  tls('refuses a certificate for another name, an expired one, and a request for one of ours', async () => {
    const [named, expired] = [makeTls({ names: 'DNS:store.example' }), makeTls({ days: -1 })];
    trust(named);
    trust(expired);
    const other = await startRedis([], { tls: named });
    await holdTo(toUrls('rediss', other.port), /^StoreFault: tls: .* for the host .*127\.0\.0\.1 is not in/);
    const old = await startRedis([], { tls: expired });
    await holdTo(toUrls('rediss', old.port), /^StoreFault: tls: .* holds today, .*expired/);
    const mutual = await startRedis(['--tls-auth-clients', 'yes'], { tls: trusted });
    await holdTo(toUrls('rediss', mutual.port), /^StoreFault: tls: .*tls-auth-clients no/);
  });

  tls('the host trusts NODE_EXTRA_CA_CERTS, and reports an unknown authority at its start', async () => {
    const { port } = await startRedis([], { tls: stranger });
    const STORE_URL = `rediss://localhost:${port}`;
    await withServer({ STORE_URL, NODE_EXTRA_CA_CERTS: stranger.authority }, async ({ origin, output }) => {
      const client = await connect(origin);
      const create = () => client.post('/candidates', { name: 'Ada', onetCode: '15-1252.00' });
      await until(async () => (await create()).status === 201, 'a create succeeds');
      assert.not.match(output(), /StoreFault/);
    });
    const printed = await withServer({ STORE_URL }, ({ output }) =>
      until(() => output().includes('StoreFault'), 'the cause is reported without a call'),
    );
    assert.match(printed, /"error":"StoreFault: tls: [^"]* NODE_EXTRA_CA_CERTS \([^"]*"\}$/m);
    assert.not.match(printed, /^\s+at |\\n\s+at /m);
  });

  tls('a cluster works that announces the host names of its certificates', async () => {
    const named = makeTls({ names: 'DNS:localhost' });
    trust(named);
    const endpoint = ['--cluster-preferred-endpoint-type', 'hostname'];
    const set = await startClusterSet(named, ['--cluster-announce-hostname', 'localhost', ...endpoint]);
    const url = set.url.replaceAll('127.0.0.1', 'localhost');
    const store = await openRedis(url, 1);
    const creates = Array.from({ length: 20 }, () => toCreate());
    for (const one of creates) assert.is((await store.change(one)).result, 'done');
    for (const { hash, record } of creates) assert.equal(await store.listIds(hash), [record.id]);
    await store.close();
  });
}

tls.run();
