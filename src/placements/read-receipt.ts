import { base64url, compactVerify, createLocalJWKSet } from 'jose';
import * as v from 'valibot';
import { ReceiptClaims } from './sign-receipt.ts';

/** Characters of a receipt at most: well above the longest that is made here. */
const longestReceipt = 4096;
const mostKeys = 100;

/** Why a receipt does not hold, and what a person is told: by the code of jose's error where that refuses. */
const refusals = {
  too_long: `It is longer than ${longestReceipt} characters, which no receipt is.`,
  ERR_JWS_INVALID:
    'It is no receipt: a receipt is three parts of letters, digits, - and _ with dots between.',
  ERR_JOSE_NOT_SUPPORTED: 'Its header is not that of a receipt, which holds alg and kid and nothing else.',
  ERR_JOSE_ALG_NOT_ALLOWED:
    'It is not signed by EdDSA (Ed25519), the only algorithm that receipts are signed by.',
  ERR_JWKS_INVALID: 'What should be the keys is no JWK Set, so nothing can be checked with it.',
  no_keys: 'The JWK Set holds no key, so nothing can be checked with it.',
  ERR_JWKS_NO_MATCHING_KEY:
    'It names a key that is not among those given: another service signed it, or the key is gone.',
  ERR_JWKS_MULTIPLE_MATCHING_KEYS:
    'It names a key that the JWK Set holds twice, so nothing can be checked with it.',
  expired_key: 'It names a key that its key set says has expired, so nothing can be checked with it.',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED:
    'Its signature does not fit: something in it was changed, or another key signed it.',
  wrong_claims: 'It is signed by a key of those given, but does not say what a receipt says.',
  wrong_issuer: 'It is signed by a key of those given, but names another issuer.',
  unsupported: 'It cannot be checked here: Ed25519 is missing, or this page did not come over https.',
} as const;

type ReceiptRefusal = keyof typeof refusals;

type ReadReceipt =
  | { holds: true; claims: ReceiptClaims; kid: string }
  | { holds: false; code: ReceiptRefusal; reason: string };

const rejectReceipt = (code: ReceiptRefusal, more = ''): ReadReceipt => ({
  holds: false,
  code,
  reason: refusals[code] + more,
});

const Header = v.strictObject({ alg: v.literal('EdDSA'), kid: v.string() });
const Claims = v.pipe(v.string(), v.parseJson(), ReceiptClaims);

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

/** Whether base64url is written as its bytes are (RFC 4648 section 3.5): a decoder takes other spellings too. */
const isCanonical = (text: string) => base64url.encode(base64url.decode(text)) === text;

/**
 * Holds a receipt against `jwks`, a JWK Set as parsed from JSON; never rejects. `issuer` is the origin that it has to
 * name, if any. `now` is in milliseconds since the epoch; without it, a key with an expiry counts as expired.
 */
export async function readReceipt(
  text: string,
  jwks: unknown,
  { issuer, now = Number.POSITIVE_INFINITY }: { issuer?: string | undefined; now?: number } = {},
): Promise<ReadReceipt> {
  if (text.length > longestReceipt) return rejectReceipt('too_long');
  const set = v.safeParse(KeySet, jwks);
  if (!set.success) return rejectReceipt('ERR_JWKS_INVALID');
  if (set.output.keys.length === 0) return rejectReceipt('no_keys');
  const keys = set.output.keys.filter((one) => v.is(Key, one));
  const read = await compactVerify(text, createLocalJWKSet({ keys }), { algorithms: ['EdDSA'] }).catch(
    ({ code }) => rejectReceipt(code in refusals ? code : 'unsupported'),
  );
  if ('holds' in read) return read;
  if (!isCanonical(text.slice(text.lastIndexOf('.') + 1))) return rejectReceipt('ERR_JWS_INVALID');
  if (!v.is(Header, read.protectedHeader)) return rejectReceipt('ERR_JOSE_NOT_SUPPORTED');
  const { kid } = read.protectedHeader;
  const { exp } = keys.find((key) => key.kid === kid)!;
  if (exp !== undefined && exp * 1000 <= now) return rejectReceipt('expired_key');
  const claims = v.safeParse(Claims, new TextDecoder().decode(read.payload), { abortPipeEarly: true });
  if (!claims.success) return rejectReceipt('wrong_claims');
  const { iss } = claims.output;
  const instead = ` It was issued at ${iss}, not ${issuer}: check it with the keys of that address.`;
  if (issuer !== undefined && iss !== issuer) return rejectReceipt('wrong_issuer', instead);
  return { holds: true, claims: claims.output, kid };
}

const longestAnswer = 2 * longestReceipt;

/** The receipt in what a person has: itself with white space around, or the JSON that it was answered in. */
export function extractReceipt(given: string): string {
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
  finished: 'finished: the work reached its planned end',
};

/** `2026-10-31 09:00:05 UTC`, of a time in RFC 3339. */
const formatTime = (time: string) => `${time.slice(0, 10)} ${time.slice(11, 19)} UTC`;

/** What the claims of a receipt say, in plain words: a name and a text each. */
export function describeReceipt(claims: ReceiptClaims, kid: string): [name: string, text: string][] {
  const { iss, iat, jti, sub, onetCode, startDate, guaranteeDays, result, asOf, day } = claims;
  const guarantee = guaranteeDays === undefined ? '' : `, of a guarantee of ${guaranteeDays} days`;
  const { recordedAt, statedAt, confirmedBy, disputedBy = [], confirmedAt } = claims;
  return [
    ['Outcome', meanings[result]],
    ['As of', `${asOf}, day ${day} after the start on ${startDate}${guarantee}`],
    ['Placement', `${sub}, recorded ${formatTime(recordedAt)}`],
    ['Occupation', `O*NET-SOC ${onetCode}`],
    ['Stated', `${formatTime(statedAt)}, by the holder of the workspace`],
    [
      'Confirmed',
      `${formatTime(confirmedAt)}, by a token issued to the ${confirmedBy.join(' and one to the ')}`,
    ],
    ...disputedBy.map((party): [string, string] => [
      'Disputed',
      `by the ${party} before it agreed with this`,
    ]),
    ['Signed', `${formatTime(new Date(iat * 1000).toISOString())}, by ${iss}`],
    ['Receipt', jti],
    ['Key', kid],
  ];
}
