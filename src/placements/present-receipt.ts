import { decodeJwt } from 'jose';
import * as v from 'valibot';
import { withRules } from '../kernel/json-schema.ts';
import { keysPath } from '../kernel/signer.ts';
import { Href, say } from '../kernel/text.ts';

/** What a reply has with a receipt. */
export const receiptEntries = {
  receipt: say(v.pipe(v.string(), v.regex(/^[\w-]+\.[\w-]+\.[\w-]+$/)), 'A compact JWS (RFC 7515).'),
  claims: say(
    withRules(v.looseObject({}), { additionalProperties: true }),
    'Its claims, decoded: iss, iat, jti, sub (the placement), onetCode, startDate, guaranteeDays, result, asOf, day, recordedAt, statedAt, confirmedBy, disputedBy, confirmedAt.',
  ),
  links: say(v.object({ keys: say(Href, 'The keys that check it.') }), 'Related addresses.'),
};

/** Returns a receipt that this service signed, with its claims and the address of the keys. It checks no signature. */
export const presentReceipt = (receipt: string) => ({
  receipt,
  claims: decodeJwt(receipt),
  links: { keys: keysPath },
});
