import { service } from './ask.ts';
import { contractOperations } from './contract.ts';

const { meter, catalogue } = service;

/** The rate card with what each operation does. */
export const rateRows = (catalogue.pricing.rates ?? []).map((row) => ({
  ...row,
  summary: contractOperations.find(({ operationId }) => operationId === row.operation)?.summary ?? '',
}));

/** The rates that are metered, by operation. */
export const pricedRates = [...meter.rates];

/** The rows that cost nothing. */
export const freeRates = rateRows.filter(({ operation }) => !meter.rates.has(operation));
