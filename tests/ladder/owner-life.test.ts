import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Refusal } from '../../src/kernel/refusal.ts';
import type { Store } from '../../src/records/store.ts';
import { openSqliteStore } from '../../src/stores/sqlite.ts';
import { makeAuthenticator } from '../support/authenticator.ts';
import { assertRefused, assertUnknown, makeClaimed, minuteMs } from '../support/claimed.ts';
import { dayMs, makeLadderWorld } from '../support/ladder-world.ts';

const test = suite('how long an owner is known');

test('a store that fails as or after a workspace is claimed leaves its owner known', async () => {
  for (const isToldOfIt of [true, false]) {
    const inner = openSqliteStore(':memory:');
    let fails = false;
    const store: Store = {
      ...inner,
      async change(change) {
        const wasFailing = fails;
        if (wasFailing && isToldOfIt) throw new Refusal('store_unavailable');
        const changed = await inner.change(change);
        const head = await inner.open(change.workspace, 0);
        fails ||= head?.state.owner !== undefined;
        if (!wasFailing && fails && !isToldOfIt) throw new Refusal('store_unavailable');
        return changed;
      },
    };
    const world = await makeLadderWorld({ store });
    const { claim, look } = await world.mint();
    const token = await claim();
    const { challenge } = (await world.showClaim(token)).body.options.create;
    const authenticator = makeAuthenticator(world.settings.baseUrl);
    await world.answerClaim(token, authenticator.make(challenge));
    fails = false;
    assert.is((await look()).claim, 'claimed');
    world.pass(60 * minuteMs);
    const { status, body } = await world.enter(authenticator);
    assert.is(status, 200, JSON.stringify(body));
    assert.is((await world.list(body.owner.bearer)).body.workspaces.length, 1);
  }
});

test('an owner opens a workspace for as long as that lives, also where credits keep it longer than its claim', async () => {
  const world = await makeLadderWorld({ settings: { claimedRetentionSeconds: 86_400 } });
  const made = await world.mint();
  for (let count = 0; count < 10; count += 1) await made.earn();
  const claimed = await makeClaimed(world, undefined, made);
  world.pass(10 * dayMs);
  const { authenticator, handle } = claimed;
  const { status, body } = await world.enter(authenticator);
  assert.is(status, 200, JSON.stringify(body));
  assert.is((await world.asOwner(body.owner.bearer, handle)('GET', '/workspace')).status, 200);
});

test('an owner of a hundred takes no more, until one of them has expired', async () => {
  const world = await makeLadderWorld();
  const { authenticator, id } = await makeClaimed(world);
  const claimMore = async () => {
    const { claim } = await world.mint();
    const token = await claim();
    const { challenge } = (await world.showClaim(token)).body.options.get;
    return world.answerClaim(token, authenticator.show(challenge));
  };
  world.pass(dayMs);
  for (let count = 1; count < 100; count += 1) assert.is((await claimMore()).status, 200);
  assertRefused(await claimMore(), 409, 'at_limit');
  world.pass(119 * dayMs);
  assertUnknown(await world.ask('GET', '/workspace', undefined, { 'x-workspace': id }));
  const { status, body } = await claimMore();
  assert.is(status, 200, JSON.stringify(body));
  assert.is((await world.list(body.owner.bearer)).body.workspaces.length, 100);
});

test.run();
