import { toCountedRates } from '../_scripts/cost.ts';
import { service } from './ask.ts';
import { contractOperations } from './contract.ts';

const { pricing } = service.catalogue;

/** The rate card with what each operation does. */
export const rateRows = (pricing.rates ?? []).map((row) => ({
  ...row,
  summary: contractOperations.find(({ operationId }) => operationId === row.operation)?.summary ?? '',
}));

/** The rows that cost something for each call. */
export const pricedRates = toCountedRates(pricing.rates ?? []).filter(({ price }) => price > 0);

/** The rows that cost nothing. */
export const freeRates = rateRows.filter(({ price }) => price === 0);

/** What is included before a price counts, in words. */
export function toIncludedText(included: (typeof rateRows)[number]['included']): string {
  if (included === undefined) return '';
  if (included === 'unlimited') return 'unlimited';
  if (typeof included === 'number') return `${included} a month`;
  const { qty, period = 'month' } = included;
  return period === 'once' ? `${qty} once` : `${qty} a ${period}`;
}
