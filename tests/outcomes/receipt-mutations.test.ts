import { createHmac, createPublicKey } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createRandom } from '../../scripts/titles/train-network.ts';
import { createSigner } from '../../src/hosts/node/keys.ts';
import { readReceipt } from '../../src/outcomes/read-receipt.ts';
import { toReceipt } from '../../src/outcomes/receipt.ts';
import { facts, makeKey, makeSigner } from '../support/receipts.ts';

const mutations = suite('mutations of receipts');
const count = 100_000;
const seed = Number(process.env.SEED ?? 20_261_122);
const random = createRandom(seed);
const below = (limit: number) => Math.floor(random() * limit);
const pick = <T>(items: readonly T[]): T => items[below(items.length)]!;

const [key, second] = [makeKey(), makeKey()];
const signer = await createSigner([key, second]);
const jwks = signer.keys();
const foreign = await makeSigner();
const originals = await Promise.all([
  toReceipt(facts, signer),
  toReceipt({ ...facts, jti: 'rcp_2', result: 'converted', confirmedBy: ['client'] }, signer),
  toReceipt({ ...facts, jti: 'rcp_3', asOf: '2026-09-01' }, await createSigner([second])),
]);
const byForeign = await toReceipt(facts, foreign);

const spki = createPublicKey(key).export({ format: 'pem', type: 'spki' }) as string;
const [jwk] = jwks.keys as [(typeof jwks.keys)[number]];
/** What a confused verifier could take for the secret of an HMAC. */
const secrets = [spki, spki.trim(), Buffer.from(jwk.x, 'base64url'), jwk.x, JSON.stringify(jwk), jwk.kid, ''];
const hashes = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' } as const;

const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
const base64url = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** The order of the group of Ed25519 (RFC 8032 section 5.1). */
const order = 2n ** 252n + 27_742_317_777_372_353_535_851_937_790_883_648_493n;

const toPart = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const splice = (text: string, at: number, remove: number, insert: string) =>
  text.slice(0, at) + insert + text.slice(at + remove);

/** Flips a bit of what a part stands for, and writes that down as it should be. */
function flipBit(part: string): string {
  const bytes = Buffer.from(part, 'base64url');
  const at = below(bytes.length);
  bytes[at] = bytes[at]! ^ (1 << below(8));
  return bytes.toString('base64url');
}

/** The same signature with S + L in the place of S, which RFC 8032 section 5.1.7 refuses. */
function addOrder(signature: string): string {
  const bytes = Buffer.from(signature, 'base64url');
  const s = BigInt(`0x${Buffer.from(bytes.subarray(32)).reverse().toString('hex')}`) + order;
  const more = Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse();
  return Buffer.concat([bytes.subarray(0, 32), more]).toString('base64url');
}

type Parts = [header: string, payload: string, signature: string];
const split = (text: string) => text.split('.') as Parts;

const others = ['none', 'None', 'HS256', 'RS256', 'ES256', 'Ed25519', 'Ed448', 'EDDSA', 'dir', '', null, 0];
const kids = [
  ...[jwk.kid, jwks.keys[1]!.kid, foreign.keys().keys[0]!.kid, '', 'x', '../../../dev/null', null, {}],
];
const extras = [
  { crit: ['b64'], b64: false },
  { jwk },
  { jku: 'https://a.example/' },
  { typ: 'JWT' },
  { x5c: [] },
];

const ways: Record<string, (text: string) => string> = {
  character: (text) => splice(text, below(text.length), 1, pick(ascii)),
  'character of the alphabet': (text) => splice(text, below(text.length), 1, pick([...base64url])),
  'last character of a part': (text) => {
    const parts = split(text);
    const at = below(3);
    parts[at] = parts[at]!.slice(0, -1) + pick([...base64url]);
    return parts.join('.');
  },
  bit: (text) => {
    const parts = split(text);
    const at = below(3);
    parts[at] = flipBit(parts[at]!);
    return parts.join('.');
  },
  'cut off': (text) => text.slice(0, below(text.length)),
  'cut from the front': (text) => text.slice(1 + below(text.length)),
  'cut out': (text) => splice(text, below(text.length), 1 + below(20), ''),
  inserted: (text) =>
    splice(text, below(text.length + 1), 0, pick([...ascii, '==', '\r\n', '..', 'é', '\ud83d'])),
  'parts of two': (text) => {
    const [a, b] = [split(text), split(pick([...originals, byForeign]))];
    return a.map((part, at) => (below(2) ? part : b[at])).join('.');
  },
  'parts in another order': (text) =>
    [split(text)[below(3)], split(text)[below(3)], split(text)[below(3)]].join('.'),
  'other header': (text) => {
    const [, payload, signature] = split(text);
    const header = {
      alg: below(2) ? 'EdDSA' : pick(others),
      kid: pick(kids),
      ...(below(2) ? pick(extras) : {}),
    };
    return [toPart(header), payload, pick([signature, signature, '', 'AA'])].join('.');
  },
  'none, unsigned': (text) =>
    `${toPart({ alg: pick(['none', 'NONE', 'nOnE']), kid: jwk.kid })}.${split(text)[1]}.`,
  'HMAC by the public key': (text) => {
    const alg = pick(Object.keys(hashes)) as keyof typeof hashes;
    const input = `${toPart({ alg, kid: jwk.kid })}.${pick([split(text)[1], flipBit(split(text)[1])])}`;
    return `${input}.${createHmac(hashes[alg], pick(secrets)).update(input).digest('base64url')}`;
  },
  'another key under our kid': (text) => {
    const [header] = split(text);
    const [, payload, signature] = split(byForeign);
    return [header, payload, signature].join('.');
  },
  'other claims': (text) => {
    const [header, payload, signature] = split(text);
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const name = pick(Object.keys(claims));
    const changed = { ...claims, [name]: pick([undefined, null, 0, 'x', [], {}, `${claims[name]}0`]) };
    return [header, toPart(changed), signature].join('.');
  },
  'signature plus the order': (text) => {
    const [header, payload, signature] = split(text);
    return [header, payload, addOrder(signature)].join('.');
  },
};

mutations(`of ${count} none is accepted, and the originals are`, async () => {
  for (const text of originals) assert.is((await readReceipt(text, jwks)).holds, true);
  const names = Object.keys(ways);
  const codes: Record<string, number> = {};
  const start = performance.now();
  let made = 0;
  for (let index = 0; made < count; index++) {
    const name = names[index % names.length]!;
    const text = pick(originals);
    const mutated = ways[name]!(text);
    if (originals.includes(mutated)) continue;
    made++;
    const read = await readReceipt(mutated, jwks);
    assert.not(read.holds, `seed ${seed}, ${name}: ${text} became ${mutated}`);
    if (!read.holds) codes[read.code] = (codes[read.code] ?? 0) + 1;
  }
  const seconds = (performance.now() - start) / 1000;
  console.log(`\nfigure: ${made} mutations in ${seconds.toFixed(1)} s, refused as ${JSON.stringify(codes)}`);
  for (const code of ['not_a_receipt', 'wrong_algorithm', 'wrong_header', 'unknown_key', 'wrong_signature'])
    assert.ok(codes[code]! > 1000, `${code}: ${codes[code]}`);
});

mutations.run();
