import type { Warning } from '../kernel/envelope.ts';
import { formatUsd } from '../records/kind/fields/common.ts';
import { fullTimeHours, weeksPerYear } from '../records/kind/fields/work.ts';

/** What the client is billed and what is paid, in US dollars an hour and a year. */
export interface Rates {
  billRateUsdHour?: number | undefined;
  payRateUsdHour?: number | undefined;
  payRateMaxUsdHour?: number | undefined;
  salaryUsdYear?: number | undefined;
  salaryMaxUsdYear?: number | undefined;
  /** Of the work. A salary is compared by the hour. */
  hoursPerWeek?: number | undefined;
}

/** Pay that a record states: in US dollars an hour, and in words. */
interface Paid {
  hour: number;
  words: string;
}

/** Lists the pay that rates state: first what is paid, then the most that may be paid. */
function listPaid(rates: Rates): Paid[] {
  const { payRateUsdHour, payRateMaxUsdHour, salaryUsdYear, salaryMaxUsdYear } = rates;
  const { hoursPerWeek = fullTimeHours } = rates;
  const ofHour = (hour: number | undefined, upTo: string): Paid[] =>
    hour === undefined ? [] : [{ hour, words: `${upTo}${formatUsd(hour)} an hour is paid` }];
  const ofYear = (year: number | undefined, upTo: string): Paid[] => {
    if (year === undefined) return [];
    const hour = year / (weeksPerYear * hoursPerWeek);
    const converted = `${formatUsd(hour)} an hour at ${hoursPerWeek} hours a week`;
    return [{ hour, words: `${upTo}${formatUsd(year)} a year is paid, which is ${converted}` }];
  };
  return [
    ...ofHour(payRateUsdHour, ''),
    ...ofYear(salaryUsdYear, ''),
    ...ofHour(payRateMaxUsdHour, 'up to '),
    ...ofYear(salaryMaxUsdYear, 'up to '),
  ];
}

/**
 * Advises if the bill rate is below the pay, or below the most that may be paid. `path` is the member that the advice
 * names.
 */
export function warnOfMargin(rates: Rates, path: string): Warning[] {
  const { billRateUsdHour: bill } = rates;
  if (bill === undefined) return [];
  const paid = listPaid(rates).find(({ hour }) => Math.round(hour * 100) > Math.round(bill * 100));
  if (!paid) return [];
  const message = `leaves a negative margin: ${formatUsd(bill)} an hour is billed and ${paid.words}`;
  return [{ code: 'negative_margin', path, message, advice: true }];
}
