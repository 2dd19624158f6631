import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  make,
  openRedis,
  openSqlite,
  type TestedStore,
  toHash,
  toName,
  toRecord,
  toWrite,
} from '../../support/changes.ts';
import {
  connectTo,
  makeOne,
  readStatus,
  runBadly,
  runWell,
  startCommand,
} from '../../support/data-commands.ts';
import { askRedis, skipsRedis, startRedis, until } from '../../support/redis.ts';
import { makeFolder, startServer } from '../../support/server.ts';
import { makeMany, name, open } from '../../support/stored-files.ts';

const hour = 3_600_000;

if (!skipsRedis()) {
  const transfer = suite('npm run transfer');
  const redis = await startRedis();
  let databases = 0;
  /** Returns the URL of a database that no other test uses. */
  const useServer = () => `redis://127.0.0.1:${redis.port}/${databases++}`;
  const countKeys = (url: string) =>
    askRedis(redis.port, '-n', url.split('/').at(-1)!, 'KEYS', 'careers:3:*').split('\n').filter(Boolean)
      .length;

  /** Makes a workspace with everything that a store can hold of one. */
  async function makeRich(store: TestedStore) {
    const token = toHash();
    const key = { name: toName(), fingerprint: toName() };
    const made = await make(store, { record: toRecord({ name: 'Zoë – “quoted”' }), key, reply: 'minted' });
    await made.write(
      {
        state: { owner: 'of it', nested: { list: [1, 2] } },
        addedTokens: { [token]: { to: 'plc_1', expiresAt: made.expiresAt + hour } },
        activity: [{ via: 'http', operation: 'createCandidate', records: [] }],
        charge: { period: '2026-11', calls: { createMatches: 2 } },
      },
      (draft) => draft.put('candidate', toRecord()),
    );
    return { ...made, token, key };
  }

  /** Reads everything of a workspace through the contract of stores. */
  async function readAll(store: TestedStore, { hash, token }: { hash: string; token: string }) {
    const { key: _, ...whole } = (await store.readWhole(hash))!;
    const head = (await store.store.open(hash))!;
    const activity = await store.store.readActivity(head, { limit: 100 });
    const { key: to, ...followed } = (await store.follow(token))!;
    return { whole, activity: activity.map((entry) => ({ ...entry })), followed, isHere: to === head.key };
  }

  async function useStore<T>(
    store: Promise<TestedStore> | TestedStore,
    use: (store: TestedStore) => Promise<T>,
  ) {
    const opened = await store;
    try {
      return await use(opened);
    } finally {
      await opened.close();
    }
  }

  transfer('loses nothing of a workspace on the way to a server and back', async () => {
    const [from, to, back] = [makeFolder(), useServer(), join(makeFolder(), 'back')];
    const made = await useStore(open(from), makeRich);
    const before = await useStore(open(from), (store) => readAll(store, made));
    assert.match(
      runWell('transfer', ['--from', from, '--to', to]),
      'Copied 1 workspace with 2 records and 2 tokens',
    );
    const there = await useStore(openRedis(to), (store) => readAll(store, made));
    assert.ok(there.isHere);
    assert.ok(isDeepStrictEqual(there, before), JSON.stringify([there, before]));
    runWell('transfer', ['--from', to, '--to', back]);
    const home = await useStore(open(back), (store) => readAll(store, made));
    assert.ok(isDeepStrictEqual(home, before), JSON.stringify([home, before]));
  });

  transfer('lets an Idempotency-Key that made a workspace lead to it', async () => {
    const [from, to] = [makeFolder(), useServer()];
    const made = await useStore(open(from), makeRich);
    runWell('transfer', ['--from', from, '--to', to]);
    const followed = await useStore(openRedis(to), (store) => store.follow(made.key.name));
    assert.is(followed?.hash, made.hash);
  });

  transfer('lets a token be removed that came back from a server', async () => {
    const [from, to, back] = [makeFolder(), useServer(), makeFolder()];
    const made = await useStore(open(from), makeRich);
    runWell('transfer', ['--from', from, '--to', to]);
    runWell('transfer', ['--from', to, '--to', back]);
    await useStore(open(back), async (store) => {
      assert.is((await store.follow(made.token))?.hash, made.hash);
      await store.change(toWrite({ removedTokens: [made.token] }, { hash: made.hash, mint: false }));
      assert.is(await store.follow(made.token), undefined);
    });
  });

  transfer('follows a workspace to the hash that it was renamed to', async () => {
    const [from, to] = [useServer(), makeFolder()];
    const hash = toHash();
    const made = await useStore(openRedis(from), async (store) => {
      const rich = await makeRich(store);
      await rich.write({ rename: hash });
      return rich;
    });
    runWell('transfer', ['--from', from, '--to', to]);
    await useStore(open(to), async (store) => {
      assert.is((await store.follow(made.token))?.hash, hash);
      assert.is(await store.open(made.hash), undefined);
    });
  });

  transfer('takes a host from its folder to a server, and the caller notices nothing', async () => {
    const quiet = { LOG: 'off', RATE_LIMIT: 'off' };
    const first = await startServer(quiet);
    const client = await connectTo(first);
    const made = await makeOne(client);
    const keyed = { 'X-Workspace': made.workspace, 'Idempotency-Key': 'one' };
    const body = { name: 'Second Sample', onetCode: '15-1252.00' };
    const created = await client.post('/candidates', body, keyed);
    assert.is(created.status, 201);
    await first.stop();
    const STORE_URL = useServer();
    runWell('transfer', ['--from', first.dataDir, '--to', STORE_URL]);
    const SIGNING_KEY = join(first.dataDir, 'signing-key.pem');
    const second = await startServer({ ...quiet, STORE_URL, SIGNING_KEY });
    const again = await connectTo(second);
    assert.is(await readStatus(again, made), 200);
    const replayed = await again.post('/candidates', body, keyed);
    assert.is(replayed.headers.get('idempotency-replayed'), 'true');
    assert.is(replayed.body.candidate.id, created.body.candidate.id);
    const mine = { 'X-Workspace': made.workspace };
    assert.is((await again.get('/workspace/activity', mine)).body.activity.length, 2);
    await second.stop();
  });

  transfer('goes on after it was killed', async () => {
    const [from, to] = [makeFolder(), useServer()];
    const hashes = await useStore(open(from), (store) => makeMany(store, 400));
    const child = startCommand('transfer', ['--from', from, '--to', to]);
    const ended = once(child, 'exit');
    await until(() => countKeys(to) > 0 || child.exitCode !== null, 'the copy began');
    child.kill('SIGKILL');
    await ended;
    runWell('transfer', ['--from', from, '--to', to]);
    await useStore(openRedis(to), async (store) => {
      for (const hash of hashes) assert.is((await store.listIds(hash))?.length, 1);
    });
    assert.is(countKeys(to), hashes.length);
  });

  transfer('to a file goes on after it was killed', async () => {
    const [from, to] = [useServer(), makeFolder()];
    const hashes = await useStore(openRedis(from), (store) => makeMany(store, 400));
    const child = startCommand('transfer', ['--from', from, '--to', to]);
    const ended = once(child, 'exit');
    await until(() => existsSync(join(to, `${name}-wal`)) || child.exitCode !== null, 'the copy began');
    child.kill('SIGKILL');
    await ended;
    runWell('transfer', ['--from', from, '--to', to]);
    await useStore(open(to), async (store) => {
      for (const hash of hashes) assert.is((await store.listIds(hash))?.length, 1);
    });
  });

  transfer('of what is there already copies nothing and says so', async () => {
    const [from, to] = [makeFolder(), useServer()];
    await useStore(open(from), (store) => makeMany(store, 3));
    runWell('transfer', ['--from', from, '--to', to]);
    const said = runWell('transfer', ['--from', from, '--to', to]);
    assert.match(said, 'Copied 0 workspaces');
    assert.match(said, '3 workspaces had been copied before.');
  });

  transfer('refuses a target with another content of the same workspace, and writes nothing', async () => {
    const [from, to] = [makeFolder(), useServer()];
    const made = await useStore(open(from), (store) => make(store));
    runWell('transfer', ['--from', from, '--to', to]);
    await useStore(open(from), async (store) => {
      await make(store);
      await store.change(toWrite({ state: { changed: true } }, { hash: made.hash, mint: false }));
    });
    const before = countKeys(to);
    const said = runBadly('transfer', ['--from', from, '--to', to]);
    assert.match(
      said,
      `Workspaces that the target has with another content: 1 (in the log: ${made.hash.slice(-8)})`,
    );
    assert.is(countKeys(to), before);
  });

  transfer('refuses a folder that a service uses', async () => {
    const server = await startServer({ LOG: 'off' });
    const said = runBadly('transfer', ['--from', server.dataDir, '--to', useServer()]);
    assert.match(said, /--from cannot be used: .* in use by process \d+ .* Stop it, and run this again\./);
    await server.stop();
  });

  transfer('refuses a server that a service uses', async () => {
    const url = useServer();
    const server = await startServer({ LOG: 'off', STORE_URL: url });
    await until(
      () => askRedis(redis.port, 'PUBSUB', 'NUMSUB', 'careers:3:changed').trim().endsWith('1'),
      'the host listens',
    );
    const busy = 'One instance of the service uses the server; stop the service';
    assert.match(runBadly('transfer', ['--from', url, '--to', makeFolder()]), busy);
    const from = makeFolder();
    await useStore(open(from), (store) => makeMany(store, 1));
    assert.match(runBadly('transfer', ['--from', from, '--to', url]), busy);
    await server.stop();
  });

  transfer('refuses a server that keeps less than STORE_DURABILITY', async () => {
    const weak = await startRedis(['--appendonly', 'no']);
    const from = makeFolder();
    await useStore(open(from), (store) => makeMany(store, 1));
    const said = runBadly('transfer', ['--from', from, '--to', `redis://127.0.0.1:${weak.port}`]);
    assert.match(said, /--to cannot be used: not_durable: .*STORE_DURABILITY/);
    await weak.stop();
  });

  transfer('takes a backup as its source, and leaves it as it is', async () => {
    const DATA_DIR = makeFolder();
    await useStore(open(DATA_DIR), (store) => makeMany(store, 2));
    const file = join(makeFolder(), 'nightly.backup');
    runWell('backup', [file], { DATA_DIR, STORE_FREE: '0' });
    const before = readFileSync(file);
    assert.match(runWell('transfer', ['--from', file, '--to', useServer()]), 'Copied 2 workspaces');
    assert.ok(readFileSync(file).equals(before));
  });

  transfer('runs from dist/host, without npm', async () => {
    const from = makeFolder();
    await useStore(open(from), (store) => makeMany(store, 2));
    const tool = join(import.meta.dirname, '..', '..', '..', 'dist', 'host', 'transfer.mjs');
    const args = [tool, '--from', from, '--to', useServer()];
    const { stdout } = spawnSync(process.execPath, args, { cwd: makeFolder(), encoding: 'utf8' });
    assert.match(stdout, 'Copied 2 workspaces');
  });

  transfer('leaves out what has expired, and says so', async () => {
    const from = makeFolder();
    await useStore(openSqlite(join(from, name)), async (store) => {
      await make(store, { now: Date.now() - 2 * hour, expiresAt: Date.now() - hour });
    });
    const said = runWell('transfer', ['--from', from, '--to', useServer()]);
    assert.match(said, 'Left out, because they had expired: 1 workspace');
  });

  const wrongCalls: [args: string[], said: RegExp][] = [
    [[], /Name the two stores\./],
    [['--from', 'redis://user:secret@', '--to', makeFolder()], /--from cannot be used: an address is not/],
    [['--from', join(makeFolder(), 'none'), '--to', makeFolder()], /--from cannot be used: .*ENOENT/],
    [['--from', 'a', '--to', 'a'], /are the same store/],
    [
      ['--from', 'redis://127.0.0.1:1', '--to', makeFolder()],
      /--from cannot be used: refused: nothing listens/,
    ],
  ];
  for (const [args, said] of wrongCalls)
    transfer(
      `explains what is wrong with: ${args.map((arg) => arg.replace(/\S*careers-\w+/, 'FOLDER')).join(' ') || 'nothing'}`,
      () => {
        const text = runBadly('transfer', args);
        assert.match(text, said);
        assert.not.match(text, 'secret');
      },
    );

  transfer.run();
}
