import { base64url, compactVerify, createLocalJWKSet } from 'jose';
import * as v from 'valibot';
import { ReceiptClaims } from './sign-receipt.ts';

/** The most characters of a receipt, well above the longest that this service signs. */
const longestReceipt = 4096;
const mostKeys = 100;

/** Why a receipt does not hold, in words for a person. Codes that begin with ERR_ are those of jose's errors. */
const refusals = {
  too_long: `It is longer than ${longestReceipt} characters, which no receipt is.`,
  ERR_JWS_INVALID:
    'A receipt is three parts of letters, digits, - and _ with dots between. It begins with eyJ.',
  cut: 'Its end is missing. Copy all of it: a receipt ends in 86 letters and digits after its second dot.',
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

/** What a receipt without a certificate is. Only a signature that does not fit makes a receipt that does not hold. */
export const receiptVerdicts = {
  broken: 'It does not hold',
  unchecked: 'Not checked',
  malformed: 'Not a receipt',
} as const;
export type ReceiptVerdict = keyof typeof receiptVerdicts;

const verdictOf: Partial<Record<ReceiptRefusal, ReceiptVerdict>> = {
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'broken',
  ERR_JWKS_INVALID: 'unchecked',
  no_keys: 'unchecked',
  ERR_JWKS_NO_MATCHING_KEY: 'unchecked',
  ERR_JWKS_MULTIPLE_MATCHING_KEYS: 'unchecked',
  expired_key: 'unchecked',
  wrong_issuer: 'unchecked',
  unsupported: 'unchecked',
};

type ReadReceipt =
  | { holds: true; claims: ReceiptClaims; kid: string }
  | { holds: false; code: ReceiptRefusal; verdict: ReceiptVerdict; reason: string };

const rejectReceipt = (code: ReceiptRefusal, more = ''): ReadReceipt => ({
  holds: false,
  code,
  verdict: verdictOf[code] ?? 'malformed',
  reason: refusals[code] + more,
});

const Header = v.strictObject({ alg: v.literal('EdDSA'), kid: v.string() });
const Claims = v.pipe(v.string(), v.parseJson(), ReceiptClaims);

/**
 * A JWK Set. Unknown members and kinds of key are ignored (RFC 7517 section 5). A key may have an expiry, `exp` in seconds;
 * the keys that this service publishes have none.
 */
const KeySet = v.object({ keys: v.pipe(v.array(v.unknown()), v.maxLength(mostKeys)) });
const Key = v.object({
  kty: v.literal('OKP'),
  crv: v.literal('Ed25519'),
  kid: v.string(),
  x: v.pipe(v.string(), v.regex(/^[\w-]{43}$/)),
  exp: v.optional(v.number()),
});

/** Whether base64url is spelled as its bytes encode (RFC 4648 section 3.5). Decoders accept other spellings too. */
const isCanonical = (text: string) => base64url.encode(base64url.decode(text)) === text;

/** The letters of an Ed25519 signature in base64url. */
const signatureLength = 86;

/** Whether a text begins as a receipt does and ends too early. */
function isCut(text: string): boolean {
  const parts = text.split('.');
  const isLike = /^eyJ[\w-]*$/.test(parts[0]!) && parts.length <= 3;
  return isLike && (parts[2] ?? '').length < signatureLength;
}

/** Codes of jose for a text whose end may be missing. */
const cutCodes = ['ERR_JWS_INVALID', 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED'];

/**
 * Checks a receipt with `jwks`, a JWK Set as parsed from JSON. Never rejects. If `issuer` is given, the receipt must name
 * that origin. `now` is in milliseconds since the epoch; without it, a key with an expiry counts as expired.
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
  const keys = set.output.keys.filter((key) => v.is(Key, key));
  const result = await compactVerify(text, createLocalJWKSet({ keys }), { algorithms: ['EdDSA'] }).catch(
    ({ code }) =>
      rejectReceipt(cutCodes.includes(code) && isCut(text) ? 'cut' : code in refusals ? code : 'unsupported'),
  );
  if ('holds' in result) return result;
  if (!isCanonical(text.slice(text.lastIndexOf('.') + 1))) return rejectReceipt('ERR_JWS_INVALID');
  if (!v.is(Header, result.protectedHeader)) return rejectReceipt('ERR_JOSE_NOT_SUPPORTED');
  const { kid } = result.protectedHeader;
  const { exp } = keys.find((key) => key.kid === kid)!;
  if (exp !== undefined && exp * 1000 <= now) return rejectReceipt('expired_key');
  const claims = v.safeParse(Claims, new TextDecoder().decode(result.payload), { abortPipeEarly: true });
  if (!claims.success) return rejectReceipt('wrong_claims');
  const { iss } = claims.output;
  const advice = ` It was issued at ${iss}, not ${issuer}: check it with the keys of that address.`;
  if (issuer !== undefined && iss !== issuer) return rejectReceipt('wrong_issuer', advice);
  return { holds: true, claims: claims.output, kid };
}

/** The most characters around a receipt, and in it, that are read. */
const longestText = 2 * longestReceipt;
const wholeReceipt = new RegExp(
  `(?<![\\w.-])eyJ[\\w-]*\\.[\\w-]*\\.[\\w-]{${signatureLength}}(?![\\w-]|\\.[\\w-])`,
  'g',
);
const partOfReceipt = /(?<![\w.-])eyJ[\w.-]*[\w-]/g;

/**
 * Returns the receipt in a text, which may be a JSON reply, a link, or have quotes around it or breaks of lines in it.
 * Returns the trimmed text if it does not have exactly one.
 */
export function extractReceipt(input: string): string {
  const text = input.trim();
  if (text.length > longestText) return text;
  const inText = (pattern: RegExp, from = text) => from.match(pattern) ?? [];
  const matches = [
    inText(wholeReceipt),
    inText(wholeReceipt, text.replaceAll(/\s/g, '')),
    inText(partOfReceipt),
  ].find(({ length }) => length === 1);
  return matches?.[0] ?? text;
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

/** Formats an RFC 3339 time as `2026-10-31 09:00:05 UTC`. */
const formatTime = (time: string) => `${time.slice(0, 10)} ${time.slice(11, 19)} UTC`;

/** Describes the claims of a receipt in plain words, as pairs of a name and a text. */
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
