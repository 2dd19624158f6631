import type { Matchable } from '../../records/kind/factor.ts';
import {
  readShownPhrases,
  type ShownPhrases,
  type WithPhrases,
} from '../../records/kind/phrases/shown-phrases.ts';
import { type Licence, readLicence } from './licence.ts';
import { readStatedPay, type StatedPay, type WithPay } from './pay.ts';

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

/** Whether nothing that a candidate shows has a last day. */
export const endsNever = ({ shownPhrases, licence }: CandidateOffer): boolean =>
  shownPhrases.qualified.length === 0 && licence.expiring.length === 0;
