import { formatUsd } from '../../records/kind/fields/common.ts';
import { fullTimeHours, weeksPerYear } from '../../records/kind/fields/work.ts';

/** US dollars by the hour and by the year. Of an order it is the most that is paid, of a candidate what is asked. */
export interface StatedPay {
  hour: number | undefined;
  year: number | undefined;
}

type PayMember = 'payRateUsdHour' | 'payRateMaxUsdHour' | 'salaryUsdYear' | 'salaryMaxUsdYear';
export type WithPay = Partial<Record<PayMember, number | undefined>>;

export const readStatedPay = (record: WithPay): StatedPay => ({
  hour: record.payRateMaxUsdHour ?? record.payRateUsdHour,
  year: record.salaryMaxUsdYear ?? record.salaryUsdYear,
});

export const isPayStated = ({ hour, year }: StatedPay): boolean => hour !== undefined || year !== undefined;

/** What a candidate asks and the most that an order pays, in US dollars and whole cents. */
interface ComparedPay {
  asks: number;
  most: number;
  per: 'hour' | 'year';
}

/** Rounds to cents, because a converted amount such as 15.15 * 2080 has a remainder: 31512.000000000004. */
const roundToCents = (amount: number): number => Math.round(amount * 100) / 100;

const toYear = ({ hour, year }: StatedPay, hours: number): number => year ?? hour! * weeksPerYear * hours;

/**
 * Compares like with like, and otherwise by the year. A candidate who asks by the hour and by the year takes what fits.
 * `hours` are those of the order. Returns undefined if one of the two states no pay.
 */
export function comparePay(
  order: StatedPay,
  candidate: StatedPay,
  hours = fullTimeHours,
): ComparedPay | undefined {
  if (!isPayStated(order) || !isPayStated(candidate)) return undefined;
  const compare = (per: ComparedPay['per'], asks: number, most: number): ComparedPay => ({
    asks: roundToCents(asks),
    most: roundToCents(most),
    per,
  });
  const pairs = (['hour', 'year'] as const).flatMap((per) => {
    const [most, asks] = [order[per], candidate[per]];
    return most === undefined || asks === undefined ? [] : [compare(per, asks, most)];
  });
  return pairs.find(isEnough) ?? pairs[0] ?? compare('year', toYear(candidate, hours), toYear(order, hours));
}

export const isEnough = ({ asks, most }: ComparedPay): boolean => asks <= most;

export const explainPay = ({ asks, most, per }: ComparedPay): string =>
  `asks ${formatUsd(asks)} ${per === 'hour' ? 'an hour' : 'a year'}; the order pays at most ${formatUsd(most)}`;
