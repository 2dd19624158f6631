import type { Warning } from '../kernel/envelope.ts';

/** What the client is billed and what is paid, in US dollars an hour. */
export interface Rates {
  billRateUsdHour?: number | undefined;
  payRateUsdHour?: number | undefined;
}

/** Advises if the bill rate is below the pay rate. `path` is the member that the advice names. */
export function warnOfMargin({ billRateUsdHour: bill, payRateUsdHour: pay }: Rates, path: string): Warning[] {
  if (bill === undefined || pay === undefined || bill >= pay) return [];
  const message = `leaves a negative margin: $${bill} is billed and $${pay} is paid an hour`;
  return [{ code: 'negative_margin', path, message, advice: true }];
}
