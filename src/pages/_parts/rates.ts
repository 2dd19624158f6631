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
