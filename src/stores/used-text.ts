import type { Used } from '../records/store.ts';
import { unused } from './decided.ts';

/** Counts as a short text: each name, which is no number and has no space, and its count where that is not 1. */
export const toCountsText = (counts: Used['calls']): string =>
  Object.entries(counts)
    .map(([name, count]) => (count === 1 ? name : `${name} ${count}`))
    .join(' ');

const isNumber = /^-?\d/;

function toCounts(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [at, word] of words.entries()) {
    const next = words[at + 1] ?? '';
    if (word && !isNumber.test(word)) counts[word] = isNumber.test(next) ? Number(next) : 1;
  }
  return counts;
}

/** Reads that text, or the JSON that was kept before it. */
export const fromCountsText = (text: string): Record<string, number> =>
  text.startsWith('{') ? JSON.parse(text) : toCounts(text.split(' '));

/** What was used as a short text: the month, then each operation and its calls; empty where nothing was. */
export const toUsedText = ({ period, calls }: Used): string => period && `${period} ${toCountsText(calls)}`;

/** Reads that text, or the JSON that was kept before it: an object, or a list of the month and the calls. */
export function fromUsedText(text: string | null): Used {
  if (!text) return unused;
  if (text.startsWith('{')) return JSON.parse(text);
  if (text.startsWith('[')) {
    const [period, calls] = JSON.parse(text) as [string, Used['calls']];
    return { period, calls };
  }
  const [period = '', ...rest] = text.split(' ');
  return { period, calls: toCounts(rest) };
}
