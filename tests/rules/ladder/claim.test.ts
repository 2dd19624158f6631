import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { makeAuthenticator } from '../../support/authenticator.ts';
import {
  answerClaim,
  assertRefused,
  assertUnknown,
  earlyInMonth,
  listOwned,
  openClaimed,
  openUnclaimed,
  showClaim,
  signInAs,
} from '../../support/claims.ts';
import { dayMs, minuteMs } from '../../support/days.ts';
import type { Body } from '../../support/http.ts';
import { World } from '../../support/world.ts';

const test = suite('claims of a workspace');

test('a claim extends the life and the ceiling of a workspace, and the id keeps working', async () => {
  const world = new World(earlyInMonth);
  const { workspace: id, record, ask, look } = await openUnclaimed(world);
  assert.is((await look()).claim, 'none');
  const started = await ask('POST', '/workspace/claim');
  assert.is(started.status, 201);
  const { url, userCode, expiresAt } = started.body.claim;
  assert.match(url, /^http:\/\/localhost:\d+\/claim\.html#clm_[0-9a-z]{32}$/);
  assert.is(Date.parse(expiresAt), world.clock.now + 15 * minuteMs);
  assert.is((await look()).claim, 'pending');
  const token = url.split('#')[1];
  const shown = (await showClaim(world, token)).body;
  assert.is(shown.claim.userCode, userCode);
  assert.equal(shown.claim.records, { candidates: 1, jobOrders: 0, placements: 0 });
  assert.is(shown.options.create.rp.id, 'localhost');
  assert.is(shown.options.create.authenticatorSelection.userVerification, 'required');
  assert.is(shown.options.get.userVerification, 'required');
  assert.not.match(JSON.stringify(shown), new RegExp(`${id}|${record}|Ada`));
  const authenticator = makeAuthenticator(world.service.settings.baseUrl);
  const { body } = await answerClaim(world, token, authenticator.make(shown.options.create.challenge));
  assert.match(body.workspace, /^wsh_[0-9a-z]{32}$/);
  const after = await look();
  assert.is(after.claim, 'claimed');
  assert.is(after.rung, 'claimed');
  assert.equal(after.ceilings.records, 10_000);
  assert.is(Date.parse(after.expiresAt), world.clock.now + 120 * dayMs);
  const { body: made } = await ask('POST', '/candidates', { name: 'Bob', onetCode: '15-1252.00' });
  assert.is(made.retention.policy, 'claimed');
  assert.match(made.retention.statement, /120 days after the last write/);
});

test('a token claims once, is voided by a newer one, and ends after 15 minutes or with its workspace', async () => {
  const world = new World(earlyInMonth);
  const claimed = await openClaimed(world);
  assertRefused(await showClaim(world, claimed.token), 401, 'unknown_claim');
  assertRefused(await answerClaim(world, claimed.token, {}), 401, 'unknown_claim');
  assertRefused(await claimed.ask('POST', '/workspace/claim'), 409, 'already_claimed');
  const replaced = await openUnclaimed(world);
  const [first, second] = [await replaced.claim(), await replaced.claim()];
  assertRefused(await showClaim(world, first), 401, 'unknown_claim');
  assert.is((await showClaim(world, second)).status, 200);
  world.pass(15 * minuteMs - 1);
  assert.is((await showClaim(world, second)).status, 200);
  world.pass(1);
  assertRefused(await showClaim(world, second), 401, 'unknown_claim');
  assert.is((await replaced.look()).claim, 'none');
  const deleted = await openUnclaimed(world);
  const token = await deleted.claim();
  assert.is((await deleted.delete('/workspace')).status, 200);
  assertRefused(await showClaim(world, token), 401, 'unknown_claim');
  for (const shape of ['', 'clm_', `clm_${'u'.repeat(32)}`, 'x'.repeat(10_000), `clm_${'0'.repeat(32)}`])
    assertRefused(await showClaim(world, shape), 401, 'unknown_claim');
});

test('if several people answer a claim at once, exactly one gets the workspace', async () => {
  const world = new World(earlyInMonth);
  const { token, create: challenge } = await (await openUnclaimed(world)).offer();
  const people = Array.from({ length: 5 }, () => makeAuthenticator(world.service.settings.baseUrl));
  const answers = await Promise.all(
    [...people, people[0]!].map((one) => answerClaim(world, token, one.make(challenge))),
  );
  assert.is(answers.filter(({ status }) => status === 200).length, 1);
  const lost = ['401 unknown_claim', '409 already_claimed', '400 wrong_passkey'];
  for (const { status, body } of answers.filter((one) => one.status !== 200))
    assert.ok(lost.includes(`${status} ${body.code}`));
  let held = 0;
  for (const one of people) {
    const { status, body } = await signInAs(world, one);
    if (status === 200) held += (await listOwned(world, body.owner.bearer)).body.workspaces?.length ?? 0;
    else assert.is(body.code, 'wrong_passkey');
  }
  assert.is(held, 1);
});

test('a known passkey can claim a second workspace, and opens both', async () => {
  const world = new World(earlyInMonth);
  const { authenticator } = await openClaimed(world);
  const { token, get: challenge } = await (await openUnclaimed(world)).offer();
  const { status, body } = await answerClaim(world, token, authenticator.show(challenge));
  assert.is(status, 200);
  const { workspaces } = (await listOwned(world, body.owner.bearer)).body;
  assert.is(workspaces.length, 2);
  assert.ok(workspaces.every(({ rung }: Body) => rung === 'claimed'));
});

test('a claim that is repeated under its key gets the same reply', async () => {
  const world = new World(earlyInMonth);
  const { ask } = await openUnclaimed(world);
  const key = { 'idempotency-key': 'claim-1' };
  const start = () => ask('POST', '/workspace/claim', undefined, key);
  const [first, second] = [await start(), await start()];
  assert.equal(second.body, first.body);
  assert.is((await showClaim(world, first.body.claim.url.split('#')[1])).status, 200);
});

test('an unclaimed workspace expires at its time, whether a claim is pending or not', async () => {
  const world = new World(earlyInMonth);
  const { claim, ask } = await openUnclaimed(world);
  await claim();
  world.pass(dayMs);
  assertUnknown(await ask('GET', '/workspace'));
});

test.run();
