import { type MonthlyCalls, noCalls } from '../workspace/charge.ts';
import type { Head } from '../workspace/head.ts';

/** The members of a head that a store keeps as one text. Key, hash and charges are stored separately. */
type KeptHead = Omit<Head, 'key' | 'hash' | 'used'>;

export function encodeHead(head: Head): string {
  const { key, hash, used, ...kept } = head;
  return JSON.stringify(kept satisfies KeptHead);
}

export const decodeHead = (key: string, hash: string, text: string, used: MonthlyCalls): Head => ({
  ...(JSON.parse(text) as KeptHead),
  key,
  hash,
  used,
});

/** Encodes the charges as JSON, or as an empty text if nothing was charged. */
export const encodeUsed = (used: MonthlyCalls): string => (used.period ? JSON.stringify(used) : '');

export const decodeUsed = (text: string): MonthlyCalls =>
  text ? (JSON.parse(text) as MonthlyCalls) : noCalls;
