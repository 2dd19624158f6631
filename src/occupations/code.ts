import type { Issue } from '../kernel/envelope.ts';
import { toFilter } from '../kernel/page.ts';
import type { Service } from '../kernel/service.ts';

function sharedPrefix(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}

/** Characters that are compared: more than a code has. */
const longest = 20;

/** The `count` codes that share the longest beginning with `sent`, the numerically closest first. */
export function toNearest(sent: string, codes: readonly string[], count = 3): string[] {
  const text = sent.slice(0, longest);
  const digits = Number(text.replace(/\D/g, '').padEnd(8, '0').slice(0, 8));
  return codes
    .map((code) => ({
      code,
      prefix: sharedPrefix(code, text),
      distance: Math.abs(Number(code.replace(/\D/g, '')) - digits),
    }))
    .sort((a, b) => b.prefix - a.prefix || a.distance - b.distance || (a.code < b.code ? -1 : 1))
    .slice(0, count)
    .map(({ code }) => code);
}

/** An issue where the code is none of O*NET-SOC 2019, naming the nearest that are. */
export function checkCode(args: Readonly<Record<string, unknown>>, service: Service): Issue[] {
  const { onetCode } = args;
  if (typeof onetCode !== 'string' || service.occupationByCode.has(onetCode)) return [];
  const codes = service.catalogue.occupations.map(({ id }) => id);
  const near = toNearest(onetCode, codes).join(', ');
  const message = `is not an O*NET-SOC 2019 code; the nearest are ${near}. Find one by job title at /occupations?q=`;
  return [{ path: 'onetCode', message }];
}

/** `occupation`: a whole O*NET-SOC code, a six-digit SOC code, or a two-digit major group. */
export const occupationFilter = toFilter(
  'Occupation',
  'O*NET-SOC code (15-1252.00), SOC code (15-1252) or SOC major group (15).',
);

/** Which records' codes fall under the `occupation` filter; all where there is none. */
export function toUnder(filter: string | undefined): (code: string) => boolean {
  if (filter === undefined) return () => true;
  if (!/^\d{2}(-\d{4}(\.\d{2})?)?$/.test(filter)) return () => false;
  const beginning = filter.length === 2 ? `${filter}-` : `${filter}.`;
  return (code) => code === filter || code.startsWith(beginning);
}
