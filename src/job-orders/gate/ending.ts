import { addDays } from '../../kernel/text.ts';
import { nameLicence } from '../../occupations/licensed.ts';
import type { CandidateHolds } from '../../placements/period.ts';
import { findVerdict } from '../../records/kind/phrases/shown-phrases.ts';
import { findNamedExpiry } from './licence.ts';
import { type OrderNeed, readStart } from './need.ts';
import { type CandidateOffer, endsNever } from './offer.ts';

/** A must-have or licence that is met at the start of the work and not to its end. */
interface EndsDuring {
  requirement: string;
  /** The last day of what shows it, YYYY-MM-DD. */
  until: string;
}

/** The last day of the work: that of the guarantee, if no end is known. '' if its year has too many digits. */
const readLastWorkDay = ({ endDate, guaranteeDays }: OrderNeed, start: string): string =>
  endDate ?? (start === '' ? '' : (addDays(start, guaranteeDays) ?? ''));

/** Lists the must-haves, and the licence, that end after the start of the work and before its last day. */
export function listEndsDuring(need: OrderNeed, offer: CandidateOffer, held: CandidateHolds): EndsDuring[] {
  if (endsNever(offer)) return [];
  const { shownPhrases, licence } = offer;
  const start = readStart(need, held);
  const last = readLastWorkDay(need, start);
  const isDuring = (until: string | undefined): until is string =>
    until !== undefined && until >= start && until < last;
  const shown = need.requires.flatMap((query) => {
    const { until, phrase } = findVerdict(shownPhrases, query, start) ?? {};
    return isDuring(until) ? [{ requirement: query.text, until, by: phrase?.text }] : [];
  });
  const ending = shown.map(({ requirement, until }) => ({ requirement, until }));
  const named = findNamedExpiry(need.licence, licence);
  // A must-have that the same credential shows says as much.
  if (!named || !isDuring(named.until) || shown.some(({ by }) => by === named.text)) return ending;
  return [...ending, { requirement: `licence as ${nameLicence(need.licence.own!)}`, until: named.until }];
}
