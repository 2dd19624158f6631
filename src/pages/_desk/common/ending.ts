import { countDaysBetween, formatAmount } from '../../_scripts/format.ts';

/** How many days ahead the desk shows that a credential ends. */
export const endingDaysAhead = 60;

export interface EndingCredential {
  credential: string;
  /** Its last day, YYYY-MM-DD. */
  until: string;
}

/** The end that most credentials state last: `until 2027-01-03`. Any other stays as it is written. */
const statedEnd =
  /[ ,(]+(?:valid )?(?:until|through|thru|to|expires|expiring|exp\.?|ends) \d{4}-\d\d-\d\d\)?$/i;

/** Cuts the day off a credential: of `RN license PA until 2027-01-03` it leaves `RN license PA`. */
export const cutEnd = (credential: string): string => credential.replace(statedEnd, '');

/** Says when a credential ends or has ended: `ends in 12 days`, `ended 3 days ago`. */
export function describeEnd(until: string, today: string): string {
  const days = countDaysBetween(today, until);
  if (days < 0) return `ended ${formatAmount(-days, 'day')} ago`;
  return days === 0 ? 'ends today' : `ends in ${formatAmount(days, 'day')}`;
}
