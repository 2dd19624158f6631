import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openStore } from '../../../src/stores/open-store.ts';
import { makeAuthenticator } from '../../support/authenticator.ts';
import { isUp } from '../../support/changes.ts';
import {
  answerClaim,
  listOwned,
  makeOwner,
  openUnclaimed,
  readSignInChallenge,
  showClaim,
  signIn,
  solve,
} from '../../support/claims.ts';
import { dayMs } from '../../support/days.ts';
import { makeSigner } from '../../support/receipts.ts';
import { skipsRedis, startRedis, until } from '../../support/redis.ts';
import { World } from '../../support/world.ts';

const two = suite('the ladder over two instances on one Redis');

if (!skipsRedis()) {
  const redis = await startRedis();
  const signer = await makeSigner();
  const now = Date.now();
  const open = async (at = now) =>
    new World({
      signer,
      now: at,
      store: await openStore({ url: `redis://127.0.0.1:${redis.port}`, dataDir: '' }),
    });
  const [one, other] = [await open(), await open()];
  for (const { store } of [one, other]) await until(() => isUp(store), 'a connection');

  two.after(async () => {
    await Promise.all([one.store.close(), other.store.close()]);
    await redis.stop();
  });

  two('a proof is accepted once among a thousand submissions, half of them at each instance', async () => {
    const { workspace: id, challenge: give, look } = await openUnclaimed(one);
    const challenge = await give();
    const { nonce } = await solve(challenge, one.service.platform.sha256);
    const answers = await Promise.all(
      Array.from({ length: 1000 }, (_, at) =>
        (at % 2 ? one : other).ask('POST', '/work', { challenge, nonce }, { 'x-workspace': id }),
      ),
    );
    const codes = answers.map(({ status, body }) => body.code ?? status);
    assert.is(codes.filter((code) => code === 200).length, 1, [...new Set(codes)].join());
    // A submission during another one may be asked to try again.
    assert.ok(codes.every((code) => [200, 'spent', 'store_unavailable'].includes(code)));
    assert.is((await look()).ceilings.records, 1250);
  });

  two('with a clock that is behind, no proof counts twice, and the limits of a month hold', async () => {
    const [ahead, behind] = [
      await open(Date.parse('2026-12-01T00:00:00Z')),
      await open(Date.parse('2026-11-30T23:59:59Z')),
    ];
    for (const { store } of [ahead, behind]) await until(() => isUp(store), 'a connection');
    const { workspace: id } = await openUnclaimed(behind);
    const inWorkspace = { 'x-workspace': id };
    const solveAt = async (world: typeof ahead) => {
      const { challenge } = (await world.get('/work', inWorkspace)).body;
      return { challenge, nonce: (await solve(challenge, world.service.platform.sha256)).nonce };
    };
    const submit = (world: typeof ahead, proof: object) => world.post('/work', proof, inWorkspace);
    const early = await solveAt(behind);
    assert.is((await submit(behind, early)).status, 200);
    for (const world of [ahead, behind]) world.pass(599_500);
    assert.is((await submit(ahead, await solveAt(ahead))).status, 200);
    assert.is((await submit(behind, early)).body.code, 'spent');
    for (const world of [ahead, behind]) world.pass(-599_500);
    let paid = 1;
    for (let count = 0; count < 40; count += 1) {
      const world = count % 2 ? ahead : behind;
      paid += (await submit(world, await solveAt(world))).status === 200 ? 1 : 0;
    }
    assert.is(paid, 30);
    for (const { store } of [ahead, behind]) await store.close();
  });

  two('a claim and a rotation at one instance count at the other, and all expires', async () => {
    const { workspace: id, claim } = await openUnclaimed(one);
    const token = await claim();
    const authenticator = makeAuthenticator(one.service.settings.baseUrl);
    const { challenge } = (await showClaim(other, token)).body.options.create;
    const { body } = await answerClaim(other, token, authenticator.make(challenge));
    assert.is((await answerClaim(one, token, authenticator.make(challenge))).status, 401);
    const { bearer } = (await signIn(one, authenticator.show(await readSignInChallenge(other)))).body.owner;
    assert.is((await listOwned(one, bearer)).body.workspaces.length, 1);
    const asOwner = (world: typeof one) => makeOwner(world, bearer, body.workspace);
    let old = id;
    for (const [here, there] of [
      [one, other],
      [other, one],
    ] as const) {
      const rotated = await asOwner(here)('POST', '/workspace/rotation');
      for (const world of [here, there]) {
        assert.is((await world.get('/workspace', { 'x-workspace': old })).status, 401);
        const fresh = { 'x-workspace': rotated.body.workspace };
        assert.is((await world.get('/workspace', fresh)).body.workspace.claim, 'claimed');
        assert.is((await asOwner(world)('GET', '/workspace')).status, 200);
      }
      old = rotated.body.workspace;
    }
    const left = { 'x-workspace': old };
    one.pass(100 * dayMs);
    const made = await one.post('/candidates', { name: 'B', onetCode: '15-1252.00' }, left);
    assert.is(made.status, 201);
    one.pass(100 * dayMs);
    const again = await signIn(one, authenticator.show(await readSignInChallenge(one)));
    assert.is((await listOwned(one, again.body.owner.bearer)).body.workspaces.length, 1);
    one.pass(20 * dayMs);
    assert.is((await one.get('/workspace', left)).status, 401);
  });

  two.run();
}
