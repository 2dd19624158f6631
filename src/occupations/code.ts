import * as v from 'valibot';
import { type Issue, toExcerpt } from '../kernel/envelope.ts';
import { toFilter } from '../kernel/page.ts';
import type { Service } from '../kernel/service.ts';
import { OnetCode } from './occupation.ts';
import type { Search } from './titles/search.ts';

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

const mostNamed = 3;
const path = 'onetCode';

/**
 * An issue where the code is none of O*NET-SOC 2019: it names what took the place of one that is gone, what a search
 * finds for a title, else the nearest codes.
 */
export function checkCode(
  args: Readonly<Record<string, unknown>>,
  service: Service,
): Issue[] | Promise<Issue[]> {
  const { onetCode } = args;
  if (typeof onetCode !== 'string') return [];
  const sent = onetCode.trim();
  if (service.occupationByCode.has(sent)) return [];
  const succession = toSuccession(sent, service);
  if (succession) return [{ path, message: succession }];
  const search = /[a-z]{2}/i.test(sent) ? service.search() : undefined;
  const toIssues = (found: Search): Issue[] => {
    const codes = found(sent).hits.slice(0, mostNamed);
    if (codes.length === 0) return toUnknown(sent, service);
    const named = toNamed(
      codes.map(({ id }) => id),
      service,
    );
    return [{ path, message: `is a code, not a title; for "${toExcerpt(sent)}" send one of ${named}` }];
  };
  if (!search) return toUnknown(sent, service);
  return search instanceof Promise ? search.then(toIssues) : toIssues(search);
}

function toUnknown(sent: string, service: Service): Issue[] {
  const codes = service.catalogue.occupations.map(({ id }) => id);
  const near = toNearest(sent, codes).join(', ');
  const message = `is not an O*NET-SOC 2019 code; the nearest are ${near}. Find one by job title at /occupations?q=`;
  return [{ path, message }];
}

/** `occupation`: a whole O*NET-SOC code, a six-digit SOC code, or a two-digit major group. */
export const occupationFilter = toFilter(
  'Occupation',
  'O*NET-SOC code (15-1252.00), SOC code (15-1252) or SOC major group (15).',
);

/** Which records' codes fall under the `occupation` filter; all where there is none. */
export function toUnder(sent: string | undefined): (code: string) => boolean {
  const filter = sent?.trim();
  if (filter === undefined) return () => true;
  if (!/^\d{2}(-\d{4}(\.\d{2})?)?$/.test(filter)) return () => false;
  const beginning = filter.length === 2 ? `${filter}-` : `${filter}.`;
  return (code) => code === filter || code.startsWith(beginning);
}

/** Codes of O*NET-SOC 2010 that O*NET-SOC 2019 has no more, and what took their place: content/successors.json. */
export const Successors = v.record(
  OnetCode,
  v.strictObject({ title: v.string(), codes: v.pipe(v.array(OnetCode), v.minLength(1)) }),
);

declare module '../kernel/service.ts' {
  interface Catalogue {
    successors: v.InferOutput<typeof Successors>;
  }
}

/** Codes with their titles, as a sentence lists them. */
export function toNamed(codes: readonly string[], { occupationByCode }: Service): string {
  return codes.map((code) => `${code} (${occupationByCode.get(code)?.title})`).join(', ');
}

/** What took the place of a code of 2010 that is gone, in words; undefined for any other text. */
export function toSuccession(code: string, service: Service): string | undefined {
  const { successors } = service.catalogue;
  if (!Object.hasOwn(successors, code)) return undefined;
  const { title, codes } = successors[code]!;
  return `${code} (${title}) is a code of O*NET-SOC 2010 that is gone; use ${toNamed(codes, service)}`;
}
