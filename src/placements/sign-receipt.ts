import * as v from 'valibot';
import type { Signer } from '../kernel/signer.ts';
import { CalendarDate, countDays } from '../kernel/text.ts';
import { OnetCode } from '../occupations/occupation.ts';
import { parties, statedResults } from './placement-record.ts';
import { usualGuaranteeDays } from './status.ts';

/** The end of the year 9999, in seconds since the epoch. */
const lastSecond = 253_402_300_799;

/** A time in UTC (RFC 3339 date-time). */
const Time = v.pipe(
  v.string(),
  v.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?Z$/),
  v.check((text) => !Number.isNaN(Date.parse(text)), 'must be a time that exists'),
);

const Parties = v.pipe(
  v.array(v.picklist(parties)),
  v.minLength(1),
  v.maxLength(parties.length),
  v.check((names) => new Set(names).size === names.length, 'must not name a party twice'),
);

const Id = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/, 'must be 1 to 64 letters, digits, _ and -'));

/** The claims of a receipt (RFC 7519 section 4 for iss, iat, jti and sub). They name no person and no workspace. */
export const ReceiptClaims = v.pipe(
  v.object({
    iss: v.pipe(v.string(), v.maxLength(255), v.regex(/^https?:\/\/[^\s/?#@]+$/, 'must be an origin')),
    iat: v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(lastSecond)),
    jti: Id,
    sub: Id,
    onetCode: OnetCode,
    startDate: CalendarDate,
    /** Absent in receipts that were signed when every guarantee had the same length. */
    guaranteeDays: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(usualGuaranteeDays))),
    result: v.picklist(statedResults),
    asOf: CalendarDate,
    day: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
    recordedAt: Time,
    statedAt: Time,
    confirmedBy: Parties,
    /** Parties that disagreed with an earlier statement. Each has agreed with this one. */
    disputedBy: v.optional(Parties),
    confirmedAt: Time,
  }),
  v.check(
    ({ startDate, asOf, day }) => countDays(startDate, asOf) === day,
    'day must be the days from startDate to asOf',
  ),
  v.check(
    ({ confirmedBy, disputedBy = [] }) => disputedBy.every((party) => confirmedBy.includes(party)),
    'who disagreed before must be among those who confirmed',
  ),
);
export type ReceiptClaims = v.InferOutput<typeof ReceiptClaims>;

/** The claims without `day`, which follows from the dates, and with `at` in milliseconds instead of `iat`. */
export type ReceiptFacts = Omit<ReceiptClaims, 'iat' | 'day'> & { at: number };

/** Returns the receipt of a validated outcome, a compact JWS. Throws if the facts are no valid claims. */
export function signReceipt({ at, ...facts }: ReceiptFacts, signer: Signer): string {
  const day = countDays(facts.startDate, facts.asOf);
  return signer.sign(v.parse(ReceiptClaims, { ...facts, iat: Math.floor(at / 1000), day }));
}
