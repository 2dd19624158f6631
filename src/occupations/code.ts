import * as v from 'valibot';
import type { Call } from '../kernel/call.ts';
import { type Issue, toExcerpt } from '../kernel/envelope.ts';
import { toFilter } from '../kernel/page.ts';
import type { Service } from '../kernel/service.ts';
import { OnetCode } from './occupation.ts';

const mostNamed = 3;

/** The codes nearest to `sent`, as a sentence lists them: the last before it in the order of codes, and those after. */
export function toNearest(sent: string, { catalogue }: Service): string {
  const codes = catalogue.occupations.map(({ id }) => id);
  const before = codes.filter((code) => code < sent).length - 1;
  const first = Math.min(Math.max(0, before), codes.length - mostNamed);
  return codes.slice(first, first + mostNamed).join(', ');
}

/** What to send instead of a job title: the codes that a search finds, if any. */
async function toTitleAdvice(sent: string, service: Service, call: Call): Promise<string | undefined> {
  if (!/[a-z]{2}/i.test(sent)) return undefined;
  const search = await service.search(call.client);
  const codes = search(sent)
    .hits.slice(0, mostNamed)
    .map(({ id }) => id);
  if (codes.length === 0) return undefined;
  return `is a code, not a title; for "${toExcerpt(sent)}" send one of ${toNamed(codes, service)}`;
}

async function toWrongCode(sent: string, service: Service, call: Call): Promise<Issue[]> {
  const message =
    toSuccession(sent, service) ??
    (await toTitleAdvice(sent, service, call)) ??
    `is not an O*NET-SOC 2019 code; the nearest are ${toNearest(sent, service)}. Find one by job title at /occupations?q=`;
  return [{ path: 'onetCode', message }];
}

type WithCode = Readonly<Record<string, unknown>>;

/** Whether a record has a text as its code that is no code of O*NET-SOC 2019. */
export const hasWrongCode = ({ onetCode }: WithCode, { occupationByCode }: Service): boolean =>
  typeof onetCode === 'string' && !occupationByCode.has(onetCode.trim());

/** Returns an issue if the code is wrong. It names the successors, what a search finds, or the nearest codes. */
export function checkCode(record: WithCode, service: Service, call: Call): Issue[] | Promise<Issue[]> {
  if (!hasWrongCode(record, service)) return [];
  return toWrongCode((record.onetCode as string).trim(), service, call);
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
function toNamed(codes: readonly string[], { occupationByCode }: Service): string {
  return codes.map((code) => `${code} (${occupationByCode.get(code)?.title})`).join(', ');
}

/** What took the place of a code of 2010 that is gone, in words; undefined for any other text. */
export function toSuccession(code: string, service: Service): string | undefined {
  const { successors } = service.catalogue;
  if (!Object.hasOwn(successors, code)) return undefined;
  const { title, codes } = successors[code]!;
  return `${code} (${title}) is a code of O*NET-SOC 2010 that is gone; use ${toNamed(codes, service)}`;
}
