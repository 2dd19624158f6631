import { randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { byCertificate, byItself } from '../support/attestation.ts';
import { type Lies, makeAuthenticator } from '../support/authenticator.ts';
import { assertRefused, makeClaimed, minuteMs } from '../support/claimed.ts';
import { makeLadderWorld } from '../support/ladder-world.ts';

const test = suite('passkeys');

test('an answer of a passkey is refused by every way in which it is not as expected', async () => {
  const world = await makeLadderWorld();
  const { authenticator, bearer } = await makeClaimed(world);
  const { claim } = await world.mint();
  const token = await claim();
  const { create, get } = (await world.showClaim(token)).body.options;
  const stranger = makeAuthenticator(world.settings.baseUrl);
  const signInChallenge = await world.signInChallenge();
  const lies = [
    { origin: 'https://evil.example' },
    { host: 'evil.example' },
    { challenge: 'AAAA' },
    { challenge: '***' },
    { challenge: signInChallenge },
    { isVerified: false },
    { type: 'webauthn.other' },
  ];
  for (const lie of lies) {
    assertRefused(await world.answerClaim(token, stranger.make(create.challenge, lie)), 400, 'wrong_passkey');
    assertRefused(
      await world.answerClaim(token, authenticator.show(get.challenge, lie)),
      400,
      'wrong_passkey',
    );
  }
  assertRefused(await world.answerClaim(token, stranger.show(get.challenge)), 400, 'wrong_passkey');
  const forSignIn = [
    { origin: 'https://evil.example' },
    { host: 'evil.example' },
    { challenge: get.challenge },
    { challenge: 'AAAA' },
    { isVerified: false },
    { counter: 0 },
    { counter: 1 },
  ];
  assert.is(
    (await world.signIn(authenticator.show(await world.signInChallenge(), { counter: 100 }))).status,
    200,
  );
  for (const lie of forSignIn) {
    const answer = authenticator.show(await world.signInChallenge(), { counter: 101, ...lie });
    assertRefused(await world.signIn(answer), 400, 'wrong_passkey');
  }
  const made = makeAuthenticator(world.settings.baseUrl).make(await world.signInChallenge());
  assertRefused(await world.signIn(made), 400, 'wrong_passkey');
  for (const shapeless of [undefined, null, 'x', [], 1])
    assert.is((await world.signIn(shapeless)).status, 400);
  for (const odd of [
    {},
    { id: 'x' },
    { id: 'x', response: {} },
    { id: {}, response: {} },
    { id: 'x', response: { attestationObject: 1 } },
    { id: authenticator.id, response: { clientDataJSON: 'e30' } },
    { id: '__proto__', response: null },
  ])
    assertRefused(await world.signIn(odd), 400, 'wrong_passkey');
  assert.is((await world.list(bearer)).status, 200);
});

test('who knows the id of a passkey, and makes another with it, is let in to nothing', async () => {
  const world = await makeLadderWorld();
  const { authenticator, asOwner } = await makeClaimed(world);
  const { claim, look } = await world.mint();
  const token = await claim();
  const { challenge } = (await world.showClaim(token)).body.options.create;
  const same = makeAuthenticator(world.settings.baseUrl, Buffer.from(authenticator.id, 'base64url'));
  for (const one of [same, authenticator])
    assertRefused(await world.answerClaim(token, one.make(challenge)), 400, 'wrong_passkey');
  assert.is((await look()).claim, 'pending');
  const { body } = await world.signIn(authenticator.show(await world.signInChallenge()));
  assert.is((await world.list(body.owner.bearer)).body.workspaces.length, 1);
  assert.is((await asOwner('GET', '/workspace')).status, 200);
});

test('a passkey may attest itself, and no certificate is taken with it, nor an id or a key without end', async () => {
  const world = await makeLadderWorld();
  const { claim } = await world.mint();
  const token = await claim();
  const { challenge } = (await world.showClaim(token)).body.options.create;
  const { baseUrl } = world.settings;
  const make = (attest?: Lies['attest'], idBytes = 32) =>
    makeAuthenticator(baseUrl, randomBytes(idBytes)).make(challenge, { ...(attest && { attest }) });
  assertRefused(await world.answerClaim(token, make(byCertificate)), 400, 'wrong_passkey');
  for (const fmt of ['apple', 'android-key', 'android-safetynet', 'tpm', 'fido-u2f', 'x'])
    assertRefused(
      await world.answerClaim(
        token,
        make((of) => ({ ...byCertificate(of), fmt })),
      ),
      400,
      'wrong_passkey',
    );
  assertRefused(await world.answerClaim(token, make(undefined, 1024)), 400, 'wrong_passkey');
  assert.is((await world.answerClaim(token, make(byItself, 1023))).status, 200);
});

test('a challenge to sign in by is answered once, and expires', async () => {
  const world = await makeLadderWorld();
  const { authenticator } = await makeClaimed(world);
  const challenge = await world.signInChallenge();
  const answer = authenticator.show(challenge, { counter: 10 });
  assert.is((await world.signIn(answer)).status, 200);
  assertRefused(await world.signIn(answer), 400, 'wrong_passkey');
  assertRefused(await world.signIn(authenticator.show(challenge, { counter: 11 })), 400, 'wrong_passkey');
  const late = await world.signInChallenge();
  world.pass(5 * minuteMs);
  assertRefused(await world.signIn(authenticator.show(late, { counter: 12 })), 400, 'wrong_passkey');
});

test('an authenticator that does not count signs in again and again', async () => {
  const world = await makeLadderWorld();
  const { authenticator } = await makeClaimed(world);
  for (let times = 0; times < 3; times += 1) {
    const answer = authenticator.show(await world.signInChallenge(), { counter: 0 });
    assert.is((await world.signIn(answer)).status, 200);
  }
});

test.run();
