import * as v from 'valibot';
import { largestBody, usualBody } from '../kernel/effect.ts';
import type { Settings } from '../kernel/service.ts';
import { bytesPerRecord } from './workspace-state.ts';

/** Records of a batch at most. */
export const mostRecords = 200;

const Count = v.pipe(v.number(), v.integer());

/** What can refuse a call, but for the price of it. */
export const Ceilings = v.object({
  records: v.pipe(Count, v.description('Records that it may hold.')),
  bytes: v.pipe(Count, v.description('Bytes of JSON that they and kept replies may take.')),
  batch: v.pipe(Count, v.description('Records of a batch.')),
  body: v.pipe(Count, v.description('Bytes of a body.')),
  batchBody: v.pipe(Count, v.description('Bytes of the body of a batch.')),
  rates: v.optional(
    v.pipe(
      v.object({
        live: v.pipe(Count, v.description('Live answers a minute.')),
        mint: v.pipe(Count, v.description('New workspaces a minute.')),
      }),
      v.description('Live answers, and new workspaces, a minute for one address; absent where not limited.'),
    ),
  ),
});

/** All that a workspace for so many records can be refused for. */
export function toCeilingsOf(records: number, { rates }: Pick<Settings, 'rates'>) {
  const bytes = records * bytesPerRecord;
  return {
    records,
    bytes,
    batch: mostRecords,
    body: usualBody,
    batchBody: largestBody,
    ...(rates && { rates }),
  };
}
