import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Refusal } from '../../../src/kernel/refusal.ts';
import { SqliteStore } from '../../../src/stores/sqlite.ts';
import type { Commit } from '../../../src/workspace/store.ts';
import { makeAuthenticator } from '../../support/authenticator.ts';
import {
  answerClaim,
  assertRefused,
  assertUnknown,
  assertWrongPasskey,
  earlyInMonth,
  listOwned,
  makeOwner,
  openClaimed,
  openUnclaimed,
  signInAs,
} from '../../support/claims.ts';
import { dayMs, minuteMs } from '../../support/days.ts';
import type { Body } from '../../support/http.ts';
import { World } from '../../support/world.ts';

const test = suite('owners');

test('a bearer is valid for an hour, and for its own owner alone', async () => {
  const world = new World(earlyInMonth);
  const [one, other] = [await openClaimed(world), await openClaimed(world)];
  assert.is((await one.asOwner('GET', '/workspace')).status, 200);
  const last = one.bearer.at(-2) === 'A' ? 'B' : 'A';
  const changed = `${one.bearer.slice(0, -2)}${last}${one.bearer.at(-1)}`;
  const longer = one.bearer.replace(/\.(\d{13})\./, (_, at) => `.${Number(at) + 1}.`);
  for (const wrong of ['', 'x', changed, longer, one.bearer.slice(0, -1), one.workspace]) {
    assertRefused(await makeOwner(world, wrong, one.handle)('GET', '/workspace'), 401, 'unknown_owner');
    assertRefused(await listOwned(world, wrong), 401, 'unknown_owner');
  }
  assertUnknown(await makeOwner(world, other.bearer, one.handle)('GET', '/workspace'));
  assertUnknown(await makeOwner(world, one.bearer, `wsh_${'0'.repeat(32)}`)('GET', '/workspace'));
  const byHandle = await world.get('/workspace', { 'x-workspace': one.handle });
  assertRefused(byHandle, 401, 'unknown_owner');
  world.pass(60 * minuteMs - 1);
  assert.is((await one.asOwner('GET', '/workspace')).status, 200);
  world.pass(1);
  assertRefused(await one.asOwner('GET', '/workspace'), 401, 'unknown_owner');
});

test('an owner reads, writes and exports, and sees who did what', async () => {
  const world = new World(earlyInMonth);
  const { asOwner, ask, record, look } = await openClaimed(world);
  assert.is((await asOwner('PATCH', `/candidates/${record}`, { name: 'Ida' })).status, 200);
  assert.is((await ask('PATCH', `/candidates/${record}`, { metro: 'Austin, TX' })).status, 200);
  assert.is((await asOwner('GET', `/candidates/${record}`)).body.candidate.name, 'Ida');
  assert.is((await asOwner('GET', '/workspace/export')).body.candidates.length, 1);
  const { log } = (await asOwner('GET', '/workspace')).body.workspace;
  const done = log.map(({ operation, by }: Body) => `${operation} by ${by}`);
  assert.equal(done, ['updateCandidate by id', 'updateCandidate by owner', 'answerClaim by owner']);
  assert.is((await look()).log, undefined);
  const made = await asOwner('POST', '/candidates', { name: 'Cy', onetCode: '15-1252.00' });
  assert.is(made.status, 201);
  for (let count = 0; count < 60; count += 1)
    await ask('PATCH', `/candidates/${record}`, { name: `N${count}` });
  assert.ok((await asOwner('GET', '/workspace')).body.workspace.log.length <= 40);
});

test('an owner who repeats a delete with its key gets the same reply, and nobody else does', async () => {
  const world = new World(earlyInMonth);
  const { asOwner } = await openClaimed(world);
  const other = await openClaimed(world);
  const remove = (as: typeof asOwner) => as('DELETE', '/workspace', undefined, { 'idempotency-key': 'one' });
  const first = await remove(asOwner);
  assert.is(first.status, 200);
  const again = await remove(asOwner);
  assert.is(again.text, first.text);
  assert.is(again.headers.get('idempotency-replayed'), 'true');
  assert.is((await asOwner('DELETE', '/workspace')).status, 401);
  assert.is((await remove(makeOwner(world, other.bearer, 'own_none'))).status, 401);
});

test('only the owner rotates and deletes, and the old id is unknown at once', async () => {
  const world = new World(earlyInMonth);
  const { asOwner, ask, workspace: id, record, bearer } = await openClaimed(world);
  assertRefused(await ask('POST', '/workspace/rotation'), 403, 'owner_only');
  assertRefused(await ask('DELETE', '/workspace'), 403, 'owner_only');
  const rotated = await asOwner('POST', '/workspace/rotation');
  assert.is(rotated.status, 200);
  const fresh = rotated.body.workspace as string;
  assert.match(fresh, /^ws_[0-9a-z]{39}$/);
  assert.is.not(fresh, id);
  assertUnknown(await ask('GET', '/workspace'));
  const byFresh = (method: string, path: string) =>
    world.ask(method, path, undefined, { 'x-workspace': fresh });
  assert.is((await byFresh('GET', `/candidates/${record}`)).status, 200);
  assert.is((await asOwner('GET', '/workspace')).status, 200);
  const again = (await asOwner('POST', '/workspace/rotation')).body.workspace;
  assertUnknown(await byFresh('GET', '/workspace'));
  assert.is((await asOwner('DELETE', '/workspace')).status, 200);
  assertUnknown(await world.get('/workspace', { 'x-workspace': again }));
  assert.is((await listOwned(world, bearer)).body.type, 'EMPTY');
  assertUnknown(await asOwner('GET', '/workspace'));
});

test('only the owner authorises a ceiling for the month, from what is used up to 1,000', async () => {
  const world = new World(earlyInMonth);
  const { asOwner, ask } = await openClaimed(world);
  const path = '/workspace/authorization';
  const usageOf = async () => (await ask('GET', '/workspace')).body.workspace.usage;
  assertRefused(await ask('POST', path, { ceiling: 50 }), 403, 'owner_only');
  assertRefused(await (await openUnclaimed(world)).ask('POST', path, { ceiling: 50 }), 403, 'owner_only');
  assert.is((await usageOf()).authorised, 25);
  for (let count = 0; count < 30; count += 1)
    await ask('POST', '/candidates', { name: 'Bob', onetCode: '15-1252.00' });
  const { total } = await usageOf();
  assert.ok(total > 0);
  for (const ceiling of [
    ...[total - 0.01, -1, 1000.01, Number.NaN, '50', null, undefined, [], Number.POSITIVE_INFINITY],
  ])
    assertRefused(await asOwner('POST', path, { ceiling }), 400, 'invalid_request');
  const { status, body } = await asOwner('POST', path, { ceiling: total });
  assert.is(status, 200);
  assert.equal(body.usage.authorised, total);
  assert.is(body.usage.remaining, 0);
  assert.equal(body.usage, await usageOf());
  const over = await ask('POST', '/candidates', { name: 'Bob', onetCode: '15-1252.00' });
  assert.is(over.status, 402);
  assert.is(over.body.id, 'offer-meter-ceiling');
  const ways = over.body.alternatives.map(({ id }: { id: string }) => id);
  assert.equal([ways.includes('authorise'), ways.includes('claim')], [true, false], 'it is claimed already');
  assert.is((await asOwner('POST', path, { ceiling: 1000 })).status, 200);
  assert.is((await ask('POST', '/candidates', { name: 'Bob', onetCode: '15-1252.00' })).status, 201);
  world.pass(25 * dayMs);
  assert.is((await usageOf()).authorised, 25);
});

test('a claimed workspace expires after its days without a write, and its owner is erased with it', async () => {
  const world = new World(earlyInMonth);
  const { ask, record, authenticator, look } = await openClaimed(world);
  world.pass(119 * dayMs);
  assert.is((await ask('PATCH', `/candidates/${record}`, { name: 'Ida' })).status, 200);
  world.pass(119 * dayMs);
  assert.is((await look()).claim, 'claimed');
  const { body } = await signInAs(world, authenticator);
  const { workspaces } = (await listOwned(world, body.owner.bearer)).body;
  assert.is(workspaces.length, 1);
  assert.is(
    (await makeOwner(world, body.owner.bearer, workspaces[0].handle)('GET', '/workspace')).status,
    200,
  );
  world.pass(dayMs);
  assertUnknown(await ask('GET', '/workspace'));
  world.pass(3 * dayMs);
  assertWrongPasskey(await signInAs(world, authenticator));
});

test('an owner is erased with the last workspace, and not before', async () => {
  const world = new World(earlyInMonth);
  const first = await openClaimed(world);
  const { token, get: challenge } = await (await openUnclaimed(world)).offer();
  const { body } = await answerClaim(world, token, first.authenticator.show(challenge));
  await first.asOwner('DELETE', '/workspace');
  assert.is((await listOwned(world, body.owner.bearer)).body.workspaces.length, 1);
  await makeOwner(world, body.owner.bearer, body.workspace)('DELETE', '/workspace');
  assertWrongPasskey(await signInAs(world, first.authenticator));
});

test('a store that fails during or after a claim still knows the owner', async () => {
  for (const isToldOfIt of [true, false]) {
    const store = new SqliteStore(':memory:');
    const write = store.write.bind(store);
    let fails = false;
    store.write = async (commit: Commit) => {
      const wasFailing = fails;
      if (wasFailing && isToldOfIt) throw new Refusal('store_unavailable');
      const result = await write(commit);
      fails ||= commit.after?.state.owner !== undefined;
      if (!wasFailing && fails && !isToldOfIt) throw new Refusal('store_unavailable');
      return result;
    };
    const world = new World({ ...earlyInMonth, store });
    const { offer, look } = await openUnclaimed(world);
    const { token, create: challenge } = await offer();
    const authenticator = makeAuthenticator(world.service.settings.baseUrl);
    await answerClaim(world, token, authenticator.make(challenge));
    fails = false;
    assert.is((await look()).claim, 'claimed');
    world.pass(60 * minuteMs);
    const { status, body } = await signInAs(world, authenticator);
    assert.is(status, 200, JSON.stringify(body));
    assert.is((await listOwned(world, body.owner.bearer)).body.workspaces.length, 1);
  }
});

test('an owner can open a workspace as long as it lives, also if credits extend it', async () => {
  const world = new World({ ...earlyInMonth, settings: { claimedRetentionSeconds: 86_400 } });
  const made = await openUnclaimed(world);
  for (let count = 0; count < 10; count += 1) await made.earn();
  const claimed = await openClaimed(world, undefined, made);
  world.pass(10 * dayMs);
  const { authenticator, handle } = claimed;
  const { status, body } = await signInAs(world, authenticator);
  assert.is(status, 200, JSON.stringify(body));
  assert.is((await makeOwner(world, body.owner.bearer, handle)('GET', '/workspace')).status, 200);
});

test('an owner of a hundred workspaces can claim no more until one has expired', async () => {
  const world = new World(earlyInMonth);
  const { authenticator, workspace: id } = await openClaimed(world);
  const claimMore = async () => {
    const { token, get: challenge } = await (await openUnclaimed(world)).offer();
    return answerClaim(world, token, authenticator.show(challenge));
  };
  world.pass(dayMs);
  for (let count = 1; count < 100; count += 1) assert.is((await claimMore()).status, 200);
  assertRefused(await claimMore(), 409, 'at_limit');
  world.pass(119 * dayMs);
  assertUnknown(await world.get('/workspace', { 'x-workspace': id }));
  const { status, body } = await claimMore();
  assert.is(status, 200, JSON.stringify(body));
  assert.is((await listOwned(world, body.owner.bearer)).body.workspaces.length, 100);
});

test.run();
