import type { Phrase } from '../../kernel/words.ts';
import type { CandidateHolds } from '../../placements/period.ts';
import type { Matchable } from '../../records/kind/factor.ts';
import { readStatement } from '../../records/kind/fields/must-haves.ts';
import { type Licence, readLicence } from './licence.ts';
import { readStatedPay, type StatedPay, type WithPay } from './pay.ts';

/** What a job order needs of a candidate. Nothing of it adds points to a score. */
export interface OrderNeed {
  requires: readonly Phrase[];
  licence: Licence;
  /** The most that it pays. */
  pay: StatedPay;
  shift: string | undefined;
  workplace: string | undefined;
  startDate: string | undefined;
  /** Planned last day of the work. */
  endDate: string | undefined;
  hoursPerWeek: number | undefined;
}

type NeedMembers = Partial<
  Pick<OrderNeed, 'shift' | 'workplace' | 'startDate' | 'endDate' | 'hoursPerWeek'> & {
    requires: readonly string[];
  }
>;

export function readNeed(order: Matchable & NeedMembers & WithPay): OrderNeed {
  const { onetCode, requires = [], shift, workplace, startDate, endDate, hoursPerWeek } = order;
  return {
    requires: requires.map(readStatement),
    licence: readLicence(onetCode),
    pay: readStatedPay(order),
    shift,
    workplace,
    startDate,
    endDate,
    hoursPerWeek,
  };
}

/** The day on which the work starts: today, if the order states none. */
export const readStart = ({ startDate }: OrderNeed, { today }: CandidateHolds): string => startDate ?? today;
