import type { Call } from './call.ts';
import { usualBody } from './operation.ts';

const recordsOfCall = 10;

/** How many calls a body counts as in the rate limit: one for each 64 KiB begun. */
export const weighBody = ({ body }: Pick<Call, 'body'>): number =>
  Math.max(1, Math.ceil(body.length / usualBody));

/**
 * Counts a call by the records that it brings: as one call for each ten begun. Its body is counted already. Throws the
 * Refusal `rate_limited`.
 */
export async function weighRecords(call: Call, count: number): Promise<void> {
  const more = Math.ceil(count / recordsOfCall) - weighBody(call);
  if (more > 0) await call.weigh?.(more);
}
