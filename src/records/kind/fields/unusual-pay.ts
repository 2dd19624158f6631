import type { Warning } from '../../../kernel/envelope.ts';
import type { OccupationEntry } from '../../../occupations/occupation.ts';
import type { OccupationService } from '../../../occupations/service.ts';
import type { StoredRecord } from '../../../workspace/record.ts';
import { formatUsd } from './common.ts';
import { fullTimeHours, weeksPerYear } from './work.ts';

/** A salary below this many US dollars reads as an hour's pay. */
const leastOfYear = 1_000;
/** A rate above this many US dollars reads as a year's pay. */
const mostOfHour = 5_000;
const hoursOfYear = weeksPerYear * fullTimeHours;

/** The members of a record that hold pay, each with the member of the other unit. A placement has no salary. */
const otherUnits = {
  payRateUsdHour: 'salaryUsdYear',
  payRateMaxUsdHour: 'salaryMaxUsdYear',
  billRateUsdHour: undefined,
  salaryUsdYear: 'payRateUsdHour',
  salaryMaxUsdYear: 'payRateMaxUsdHour',
} as const;

type PayMember = keyof typeof otherUnits;

interface PaidRecord extends StoredRecord, Partial<Record<PayMember, number>> {
  hoursPerWeek?: number;
}

const isYearly = (member: PayMember): boolean => member.endsWith('UsdYear');

/** Says that an amount is of the other unit, and what to send instead. Returns undefined if it is not. */
function explainOtherUnit(member: PayMember, amount: number, hasSalary: boolean): string | undefined {
  const text = formatUsd(amount);
  const other = otherUnits[member];
  if (isYearly(member))
    return amount < leastOfYear ? `${text} reads as an hour's pay; send ${other}` : undefined;
  if (amount <= mostOfHour) return undefined;
  if (other && hasSalary) return `${text} reads as a year's pay; send ${other}`;
  const hourly = formatUsd(amount / hoursOfYear);
  return `${text} reads as a year's amount; send that of an hour, ${hourly} if a year is ${hoursOfYear.toLocaleString('en-US')} hours`;
}

/** Says that an amount is outside the 10th to 90th percentile of pay. A bill rate can be above what is paid. */
function explainUncommon(
  member: PayMember,
  amount: number,
  { rates, salaries }: Pick<OccupationEntry, 'rates' | 'salaries'>,
  share: number,
): string | undefined {
  const isBilled = member === 'billRateUsdHour';
  const figures = isYearly(member) ? salaries?.map((figure) => figure && Math.round(figure * share)) : rates;
  const [least, most] = figures ?? [];
  if (least != null && amount < least)
    return `below the 10th percentile${isBilled ? ' of pay' : ''} (${formatUsd(least)})`;
  if (most != null && amount > most && !isBilled) return `above the 90th percentile (${formatUsd(most)})`;
  return undefined;
}

/**
 * Advises of each amount that reads as one of the other unit, or that is outside the usual pay of its occupation. The
 * usual salary of part time is that share of a full-time one. `hasSalary`: the kind has members for a year's pay.
 */
export function warnOfUnusualPay(
  record: StoredRecord,
  { occupationByCode }: OccupationService,
  { hasSalary = true } = {},
): Warning[] {
  const { onetCode, hoursPerWeek = fullTimeHours, ...paid } = record as PaidRecord;
  const share = Math.min(1, hoursPerWeek / fullTimeHours);
  const occupation = occupationByCode.get(onetCode) ?? {};
  return (Object.keys(otherUnits) as PayMember[]).flatMap((path): Warning[] => {
    const amount = paid[path];
    if (amount === undefined) return [];
    const otherUnit = explainOtherUnit(path, amount, hasSalary);
    if (otherUnit) return [{ code: 'unusual_rate', path, message: otherUnit, advice: true }];
    const uncommon = explainUncommon(path, amount, occupation, share);
    if (!uncommon) return [];
    const message = `is ${uncommon} for ${onetCode}; see its pay`;
    return [{ code: 'unusual_rate', path, message, advice: true }];
  });
}
