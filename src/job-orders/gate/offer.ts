import type { Matchable } from '../../records/kind/factor.ts';
import type { WithPhrases } from '../../records/kind/fields/must-haves.ts';
import { type Licence, readLicence } from './licence.ts';
import { readStatedPay, type StatedPay, type WithPay } from './pay.ts';
import { readShownPhrases, type ShownPhrases } from './shown-phrases.ts';

/** What a candidate offers to the need of a job order. */
export interface CandidateOffer {
  shownPhrases: ShownPhrases;
  licence: Licence;
  /** What the candidate asks for. */
  pay: StatedPay;
  shifts: readonly string[];
  workplaces: readonly string[];
  availableFrom: string | undefined;
  hoursPerWeek: number | undefined;
}

type OfferMembers = Partial<Pick<CandidateOffer, 'shifts' | 'workplaces' | 'availableFrom' | 'hoursPerWeek'>>;

export function readOffer(candidate: Matchable & OfferMembers & WithPhrases & WithPay): CandidateOffer {
  const { onetCode, credentials, shifts = [], workplaces = [], availableFrom, hoursPerWeek } = candidate;
  return {
    shownPhrases: readShownPhrases(candidate),
    licence: readLicence(onetCode, credentials),
    pay: readStatedPay(candidate),
    shifts,
    workplaces,
    availableFrom,
    hoursPerWeek,
  };
}
