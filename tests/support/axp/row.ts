import type { Visit } from './visit.ts';
import type { Seen } from './wire.ts';

/** Why a row fails, or undefined where it passes. */
export type Verdict = string | undefined;

/** One thing that is judged. */
export interface Row {
  id: string;
  check(visit: Visit): Verdict | Promise<Verdict>;
}

export const isOk = ({ status }: Seen) => status !== null && status >= 200 && status < 300;

/** The judge's own test of HTML: how it begins, or a tag near the top. */
export function isHtml({ text }: Seen): boolean {
  return /^\s*(<!doctype html|<html|<head|<body)/i.test(text) || /<html[\s>]/i.test(text.slice(0, 1024));
}

export const isHtmlFace = (seen: Seen) => isOk(seen) && isHtml(seen);
export const isJsonFace = (seen: Seen) => isOk(seen) && seen.type.includes('json') && seen.body !== undefined;
export const isMarkdownFace = (seen: Seen) => isOk(seen) && !isHtml(seen) && seen.type.includes('markdown');

/** What came, in words. */
export function tell({ url, status, type, text }: Seen): string {
  return `${new URL(url).pathname}${new URL(url).search} answered ${status} ${type} ${text.slice(0, 120)}`;
}

/** The first verdict that is a reason. */
export function firstOf(verdicts: readonly Verdict[]): Verdict {
  return verdicts.find((verdict) => verdict !== undefined);
}

/** The first of `items` that fails, told by `check`; each is awaited before the next. */
export async function firstFailing<T>(
  items: readonly T[],
  check: (item: T) => Verdict | Promise<Verdict>,
): Promise<Verdict> {
  for (const item of items) {
    const verdict = await check(item);
    if (verdict !== undefined) return verdict;
  }
  return undefined;
}
