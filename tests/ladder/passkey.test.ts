import { randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { byCertificate, byItself } from '../support/attestation.ts';
import { type Lies, makeAuthenticator } from '../support/authenticator.ts';
import { assertWrongPasskey, makeClaimed, minuteMs } from '../support/claimed.ts';
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
    ...[{ origin: 'https://evil.example' }, { host: 'evil.example' }, { challenge: 'AAAA' }],
    ...[{ challenge: '***' }, { challenge: signInChallenge }, { isVerified: false }],
    ...[{ type: 'webauthn.other' }],
  ];
  for (const lie of lies) {
    assertWrongPasskey(await world.answerClaim(token, stranger.make(create.challenge, lie)));
    assertWrongPasskey(await world.answerClaim(token, authenticator.show(get.challenge, lie)));
  }
  assertWrongPasskey(await world.answerClaim(token, stranger.show(get.challenge)));
  const forSignIn = [
    ...[{ origin: 'https://evil.example' }, { host: 'evil.example' }, { challenge: get.challenge }],
    ...[{ challenge: 'AAAA' }, { isVerified: false }, { counter: 0 }, { counter: 1 }],
  ];
  assert.is((await world.enter(authenticator, { counter: 100 })).status, 200);
  for (const lie of forSignIn) {
    const answer = authenticator.show(await world.signInChallenge(), { counter: 101, ...lie });
    assertWrongPasskey(await world.signIn(answer));
  }
  const made = makeAuthenticator(world.settings.baseUrl).make(await world.signInChallenge());
  assertWrongPasskey(await world.signIn(made));
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
    assertWrongPasskey(await world.signIn(odd));
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
    assertWrongPasskey(await world.answerClaim(token, one.make(challenge)));
  assert.is((await look()).claim, 'pending');
  const { body } = await world.enter(authenticator);
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
  assertWrongPasskey(await world.answerClaim(token, make(byCertificate)));
  for (const fmt of ['apple', 'android-key', 'android-safetynet', 'tpm', 'fido-u2f', 'x'])
    assertWrongPasskey(
      await world.answerClaim(
        token,
        make((of) => ({ ...byCertificate(of), fmt })),
      ),
    );
  assertWrongPasskey(await world.answerClaim(token, make(undefined, 1024)));
  assert.is((await world.answerClaim(token, make(byItself, 1023))).status, 200);
});

test('a challenge to sign in by is answered once, and expires', async () => {
  const world = await makeLadderWorld();
  const { authenticator } = await makeClaimed(world);
  const challenge = await world.signInChallenge();
  const answer = authenticator.show(challenge, { counter: 10 });
  assert.is((await world.signIn(answer)).status, 200);
  assertWrongPasskey(await world.signIn(answer));
  assertWrongPasskey(await world.signIn(authenticator.show(challenge, { counter: 11 })));
  const late = await world.signInChallenge();
  world.pass(5 * minuteMs);
  assertWrongPasskey(await world.signIn(authenticator.show(late, { counter: 12 })));
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
