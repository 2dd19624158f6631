import { createPrivateKey, randomBytes, sign } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Lies, makeAuthenticator } from '../../support/authenticator.ts';
import {
  answerClaim,
  assertWrongPasskey,
  earlyInMonth,
  listOwned,
  openClaimed,
  openUnclaimed,
  readSignInChallenge,
  signIn,
  signInAs,
} from '../../support/claims.ts';
import { minuteMs } from '../../support/days.ts';
import { World } from '../../support/world.ts';

/**
 * A certificate that attests passkeys, as makers of authenticators have one, in DER, and its key in PKCS #8.
 */
const certificate = Buffer.from(
  'MIIB8jCCAZigAwIBAgIUW+nWXTigv8qXCEXoxLsnryQFYv0wCgYIKoZIzj0EAwIwTzELMAkGA1UEBhMCVVMxDTALBgNVBAoMBFRlc3QxIjAgBgNVBAsMGUF1dGhlbnRpY2F0b3IgQXR0ZXN0YXRpb24xDTALBgNVBAMMBFRlc3QwIBcNMjYxMTIyMDgzNTQwWhgPMjEyNjEwMjkwODM1NDBaME8xCzAJBgNVBAYTAlVTMQ0wCwYDVQQKDARUZXN0MSIwIAYDVQQLDBlBdXRoZW50aWNhdG9yIEF0dGVzdGF0aW9uMQ0wCwYDVQQDDARUZXN0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE5rLMRaUlrAxHJsJ9/eyJ0amQf071MlqmyxbCKK1xLOGBYL5HOxIw52GytVOKH1am4yLdB+FrNddhv8SfCoQxwKNQME4wHQYDVR0OBBYEFNJS76UjVdKb4hCq2AU9zlEWm0/2MB8GA1UdIwQYMBaAFNJS76UjVdKb4hCq2AU9zlEWm0/2MAwGA1UdEwEB/wQCMAAwCgYIKoZIzj0EAwIDSAAwRQIgJh0ZIeecLa+n2Fv12UmFS450Pie8s7A6kaf1alz2zp0CIQDhS1oYmzxstOL35FOLlbMG2EOM5WSMHqKXBqfQ0qw/bA==',
  'base64',
);
const key = createPrivateKey({
  key: Buffer.from(
    'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgQ98+PENj/Ch+0K0rLCcct1UD5JNEDNsw4KTCo7DIKB+hRANCAATmssxFpSWsDEcmwn397InRqZB/TvUyWqbLFsIorXEs4YFgvkc7EjDnYbK1U4ofVqbjIt0H4Ws112G/xJ8KhDHA',
    'base64',
  ),
  format: 'der',
  type: 'pkcs8',
});

type Attest = NonNullable<Lies['attest']>;

/** Packed attestation (WebAuthn level 3, section 8.2) by a certificate, and by the passkey itself. */
const byCertificate: Attest = ({ signed }) => ({
  fmt: 'packed',
  attStmt: { alg: -7, sig: sign('sha256', signed, key), x5c: [certificate] },
});
const byItself: Attest = ({ signed, privateKey }) => ({
  fmt: 'packed',
  attStmt: { alg: -7, sig: sign('sha256', signed, privateKey) },
});

const test = suite('passkeys');

test('an answer of a passkey is refused for each way in which it can be wrong', async () => {
  const world = new World(earlyInMonth);
  const { authenticator, bearer } = await openClaimed(world);
  const { token, create, get } = await (await openUnclaimed(world)).offer();
  const stranger = makeAuthenticator(world.service.settings.baseUrl);
  const signInChallenge = await readSignInChallenge(world);
  const lies = [
    ...[{ origin: 'https://evil.example' }, { host: 'evil.example' }, { challenge: 'AAAA' }],
    ...[{ challenge: '***' }, { challenge: signInChallenge }, { isVerified: false }],
    ...[{ type: 'webauthn.other' }],
  ];
  for (const lie of lies) {
    assertWrongPasskey(await answerClaim(world, token, stranger.make(create, lie)));
    assertWrongPasskey(await answerClaim(world, token, authenticator.show(get, lie)));
  }
  assertWrongPasskey(await answerClaim(world, token, stranger.show(get)));
  const forSignIn = [
    ...[{ origin: 'https://evil.example' }, { host: 'evil.example' }, { challenge: get }],
    ...[{ challenge: 'AAAA' }, { isVerified: false }, { counter: 0 }, { counter: 1 }],
  ];
  assert.is((await signInAs(world, authenticator, { counter: 100 })).status, 200);
  for (const lie of forSignIn) {
    const answer = authenticator.show(await readSignInChallenge(world), { counter: 101, ...lie });
    assertWrongPasskey(await signIn(world, answer));
  }
  const made = makeAuthenticator(world.service.settings.baseUrl).make(await readSignInChallenge(world));
  assertWrongPasskey(await signIn(world, made));
  for (const shapeless of [undefined, null, 'x', [], 1])
    assert.is((await signIn(world, shapeless)).status, 400);
  for (const odd of [
    {},
    { id: 'x' },
    { id: 'x', response: {} },
    { id: {}, response: {} },
    { id: 'x', response: { attestationObject: 1 } },
    { id: authenticator.id, response: { clientDataJSON: 'e30' } },
    { id: '__proto__', response: null },
  ])
    assertWrongPasskey(await signIn(world, odd));
  assert.is((await listOwned(world, bearer)).status, 200);
});

test('knowing the id of a passkey gives no access to its workspaces', async () => {
  const world = new World(earlyInMonth);
  const { authenticator, asOwner } = await openClaimed(world);
  const { offer, look } = await openUnclaimed(world);
  const { token, create: challenge } = await offer();
  const same = makeAuthenticator(world.service.settings.baseUrl, Buffer.from(authenticator.id, 'base64url'));
  for (const one of [same, authenticator])
    assertWrongPasskey(await answerClaim(world, token, one.make(challenge)));
  assert.is((await look()).claim, 'pending');
  const { body } = await signInAs(world, authenticator);
  assert.is((await listOwned(world, body.owner.bearer)).body.workspaces.length, 1);
  assert.is((await asOwner('GET', '/workspace')).status, 200);
});

test('a passkey may attest itself, but certificates and oversized ids or keys are refused', async () => {
  const world = new World(earlyInMonth);
  const { token, create: challenge } = await (await openUnclaimed(world)).offer();
  const { baseUrl } = world.service.settings;
  const make = (attest?: Lies['attest'], idBytes = 32) =>
    makeAuthenticator(baseUrl, randomBytes(idBytes)).make(challenge, { ...(attest && { attest }) });
  assertWrongPasskey(await answerClaim(world, token, make(byCertificate)));
  for (const fmt of ['apple', 'android-key', 'android-safetynet', 'tpm', 'fido-u2f', 'x'])
    assertWrongPasskey(
      await answerClaim(
        world,
        token,
        make((of) => ({ ...byCertificate(of), fmt })),
      ),
    );
  assertWrongPasskey(await answerClaim(world, token, make(undefined, 1024)));
  assert.is((await answerClaim(world, token, make(byItself, 1023))).status, 200);
});

test('a sign-in challenge is accepted once, and expires', async () => {
  const world = new World(earlyInMonth);
  const { authenticator } = await openClaimed(world);
  const challenge = await readSignInChallenge(world);
  const answer = authenticator.show(challenge, { counter: 10 });
  assert.is((await signIn(world, answer)).status, 200);
  assertWrongPasskey(await signIn(world, answer));
  assertWrongPasskey(await signIn(world, authenticator.show(challenge, { counter: 11 })));
  const late = await readSignInChallenge(world);
  world.pass(5 * minuteMs);
  assertWrongPasskey(await signIn(world, authenticator.show(late, { counter: 12 })));
});

for (const [minutes, others] of [
  [6, 0],
  [6, 1],
  [90, 30],
] as const)
  test(`a challenge signs in once, also after a clock went back ${minutes} minutes over ${others} sign-ins`, async () => {
    const world = new World(earlyInMonth);
    const { authenticator } = await openClaimed(world);
    const show = async () => authenticator.show(await readSignInChallenge(world), { counter: 0 });
    const answer = await show();
    assert.is((await signIn(world, answer)).status, 200);
    world.pass(minutes * minuteMs);
    for (let count = 0; count < others; count += 1) {
      world.pass(minuteMs);
      await signIn(world, await show());
    }
    world.pass(-(minutes + others) * minuteMs);
    assertWrongPasskey(await signIn(world, answer));
  });

test('an owner signs in after the clock went back', async () => {
  const world = new World(earlyInMonth);
  const { authenticator } = await openClaimed(world);
  for (const minutes of [60, -60]) {
    world.pass(minutes * minuteMs);
    assert.is((await signInAs(world, authenticator)).status, 200);
  }
});

test('an authenticator without a counter can sign in again and again', async () => {
  const world = new World(earlyInMonth);
  const { authenticator } = await openClaimed(world);
  for (let times = 0; times < 3; times += 1) {
    const answer = authenticator.show(await readSignInChallenge(world), { counter: 0 });
    assert.is((await signIn(world, answer)).status, 200);
  }
});

test.run();
