import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { done, make, openRedis, toCreate, toHash, toName, toWord, toWrite } from '../../support/changes.ts';
import { connect } from '../../support/http.ts';
import { askRedis, skipsRedis, startRedis, until } from '../../support/redis.ts';
import { withServer } from '../../support/server.ts';

const versions = suite('lost, refused and partial writes in Redis');

if (!skipsRedis()) {
  const server = await startRedis();
  const url = `redis://127.0.0.1:${server.port}`;
  const ask = (...args: string[]) => askRedis(server.port, ...args).trim();
  const shorten = (hex: string) => Buffer.from(hex.slice(0, 32), 'hex').toString('base64url');

  /** Opens two instances with the same workspace in memory. A failover can then undo later writes. */
  async function openBefore() {
    const [first, other] = [await openRedis(url), await openRedis(url)];
    const made = await make(first);
    const { key } = (await other.open(made.hash))!;
    ask('COPY', key, `${key}:before`);
    return {
      ...made,
      first,
      other,
      failOver: () => ask('COPY', `${key}:before`, key, 'REPLACE'),
      listInMemory: async (tested: typeof first) => {
        const entries = (await tested.workspaces.open(made.hash))?.list('candidate') ?? [];
        return entries.map((entry) => entry.record.id);
      },
      close: () => Promise.all([first.close(), other.close()]),
    };
  }

  versions('forgets a revision that a failover lost', async () => {
    const { first, hash, record, failOver, listInMemory, close } = await openBefore();
    await first.change(toCreate({ hash, mint: false }));
    failOver();
    assert.equal(await listInMemory(first), [record.id]);
    await close();
  });

  versions('distinguishes a revision that a failover lost from the same number issued again', async () => {
    const { first, other, hash, record, failOver, listInMemory, close } = await openBefore();
    await first.change(toCreate({ hash, mint: false }));
    const { revision } = (await first.open(hash))!;
    failOver();
    const again = toCreate({ hash, mint: false });
    await other.change(again);

    assert.is((await other.open(hash))!.revision, revision);
    assert.equal(await listInMemory(first), [record.id, again.record.id]);
    await close();
  });

  versions('decides a change again that was decided on a lost revision', async () => {
    const { first, other, hash, record, failOver, close } = await openBefore();
    await first.change(toCreate({ hash, mint: false }));
    const [again, last] = [toCreate({ hash, mint: false }), toCreate({ hash, mint: false })];
    const write = first.store.write.bind(first.store);
    first.store.write = async (commit) => {
      first.store.write = write;
      failOver();
      await other.change(again);
      return write(commit);
    };

    assert.equal(await first.change(last), done);

    assert.equal(await other.listIds(hash), [record.id, again.record.id, last.record.id]);
    await close();
  });

  versions('shows nothing of a change that the server refused', async () => {
    const { first, other, hash, record, listInMemory, close } = await openBefore();
    const late = toCreate({ hash, mint: false });
    ask('CONFIG', 'SET', 'min-replicas-to-write', '1');
    assert.is(await toWord(first, late), 'too_few_replicas');
    assert.equal(await listInMemory(first), [record.id]);
    assert.equal(await listInMemory(other), [record.id]);
    ask('CONFIG', 'SET', 'min-replicas-to-write', '0');
    assert.is(await toWord(first, late), 'done');
    await close();
  });

  versions(
    'acknowledges a durable change even if the keys that it leaves over cannot be deleted',
    async () => {
      const { first, other, hash, write, close } = await openBefore();
      const token = toHash();
      await write({ addedTokens: { [token]: { to: 'plc_1', expiresAt: Date.now() + 60_000 } } });
      ask('ACL', 'SETUSER', 'default', '-del');
      const changed = await write({ state: { changed: true }, removedTokens: [token] }).catch(
        (error) => error,
      );
      ask('ACL', 'SETUSER', 'default', '+del');
      assert.equal(changed, done);
      assert.equal((await other.open(hash))?.state, { changed: true });
      assert.equal((await first.open(hash))?.state, { changed: true });
      await close();
    },
  );

  versions('opens a workspace by its old hash if the server refused to rename it', async () => {
    const { first, other, hash, write, close } = await openBefore();
    const rename = toHash();
    ask('CONFIG', 'SET', 'min-replicas-to-write', '1');
    await write({ rename }).catch(() => {});
    ask('CONFIG', 'SET', 'min-replicas-to-write', '0');
    for (const tested of [first, other]) {
      assert.is((await tested.open(hash))?.hash, hash);
      assert.is(await tested.open(rename), undefined);
    }
    await close();
  });

  versions('opens a workspace by its old hash if a rename stopped after its alias was written', async () => {
    const { first, hash, close } = await openBefore();
    const rename = toHash();
    const { key } = (await first.open(hash))!;
    ask('SET', `careers:3:hash:{${shorten(rename)}}`, key);
    assert.is(await first.open(rename), undefined);
    assert.equal(await first.change(toWrite({}, { hash: rename, mint: false })), { result: 'unknown' });
    assert.is((await first.open(hash))?.hash, hash);
    await close();
  });

  versions('does not take over a key whose workspace is about to be written', async () => {
    const tested = await openRedis(url);
    const key = { name: toName(), fingerprint: toName() };
    const tokenKey = `careers:3:token:{${shorten(key.name)}}`;
    const token = `${Date.now() + 60_000} careers:3:{${shorten(toHash())}} salt`;
    ask('SET', tokenKey, token);
    const change = { ...toCreate({ key, reply: '{}' }), keyToken: { before: undefined, to: 'salt' } };

    assert.equal(await tested.workspaces.change(change, change.rule), { result: 'taken' });

    assert.is(ask('GET', tokenKey), token);
    await tested.close();
  });

  versions('makes the same workspace under a key if the first attempt stopped after its token', async () => {
    await withServer({ STORE_URL: `${url}/1`, LOG: 'off' }, async ({ origin }) => {
      const client = await connect(origin);
      await until(async () => (await client.get('/readyz')).status === 200, 'it is ready');
      const create = () =>
        client.post(
          '/candidates',
          { name: 'Ann', onetCode: '15-1252.00' },
          { 'Idempotency-Key': 'k'.repeat(16) },
        );
      const { body } = await create();
      // The token of the key is written before the workspace, so a crash between the two writes leaves this.
      const [workspaceKey] = ask('-n', '1', 'KEYS', 'careers:3:{*').split('\n');
      ask('-n', '1', 'DEL', workspaceKey!);

      const again = await create();

      assert.is(again.status, 201);
      assert.is(again.headers.get('Idempotency-Replayed'), null);
      assert.is(again.body.workspace, body.workspace);
      const replay = await create();
      assert.is(replay.headers.get('Idempotency-Replayed'), 'true');
      assert.is(replay.body.workspace, body.workspace);
    });
  });

  versions.after(() => server.stop());
}

versions.run();
