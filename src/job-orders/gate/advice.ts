import { addDays } from '../../kernel/text.ts';
import { readLastDay } from '../../records/kind/phrases/last-day.ts';
import { findEvidence } from '../../records/kind/phrases/shown-phrases.ts';
import { findNamedExpiry, isLicensed, type NamedLicence } from './licence.ts';
import type { OrderNeed } from './need.ts';
import { type CandidateOffer, endsNever } from './offer.ts';

/** A credential that expires within this many days after the start of the work gets advice. */
const soonDays = 30;

/**
 * Returns the last licence to expire that credentials name for a job order. Returns undefined if one does not expire, or
 * if a must-have is shown by the same credential, which says as much.
 */
function findExpiringLicence(need: OrderNeed, offer: CandidateOffer): NamedLicence | undefined {
  const named = findNamedExpiry(need.licence, offer.licence);
  const isToldOf = need.requires.some(
    (query) => findEvidence(offer.shownPhrases, query, '')?.phrase.text === named?.text,
  );
  return isToldOf ? undefined : named;
}

/** Says which must-haves and which licence expire soon after `start`, the day on which the work starts. */
export function listExpiring(need: OrderNeed, offer: CandidateOffer, start: string): string[] {
  if (endsNever(offer)) return [];
  const last = start === '' ? null : addDays(start, soonDays);
  const isSoon = (until?: string) => until !== undefined && until >= start && last !== null && until <= last;
  const phrases = need.requires.flatMap((query) => {
    const until = findEvidence(offer.shownPhrases, query, start)?.until;
    return isSoon(until) ? [`"${query.text}" expires ${until}, soon after the start`] : [];
  });
  const until = findExpiringLicence(need, offer)?.until;
  return isSoon(until) ? [...phrases, `the licence expires ${until}, soon after the start`] : phrases;
}

/** Returns the name of a credential, without the text that says when it ends. */
const cutUntil = (text: string): string => readLastDay(text).name;

/** Says which named licence expired. An occupation can show the licence all the same. */
function listLapsed(need: OrderNeed, offer: CandidateOffer, start: string): string[] {
  if (endsNever(offer)) return [];
  const named = findExpiringLicence(need, offer);
  // Without the licence of the occupation the gate is unmet and says so.
  if (!named || named.until >= start || !isLicensed(need.licence, offer.licence, start)) return [];
  return [`the ${cutUntil(named.text)} that is named expired ${named.until}`];
}

/** Says that a candidate works fewer hours than the order, if both state them. That is no reason to fail. */
function listFewHours(
  { hoursPerWeek: needed }: OrderNeed,
  { hoursPerWeek: works }: CandidateOffer,
): string[] {
  if (needed === undefined || works === undefined || works >= needed) return [];
  return [`works ${works} hours a week; the work is ${needed}`];
}

/** Says what a person should look at, although no gate is unmet for it. */
export const listAdvice = (need: OrderNeed, offer: CandidateOffer, start: string): string[] => [
  ...listLapsed(need, offer, start),
  ...listFewHours(need, offer),
];
