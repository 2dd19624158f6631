import type { Warning } from '../kernel/envelope.ts';

/** What the client is billed and what is paid, in US dollars an hour. */
export interface Rates {
  billRateUsdHour?: number | undefined;
  payRateUsdHour?: number | undefined;
  payRateMaxUsdHour?: number | undefined;
}

/**
 * Advises if the bill rate is below the pay rate, or below the most that may be paid. `path` is the member that the
 * advice names.
 */
export function warnOfMargin(
  { billRateUsdHour: bill, payRateUsdHour: pay, payRateMaxUsdHour: most }: Rates,
  path: string,
): Warning[] {
  if (bill === undefined) return [];
  const warn = (paid: string): Warning[] => {
    const message = `leaves a negative margin: $${bill} is billed and ${paid} an hour`;
    return [{ code: 'negative_margin', path, message, advice: true }];
  };
  if (pay !== undefined && bill < pay) return warn(`$${pay} is paid`);
  if (most !== undefined && bill < most) return warn(`up to $${most} is paid`);
  return [];
}
