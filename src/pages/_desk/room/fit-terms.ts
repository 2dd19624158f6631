import type { FitTerm } from '../../_fit/fit-row.ts';
import { dayFromNow, formatDay, formatRate } from '../../_scripts/format.ts';
import { formatMoment } from '../common/age.ts';
import type { Fit } from './fits.ts';

/** Says what a person asks and the most that the order pays. */
function describePay({ match, person }: Fit): FitTerm {
  const { pay } = match ?? {};
  if (pay) {
    const value = formatRate(pay.asks, pay.per);
    const note = `of ${formatRate(pay.most, pay.per)}`;
    return { label: 'Pay', value, note, ...(pay.asks > pay.most && { tone: 'is-blocked' as const }) };
  }
  const { payRateUsdHour, salaryUsdYear } = person;
  if (payRateUsdHour !== undefined) return { label: 'Pay', value: formatRate(payRateUsdHour, 'hour') };
  if (salaryUsdYear !== undefined) return { label: 'Pay', value: formatRate(salaryUsdYear, 'year') };
  return { label: 'Pay', value: 'not stated' };
}

/** Says from when a person is free. A person who states nothing and whom nothing holds may be free. */
function describeFree({ match, person: { freeFrom }, order }: Fit): FitTerm {
  const label = 'Free from';
  const isUnknown = match?.unknown.some((text) => text.startsWith('availability')) ?? false;
  if (freeFrom === null) return { label, value: 'not known', tone: 'is-offer' };
  if (isUnknown || freeFrom === undefined) return { label, value: 'not stated' };
  const isLate = order.startDate !== undefined && freeFrom > order.startDate;
  const value = freeFrom <= dayFromNow() ? 'now' : formatDay(freeFrom);
  return { label, value, ...(isLate && { tone: 'is-blocked' as const }) };
}

/** Says who proposed a person and when. */
function describeProposer({ proposer, placement }: Fit): FitTerm[] {
  if (!placement) return [];
  const { createdAt } = placement;
  const note = createdAt === undefined ? '' : formatMoment(createdAt);
  return [{ label: 'Proposed by', value: proposer?.name ?? 'not known', ...(note && { note }) }];
}

/** Lists the terms of a person for an order: the pay, from when they are free, and who proposed them. */
export const listPersonTerms = (fit: Fit): FitTerm[] => [
  describePay(fit),
  describeFree(fit),
  ...describeProposer(fit),
];

/** Lists the terms of an order for a person: the pay, the start, and who proposed it. */
export function listOrderTerms(fit: Fit): FitTerm[] {
  const { startDate } = fit.order;
  const start: FitTerm = { label: 'Starts', value: startDate ? formatDay(startDate) : 'not stated' };
  return [describePay(fit), start, ...describeProposer(fit)];
}
