import type { Phrase } from '../../kernel/words.ts';
import type { CandidateHolds } from '../../placements/period.ts';
import { usualGuaranteeDays } from '../../placements/status.ts';
import type { Matchable } from '../../records/kind/factor.ts';
import { readStatement } from '../../records/kind/phrases/statement.ts';
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
  /** The first day that the order states. It can be past. */
  startDate: string | undefined;
  /** The first day that a placement states instead. Work that is recorded later is judged as of it. */
  agreedStart: string | undefined;
  /** Planned last day of the work. */
  endDate: string | undefined;
  hoursPerWeek: number | undefined;
  /** Days of the guarantee, which is how long work without an end is looked at. */
  guaranteeDays: number;
}

type NeedMembers = Partial<
  Pick<
    OrderNeed,
    'shift' | 'workplace' | 'startDate' | 'agreedStart' | 'endDate' | 'hoursPerWeek' | 'guaranteeDays'
  > & {
    requires: readonly string[];
  }
>;

export function readNeed(order: Matchable & NeedMembers & WithPay): OrderNeed {
  const { onetCode, requires = [], shift, workplace, startDate, endDate, hoursPerWeek } = order;
  const { agreedStart, guaranteeDays = usualGuaranteeDays } = order;
  return {
    requires: requires.map(readStatement),
    licence: readLicence(onetCode),
    pay: readStatedPay(order),
    shift,
    workplace,
    startDate,
    agreedStart,
    endDate,
    hoursPerWeek,
    guaranteeDays,
  };
}

/** The day on which the work starts: that of a placement, else that of the order, but not before today. */
export const readStart = ({ agreedStart, startDate = '' }: OrderNeed, { today }: CandidateHolds): string =>
  agreedStart ?? (startDate > today ? startDate : today);
