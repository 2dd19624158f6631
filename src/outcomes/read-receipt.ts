import { base64url, compactVerify, importJWK } from 'jose';
import * as v from 'valibot';
import { ReceiptClaims } from './receipt.ts';

/** Characters of a receipt at most: well above the longest that is made here. */
const longestReceipt = 4096;
const mostKeys = 100;

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Why a receipt does not hold: stable names, and what a person is told. */
const refusals = {
  too_long: `It is longer than ${longestReceipt} characters, which no receipt is.`,
  not_a_receipt: 'It is no receipt: a receipt is three parts of letters, digits, - and _ with dots between.',
  wrong_header: 'Its header is not that of a receipt, which holds alg and kid and nothing else.',
  wrong_algorithm: 'It is not signed by EdDSA (Ed25519), the only algorithm that receipts are signed by.',
  broken_keys: 'What should be the keys is no JWK Set, so nothing can be checked with it.',
  no_keys: 'The JWK Set holds no key, so nothing can be checked with it.',
  unknown_key: 'It names a key that is not among those given: another service signed it, or the key is gone.',
  expired_key: 'It names a key that its key set says has expired, so nothing can be checked with it.',
  wrong_signature: 'Its signature does not fit: something in it was changed, or another key signed it.',
  wrong_claims: 'It is signed by a key of those given, but does not say what a receipt says.',
  wrong_issuer: 'It is signed by a key of those given, but names another issuer.',
  unsupported: 'It cannot be checked here: Ed25519 is missing, or this page did not come over https.',
} as const;

type ReceiptRefusal = keyof typeof refusals;

type ReadReceipt =
  | { holds: true; claims: ReceiptClaims; kid: string }
  | { holds: false; code: ReceiptRefusal; reason: string };

const doesNotHold = (code: ReceiptRefusal, more = ''): ReadReceipt => ({
  holds: false,
  code,
  reason: refusals[code] + more,
});

const Header = v.strictObject({ alg: v.string(), kid: v.string() });

/**
 * Whatever has a key in it: members and kinds of key that are not known are ignored (RFC 7517 section 5). A key may
 * say when it expires, as `exp` in seconds; those published here never do.
 */
const KeySet = v.object({ keys: v.pipe(v.array(v.unknown()), v.maxLength(mostKeys)) });
const Key = v.object({
  kty: v.literal('OKP'),
  crv: v.literal('Ed25519'),
  kid: v.string(),
  x: v.pipe(v.string(), v.regex(/^[\w-]{43}$/)),
  exp: v.optional(v.number()),
});

/** The JSON that UTF-8 bytes hold; undefined where it is none. */
function toJson(bytes: () => Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(bytes()));
  } catch {
    return undefined;
  }
}

/** Characters of base64url by the bits that they stand for (RFC 4648 section 5). */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** Bits of the last character that belong to no byte, by the length; no text is one character too long. */
const spareBits = [0, undefined, 4, 2];

/** Whether those bits are zero (RFC 4648 section 3.5): decoders drop them, so others would write the same signature. */
function isCanonical(part: string): boolean {
  const spare = spareBits[part.length % 4];
  return spare !== undefined && alphabet.indexOf(part.at(-1)!) % 2 ** spare === 0;
}

/**
 * Reads a receipt with nothing but published keys, `jwks`, a JWK Set as it was parsed from JSON. Answers its claims, or
 * why it does not hold; never rejects. `issuer` is the origin that it has to name, if any. `now` is the time in
 * milliseconds since the epoch; where it is left out, a key with an expiry counts as expired. It takes one form of
 * signature, EdDSA by a key that `kid` names, and one way to write it, with nothing around.
 */
export async function readReceipt(
  text: string,
  jwks: unknown,
  { issuer, now = Number.POSITIVE_INFINITY }: { issuer?: string | undefined; now?: number } = {},
): Promise<ReadReceipt> {
  if (text.length > longestReceipt) return doesNotHold('too_long');
  if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(text)) return doesNotHold('not_a_receipt');
  const parts = text.split('.');
  if (!parts.every(isCanonical)) return doesNotHold('not_a_receipt');
  const named = toJson(() => base64url.decode(parts[0]!)) as { alg?: unknown } | null | undefined;
  if (typeof named !== 'object' || named === null) return doesNotHold('not_a_receipt');
  if (named.alg !== 'EdDSA') return doesNotHold('wrong_algorithm');
  const header = v.safeParse(Header, named);
  if (!header.success) return doesNotHold('wrong_header');
  const { kid } = header.output;

  const set = v.safeParse(KeySet, jwks);
  if (!set.success) return doesNotHold('broken_keys');
  if (set.output.keys.length === 0) return doesNotHold('no_keys');
  const key = set.output.keys.find((one) => v.is(Key, one) && one.kid === kid);
  if (!v.is(Key, key)) return doesNotHold('unknown_key');
  if (key.exp !== undefined && key.exp * 1000 <= now) return doesNotHold('expired_key');

  let payload: Uint8Array;
  try {
    const { kty, crv, x } = key;
    const imported = await importJWK({ kty, crv, x }, 'EdDSA').catch(() => undefined);
    if (!imported) return doesNotHold('unsupported');
    ({ payload } = await compactVerify(text, imported, { algorithms: ['EdDSA'] }));
  } catch {
    return doesNotHold('wrong_signature');
  }
  const claims = v.safeParse(
    ReceiptClaims,
    toJson(() => payload),
    { abortPipeEarly: true },
  );
  if (!claims.success) return doesNotHold('wrong_claims');
  const { iss } = claims.output;
  if (issuer !== undefined && iss !== issuer) {
    return doesNotHold(
      'wrong_issuer',
      ` It was issued at ${iss}, not ${issuer}: check it with the keys of that address.`,
    );
  }
  return { holds: true, claims: claims.output, kid };
}

const longestAnswer = 2 * longestReceipt;

/** The receipt in what a person has: itself with white space around, or the JSON that it was answered in. */
export function toReceiptText(given: string): string {
  const text = given.trim();
  if (!text.startsWith('{') || text.length > longestAnswer) return text;
  try {
    const { receipt } = JSON.parse(text) as { receipt?: unknown };
    return typeof receipt === 'string' ? receipt : text;
  } catch {
    return text;
  }
}

export const provesThat =
  'What was stated and confirmed at the service that signed it, and when: the holder of a workspace stated this outcome, and a token issued to each party named here agreed with it.';

export const provesNotThat =
  'Who the parties are, or that they are different people: the holder of a workspace can request a token and answer with it. Nor that the placement, the person or the client exists: the service checked none of that.';

const meanings: Record<ReceiptClaims['result'], string> = {
  retained: 'retained: the person was still in the placement',
  converted: 'converted: the client took the person on',
  attrited: 'attrited: the person was no longer in the placement',
};

/** `2026-10-31 09:00:05 UTC`, of a time in RFC 3339. */
const toMoment = (time: string) => `${time.slice(0, 10)} ${time.slice(11, 19)} UTC`;

/** What the claims of a receipt say, in plain words: a name and a text each. */
export function toReceiptRows(claims: ReceiptClaims, kid: string): [name: string, text: string][] {
  const { iss, iat, jti, sub, onetCode, startDate, result, asOf, day } = claims;
  const { recordedAt, statedAt, confirmedBy, disputedBy = [], confirmedAt } = claims;
  return [
    ['Outcome', meanings[result]],
    ['As of', `${asOf}, day ${day} after the start on ${startDate}`],
    ['Placement', `${sub}, recorded ${toMoment(recordedAt)}`],
    ['Occupation', `O*NET-SOC ${onetCode}`],
    ['Stated', `${toMoment(statedAt)}, by the holder of the workspace`],
    [
      'Confirmed',
      `${toMoment(confirmedAt)}, by a token issued to the ${confirmedBy.join(' and one to the ')}`,
    ],
    ...disputedBy.map((party): [string, string] => [
      'Disputed',
      `by the ${party} before it agreed with this`,
    ]),
    ['Signed', `${toMoment(new Date(iat * 1000).toISOString())}, by ${iss}`],
    ['Receipt', jti],
    ['Key', kid],
  ];
}
