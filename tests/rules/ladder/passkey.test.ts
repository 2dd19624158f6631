import { createPrivateKey, randomBytes, sign } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Lies, makeAuthenticator } from '../../support/authenticator.ts';
import { assertWrongPasskey, makeClaimed, makeLadderWorld, minuteMs } from '../../support/ladder-world.ts';

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
  const world = await makeLadderWorld();
  const { authenticator, bearer } = await makeClaimed(world);
  const { token, create, get } = await (await world.mint()).offer();
  const stranger = makeAuthenticator(world.settings.baseUrl);
  const signInChallenge = await world.signInChallenge();
  const lies = [
    ...[{ origin: 'https://evil.example' }, { host: 'evil.example' }, { challenge: 'AAAA' }],
    ...[{ challenge: '***' }, { challenge: signInChallenge }, { isVerified: false }],
    ...[{ type: 'webauthn.other' }],
  ];
  for (const lie of lies) {
    assertWrongPasskey(await world.answerClaim(token, stranger.make(create, lie)));
    assertWrongPasskey(await world.answerClaim(token, authenticator.show(get, lie)));
  }
  assertWrongPasskey(await world.answerClaim(token, stranger.show(get)));
  const forSignIn = [
    ...[{ origin: 'https://evil.example' }, { host: 'evil.example' }, { challenge: get }],
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

test('knowing the id of a passkey gives no access to its workspaces', async () => {
  const world = await makeLadderWorld();
  const { authenticator, asOwner } = await makeClaimed(world);
  const { offer, look } = await world.mint();
  const { token, create: challenge } = await offer();
  const same = makeAuthenticator(world.settings.baseUrl, Buffer.from(authenticator.id, 'base64url'));
  for (const one of [same, authenticator])
    assertWrongPasskey(await world.answerClaim(token, one.make(challenge)));
  assert.is((await look()).claim, 'pending');
  const { body } = await world.enter(authenticator);
  assert.is((await world.list(body.owner.bearer)).body.workspaces.length, 1);
  assert.is((await asOwner('GET', '/workspace')).status, 200);
});

test('a passkey may attest itself, but certificates and oversized ids or keys are refused', async () => {
  const world = await makeLadderWorld();
  const { token, create: challenge } = await (await world.mint()).offer();
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

test('a sign-in challenge is accepted once, and expires', async () => {
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

for (const [minutes, others] of [
  [6, 0],
  [6, 1],
  [90, 30],
] as const)
  test(`a challenge signs in once, also after a clock went back ${minutes} minutes over ${others} sign-ins`, async () => {
    const world = await makeLadderWorld();
    const { authenticator } = await makeClaimed(world);
    const show = async () => authenticator.show(await world.signInChallenge(), { counter: 0 });
    const answer = await show();
    assert.is((await world.signIn(answer)).status, 200);
    world.pass(minutes * minuteMs);
    for (let count = 0; count < others; count += 1) {
      world.pass(minuteMs);
      await world.signIn(await show());
    }
    world.pass(-(minutes + others) * minuteMs);
    assertWrongPasskey(await world.signIn(answer));
  });

test('an owner signs in after the clock went back', async () => {
  const world = await makeLadderWorld();
  const { authenticator } = await makeClaimed(world);
  for (const minutes of [60, -60]) {
    world.pass(minutes * minuteMs);
    assert.is((await world.enter(authenticator)).status, 200);
  }
});

test('an authenticator without a counter can sign in again and again', async () => {
  const world = await makeLadderWorld();
  const { authenticator } = await makeClaimed(world);
  for (let times = 0; times < 3; times += 1) {
    const answer = authenticator.show(await world.signInChallenge(), { counter: 0 });
    assert.is((await world.signIn(answer)).status, 200);
  }
});

test.run();
