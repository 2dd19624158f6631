import { addDays } from '../kernel/text.ts';
import type { Phrase } from '../kernel/words.ts';
import { findNamedExpiry, isLicensed, type Licence, type NamedLicence } from './licence.ts';
import { findShownPhrase, type ShownPhrases } from './shown-phrases.ts';

/** What gaps compare of a gate, so that this file need not import the gate that imports it. */
interface Compared {
  requires: readonly Phrase[];
  shownPhrases: ShownPhrases;
  licence: Licence;
  hoursPerWeek: number | undefined;
}

/** A credential that expires within this many days after the start of the work gets advice. */
const soonDays = 30;

/**
 * Returns the last licence to expire that credentials name for a job order. Returns undefined if one does not expire, or
 * if a must-have is shown by the same credential, which says as much.
 */
function findExpiringLicence(order: Compared, candidate: Compared): NamedLicence | undefined {
  const named = findNamedExpiry(order.licence, candidate.licence);
  const isToldOf = order.requires.some(
    (query) => findShownPhrase(candidate.shownPhrases, query)?.phrase.text === named?.text,
  );
  return isToldOf ? undefined : named;
}

/** Says which must-haves and which licence expire soon after `start`, the day on which the work starts. */
export function listExpiring(order: Compared, candidate: Compared, start: string): string[] {
  const last = start === '' ? null : addDays(start, soonDays);
  const isSoon = (until?: string) => until !== undefined && until >= start && last !== null && until <= last;
  const phrases = order.requires.flatMap((query) => {
    const until = findShownPhrase(candidate.shownPhrases, query)?.until;
    return isSoon(until) ? [`"${query.text}" expires ${until}, soon after the start`] : [];
  });
  const until = findExpiringLicence(order, candidate)?.until;
  return isSoon(until) ? [...phrases, `the licence expires ${until}, soon after the start`] : phrases;
}

/** Cuts "until" and the last day off a credential that ends with them. */
const cutUntil = (text: string): string => text.slice(0, text.toLowerCase().lastIndexOf('until')).trimEnd();

/** Says which named licence expired. An occupation can show the licence all the same. */
function listLapsed(order: Compared, candidate: Compared, start: string): string[] {
  const named = findExpiringLicence(order, candidate);
  // Without the licence of the occupation the gate is unmet and says so.
  if (!named || named.until >= start || !isLicensed(order.licence, candidate.licence, start)) return [];
  return [`the ${cutUntil(named.text)} that is named expired ${named.until}`];
}

/** Says that a candidate works fewer hours than the order, if both state them. That is no reason to fail. */
function listFewHours({ hoursPerWeek: needed }: Compared, { hoursPerWeek: works }: Compared): string[] {
  if (needed === undefined || works === undefined || works >= needed) return [];
  return [`works ${works} hours a week; the work is ${needed}`];
}

/** Says what a person should look at, although no gate is unmet for it. */
export const listGateGaps = (order: Compared, candidate: Compared, start: string): string[] => [
  ...listLapsed(order, candidate, start),
  ...listFewHours(order, candidate),
];
