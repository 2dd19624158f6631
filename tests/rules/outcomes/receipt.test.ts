import { createHmac, createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CompactSign, decodeJwt, decodeProtectedHeader } from 'jose';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createRandom } from '../../../scripts/titles/train-network.ts';
import { createSigner } from '../../../src/hosts/node/keys.ts';
import {
  extractReceipt,
  provesNotThat,
  provesThat,
  readReceipt,
} from '../../../src/placements/read-receipt.ts';
import { signReceipt } from '../../../src/placements/sign-receipt.ts';
import { facts, falsify, makeKey, makeSigner } from '../../support/receipts.ts';

const receipts = suite('a receipt');
const key = makeKey();
const signer = await createSigner([key]);
const jwks = signer.keys();
const { kid } = jwks.keys[0]!;
const receipt = signReceipt(facts, signer);

const noKey = 'ERR_JWKS_NO_MATCHING_KEY';
const badSignature = 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED';

/** Returns why a text is not a valid receipt. */
async function toCode(text: string, keys: unknown = jwks, asked: { issuer?: string; now?: number } = {}) {
  const read = await readReceipt(text, keys, asked);
  if (!read.holds) assert.match(read.reason, /^\w.{20,}\.$/);
  return read.holds ? 'holds' : read.code;
}

/** Signs any claims and any header with our key. */
const sign = (claims: unknown, header: object = {}) =>
  new CompactSign(new TextEncoder().encode(typeof claims === 'string' ? claims : JSON.stringify(claims)))
    .setProtectedHeader({ alg: 'EdDSA', kid, ...header })
    .sign(key);

receipts('has the claims of the contract, in order, and names no person', async () => {
  assert.equal(decodeProtectedHeader(receipt), { alg: 'EdDSA', kid });
  const { at, ...told } = facts;
  const claims = decodeJwt(receipt);
  assert.equal(claims, { ...told, iat: at / 1000, day: 90 });
  assert.equal(Object.keys(claims), [
    ...['iss', 'iat', 'jti', 'sub', 'onetCode', 'startDate', 'result', 'asOf', 'day'],
    ...['recordedAt', 'statedAt', 'confirmedBy', 'confirmedAt'],
  ]);
  assert.equal(await readReceipt(receipt, jwks, { issuer: facts.iss }), { holds: true, claims, kid });
  assert.ok(receipt.length < 1000, String(receipt.length));
});

receipts('is invalid once it is changed, cut, or signed by another key or in another way', async () => {
  const [header, payload, signature] = receipt.split('.') as [string, string, string];
  const foreign = await makeSigner();
  const under = (part: unknown) => `${toPart(part)}.${payload}.${signature}`;
  const claims = decodeJwt(receipt);
  const headers = [{ typ: 'JWT' }, { jwk: jwks.keys[0] }, { jku: 'https://a.example' }];
  const byCode: Record<string, string[]> = {
    [badSignature]: [falsify(receipt)],
    [noKey]: [signReceipt(facts, foreign), under({ alg: 'EdDSA', kid: 'other' })],
    ERR_JWS_INVALID: [
      ...['', '.', '..', 'a.b', 'a.b.c.d', `${receipt} `, `${receipt}.`],
      ...[under(null), under(7), under('text'), under([])],
      ...['', 1, null, ['EdDSA']].map((alg) => under({ alg, kid })),
    ],
    ERR_JOSE_ALG_NOT_ALLOWED: [
      `${toPart({ alg: 'none' })}.${payload}.`,
      ...['none', 'HS256', 'Ed25519', 'eddsa', 'ES256'].map((alg) => under({ alg, kid })),
    ],
    ERR_JOSE_NOT_SUPPORTED: [
      ...[await sign(claims, { kid: undefined }), under({ alg: 'EdDSA', kid, crit: ['more'], more: 1 })],
      ...(await Promise.all(headers.map((more) => sign(claims, more)))),
    ],
    cut: [receipt.slice(0, 60), `${header}.${payload}`, receipt.slice(0, -1)],
    too_long: [`${header}.${'A'.repeat(5000)}.${signature}`],
  };
  for (const [code, texts] of Object.entries(byCode))
    for (const text of texts) assert.is(await toCode(text), code, text);
  assert.is(await toCode(receipt, foreign.keys()), noKey);
});

/** How a receipt reaches a person who copies it. */
const wrappings: Record<string, (text: string) => string> = {
  'in the quotes of its JSON': (text) => `"${text}"`,
  'as a line of its JSON': (text) => `  "receipt": "${text}",\r\n`,
  'in the reply in which it came': (text) => JSON.stringify({ type: 'OK', receipt: text, claims: {} }),
  'as its link': (text) => `https://careers.example/receipt.html#${text}`,
  'in a sentence': (text) => `Here is the receipt: ${text}.`,
  'in a letter that breaks lines': (text) => text.replaceAll(/.{76}/g, '$&\r\n'),
  'above a signature': (text) => `${text}\n\nBest\nAda`,
};

for (const [how, wrap] of Object.entries(wrappings))
  receipts(`is found ${how}`, () => {
    assert.is(extractReceipt(wrap(receipt)), receipt);
  });

receipts('is not found in a text with two', () => {
  const two = `${receipt} ${falsify(receipt)}`;
  assert.is(extractReceipt(two), two);
});

/** Returns the verdict on a text that a person pasted. */
async function toVerdict(text: string): Promise<string> {
  const read = await readReceipt(extractReceipt(text), jwks);
  return read.holds ? 'holds' : read.verdict;
}

receipts('is malformed, and never broken, if only a part of it was copied', async () => {
  for (let length = 0; length < receipt.length; length += 7) {
    assert.is(await toVerdict(receipt.slice(0, length)), 'malformed', `the first ${length}`);
    assert.is(await toVerdict(receipt.slice(length + 1)), 'malformed', `without the first ${length + 1}`);
  }
});

receipts('is broken if its signature does not fit, however it was copied', async () => {
  for (const [how, wrap] of Object.entries(wrappings))
    assert.is(await toVerdict(wrap(falsify(receipt))), 'broken', how);
});

receipts('is invalid if its claims are not those of a receipt', async () => {
  const claims = decodeJwt(receipt);
  assert.is(await toCode(await sign(claims)), 'holds');
  assert.is(await toCode(await sign({ ...claims, more: true })), 'holds', 'unknown members are ignored');
  for (const name of Object.keys(claims)) {
    const { [name]: _, ...others } = claims;
    assert.is(await toCode(await sign(others)), 'wrong_claims', name);
    assert.is(await toCode(await sign({ ...claims, [name]: {} })), 'wrong_claims', name);
  }
  const wrong = [
    ...[{ day: 89 }, { day: 90.5 }, { iat: 1e15 }, { result: 'pending' }, { confirmedBy: ['other'] }],
  ];
  for (const change of wrong)
    assert.is(await toCode(await sign({ ...claims, ...change })), 'wrong_claims', JSON.stringify(change));
  for (const text of ['', '[]', 'null', '7', '{', '\ud800'])
    assert.is(await toCode(await sign(text)), 'wrong_claims', text);
});

receipts('cannot be checked without keys, and is checked against the expected issuer', async () => {
  const broken = [null, 7, 'keys', [], {}, { keys: {} }, { keys: null }, { keys: Array(101).fill({}) }];
  for (const keys of broken) assert.is(await toCode(receipt, keys), 'ERR_JWKS_INVALID', JSON.stringify(keys));
  assert.is(await toCode(receipt, { keys: [] }), 'no_keys');
  const [own] = jwks.keys;
  const others = [
    ...[null, 7, {}, { kty: 'oct', kid, k: 'AA' }],
    { ...own, x: 'short' },
    { ...own, crv: 'X25519' },
  ];
  assert.is(await toCode(receipt, { keys: others }), noKey);
  assert.is(await toCode(receipt, { keys: [...others, own], more: true }), 'holds');
  assert.is(await toCode(receipt, { keys: [{ ...own, x: 'A'.repeat(43) }] }), badSignature);
  assert.is(await toCode(receipt, jwks, { issuer: facts.iss }), 'holds');
  const read = await readReceipt(receipt, jwks, { issuer: 'https://other.example' });
  assert.match(JSON.stringify(read), /wrong_issuer.*issued at https:..careers\.example, not https:..other/);
});

receipts('is invalid if its key has expired or is gone from the set', async () => {
  const [own] = jwks.keys;
  const exp = Date.parse('2027-01-01T00:00:00Z') / 1000;
  const until = (now?: number, more: object = { exp }) =>
    toCode(receipt, { keys: [{ ...own, ...more }] }, now === undefined ? {} : { now });
  assert.is(await until(exp * 1000 - 1), 'holds');
  for (const now of [exp * 1000, exp * 1000 + 1, undefined]) assert.is(await until(now), 'expired_key');
  assert.is(await until(facts.at, { exp: facts.at / 1000 - 1 }), 'expired_key');
  for (const wrong of ['never', null, {}]) assert.is(await until(0, { exp: wrong }), noKey);
  const next = makeKey();
  const rotated = await createSigner([next, key]);
  assert.is(await toCode(receipt, rotated.keys()), 'holds');
  assert.is(await toCode(receipt, (await createSigner([next])).keys()), noKey, 'the old key is gone');
  const renamed = { ...(await createSigner([next])).keys().keys[0], kid };
  assert.is(await toCode(receipt, { keys: [renamed] }), badSignature, 'another key under its name');
});

const seed = 20_261_122;
const random = createRandom(seed);
const below = (limit: number) => Math.floor(random() * limit);
const pick = <T>(items: readonly T[]): T => items[below(items.length)]!;
const toPart = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const split = (text: string) => text.split('.') as [header: string, payload: string, signature: string];

/** Flips a bit in the decoded part, and encodes it again. */
function flipBit(part: string): string {
  const bytes = Buffer.from(part, 'base64url');
  const at = below(bytes.length);
  bytes[at] = bytes[at]! ^ (1 << below(8));
  return bytes.toString('base64url');
}

const spki = createPublicKey(key).export({ format: 'pem', type: 'spki' }) as string;
const [jwk] = jwks.keys as [(typeof jwks.keys)[number]];
/** Texts that a confused verifier could use as the secret of an HMAC. */
const secrets = [spki, spki.trim(), Buffer.from(jwk.x, 'base64url'), jwk.x, JSON.stringify(jwk), kid, ''];
const foreign = signReceipt(facts, await makeSigner());
const other = signReceipt({ ...facts, jti: 'rcp_2', result: 'converted' }, signer);

const ways: Record<string, (text: string) => string> = {
  character(text) {
    const at = below(text.length + 1);
    const sign = pick([String.fromCharCode(below(128)), pick([...spki]), '', '==', 'é', '\ud83d']);
    return text.slice(0, at) + sign + text.slice(at + below(3));
  },
  bit: (text) => {
    const [at, parts] = [below(3), split(text)];
    return parts.with(at, flipBit(parts[at]!)).join('.');
  },
  parts: (text) => [0, 1, 2].map((at) => pick([text, other, foreign].map((one) => split(one)[at]))).join('.'),
  order: (text) => [0, 1, 2].map(() => pick(split(text))).join('.'),
  claims(text) {
    const [header, payload, signature] = split(text);
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const name = pick(Object.keys(claims));
    const changed = { ...claims, [name]: pick([undefined, null, 0, 'x', [], {}, `${claims[name]}0`]) };
    return [header, toPart(changed), signature].join('.');
  },
  'HMAC by the public key'(text) {
    const [alg, hash] = pick([
      ['HS256', 'sha256'],
      ['HS512', 'sha512'],
    ] as const);
    const input = `${toPart({ alg, kid })}.${pick([split(text)[1], flipBit(split(text)[1])])}`;
    return `${input}.${createHmac(hash, pick(secrets)).update(input).digest('base64url')}`;
  },
};

receipts('is invalid in each of 5,000 mutations', async () => {
  const codes: Record<string, number> = {};
  for (let made = 0; made < 5000; ) {
    const [name, mutate] = pick(Object.entries(ways));
    const text = mutate(receipt);
    if (text === receipt || text === other) continue;
    made += 1;
    const read = await readReceipt(text, jwks);
    assert.not(read.holds, `seed ${seed}, ${name}: ${text}`);
    if (!read.holds) codes[read.code] = (codes[read.code] ?? 0) + 1;
  }
  for (const code of ['ERR_JWS_INVALID', 'ERR_JOSE_ALG_NOT_ALLOWED', badSignature])
    assert.ok(codes[code]! > 100, JSON.stringify(codes));
});

const root = join(import.meta.dirname, '..', '..', '..');
const told = (path: string) => readFileSync(join(root, path), 'utf8').replaceAll(/\s+/g, ' ');

receipts('each text that says what a receipt proves also says what it does not prove', () => {
  const outcome = JSON.stringify(JSON.parse(told('dist/client/icp.json')).system.outcome);
  const [guide, security] = [told('content/guides/outcomes.md'), told('SECURITY.md')];
  const others = ['llms.txt', 'receipt.html', 'confirm.html'].map((name) => told(`dist/client/${name}`));
  for (const text of [outcome, guide, security, provesNotThat, ...others])
    assert.match(text, /who the parties are, or that they are different people/i);
  for (const text of [outcome, guide, security, provesThat])
    assert.match(text, /what was stated and confirmed/i);
});

receipts.run();
