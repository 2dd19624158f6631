import * as v from 'valibot';
import type { Call } from '../kernel/call.ts';
import { cutExcerpt, type Issue } from '../kernel/envelope.ts';
import { filterSchema } from '../kernel/page.ts';
import { OnetCode } from './occupation.ts';
import type { OccupationService } from './service.ts';

const mostNamed = 3;
const mostMeant = 5;

/** A code in any form: two digits, four, and two more, with or without what stands between them. */
const anyForm = /^(\d{2})[-\s.]?(\d{4})(?:[.\s-]?(\d{1,2}))?$/;

/**
 * Returns a code as O*NET-SOC writes it: `151252.00`, `15.1252` and `15-1252.0` are `15-1252.00` or `15-1252`. A text of
 * another form is returned as it is, without outer spaces.
 */
export function normaliseCode(sent: string): string {
  const text = sent.trim();
  const [, major, minor, detail] = anyForm.exec(text) ?? [];
  if (major === undefined) return text;
  return detail === undefined ? `${major}-${minor}` : `${major}-${minor}.${detail.padEnd(2, '0')}`;
}

/** The codes nearest to `sent`, as a sentence lists them: the last before it in the order of codes, and those after. */
export function formatNearestCodes(sent: string, { catalogue }: OccupationService): string {
  const codes = catalogue.occupations.map(({ id }) => id);
  const before = codes.filter((code) => code < sent).length - 1;
  const first = Math.min(Math.max(0, before), codes.length - mostNamed);
  return codes.slice(first, first + mostNamed).join(', ');
}

/**
 * The codes that somebody meant who wrote one in another form, the likeliest first: `29-1141` is 29-1141.00, and then
 * the other codes under it. Empty if no code of O*NET-SOC 2019 is.
 */
function findIntendedCodes(sent: string, { catalogue, occupationByCode }: OccupationService): string[] {
  const code = normaliseCode(sent);
  if (occupationByCode.has(code)) return [code];
  if (!/^\d{2}-\d{4}$/.test(code)) return [];
  return catalogue.occupations.map(({ id }) => id).filter((id) => id.startsWith(`${code}.`));
}

/** What to send instead of a job title: the codes that a search finds, if any. */
async function suggestByTitle(
  sent: string,
  service: OccupationService,
  call: Call,
): Promise<string | undefined> {
  if (!/[a-z]{2}/i.test(sent)) return undefined;
  const search = await service.search(call.client);
  const codes = search(sent)
    .hits.slice(0, mostNamed)
    .map(({ id }) => id);
  if (codes.length === 0) return undefined;
  return `is a code, not a title; for "${cutExcerpt(sent)}" send one of ${formatCodes(codes, service)}`;
}

/** What to send instead of a code that O*NET-SOC 2019 has in another form, or undefined. */
function suggestWholeCode(sent: string, service: OccupationService): string | undefined {
  if (service.occupationByCode.has(sent.trim())) return undefined;
  const [first, ...others] = findIntendedCodes(sent, service).slice(0, mostMeant);
  if (first === undefined) return undefined;
  const or = others.length === 0 ? '' : `. Under it are also ${formatCodes(others, service)}`;
  return `"${cutExcerpt(sent)}" is not a whole O*NET-SOC code; send ${formatCodes([first], service)}${or}`;
}

/** What to send instead of a code in another form, or of one of 2010; undefined for any other text. */
export const suggestCode = (sent: string, service: OccupationService): string | undefined =>
  suggestWholeCode(sent, service) ?? suggestSuccessors(sent, service);

/**
 * What is wrong with `sent`, which is no code of O*NET-SOC 2019, and what to send instead: the code that was meant, the
 * successors of one of 2010, what a search finds, or the nearest.
 */
async function explainWrongCode(sent: string, service: OccupationService, call: Call): Promise<Issue[]> {
  const message =
    suggestCode(sent, service) ??
    (await suggestByTitle(sent, service, call)) ??
    `is not an O*NET-SOC 2019 code; the nearest are ${formatNearestCodes(normaliseCode(sent), service)}. Find one by job title at /occupations?q=`;
  return [{ path: 'onetCode', message }];
}

type WithCode = Readonly<Record<string, unknown>>;

/** Whether a record has a text as its code that is no code of O*NET-SOC 2019. */
export const hasWrongCode = ({ onetCode }: WithCode, { occupationByCode }: OccupationService): boolean =>
  typeof onetCode === 'string' && !occupationByCode.has(onetCode.trim());

/** Returns an issue with what to send instead, if the code is not of O*NET-SOC 2019. */
export function checkCode(
  record: WithCode,
  service: OccupationService,
  call: Call,
): Issue[] | Promise<Issue[]> {
  if (!hasWrongCode(record, service)) return [];
  return explainWrongCode((record.onetCode as string).trim(), service, call);
}

/** `occupation`: a whole O*NET-SOC code, a six-digit SOC code, or a two-digit major group. */
export const occupationFilter = filterSchema(
  'Occupation',
  'O*NET-SOC code (15-1252.00), SOC code (15-1252) or SOC major group (15).',
);

/** Which records' codes fall under the `occupation` filter; all where there is none. */
export function createCodeFilter(sent: string | undefined): (code: string) => boolean {
  const filter = sent?.trim();
  if (filter === undefined) return () => true;
  if (!/^\d{2}(-\d{4}(\.\d{2})?)?$/.test(filter)) return () => false;
  const beginning = filter.length === 2 ? `${filter}-` : `${filter}.`;
  return (code) => code === filter || code.startsWith(beginning);
}

/** What to send instead of an `occupation` that nothing falls under; undefined if something does, or for other text. */
export function suggestFilter(sent: string, service: OccupationService): string | undefined {
  const isUnder = createCodeFilter(sent);
  const isKnown = service.catalogue.occupations.some(({ id }) => isUnder(id));
  return isKnown ? undefined : suggestCode(sent, service);
}

/** Codes of O*NET-SOC 2010 that O*NET-SOC 2019 has no more, and what took their place: content/successors.json. */
export const Successors = v.record(
  OnetCode,
  v.strictObject({ title: v.string(), codes: v.pipe(v.array(OnetCode), v.minLength(1)) }),
);

/** Codes with their titles, as a sentence lists them. */
function formatCodes(codes: readonly string[], { occupationByCode }: OccupationService): string {
  return codes.map((code) => `${code} (${occupationByCode.get(code)?.title})`).join(', ');
}

/** The codes of 2010 that are gone and that `code` is, or has under it as a SOC code. */
function findRetiredCodes(code: string, { catalogue }: OccupationService) {
  const { successors } = catalogue;
  if (Object.hasOwn(successors, code)) return [[code, successors[code]!] as const];
  if (!/^\d{2}-\d{4}$/.test(code)) return [];
  return Object.entries(successors).filter(([gone]) => gone.startsWith(`${code}.`));
}

/**
 * What took the place of a code of 2010 that is gone, in words; undefined for any other text. `15-1132`, `151132` and
 * `15-1132.00` are the same. A SOC code that still has occupations under it is not gone.
 */
function suggestSuccessors(sent: string, service: OccupationService): string | undefined {
  const code = normaliseCode(sent);
  const gone = findRetiredCodes(code, service);
  if (gone.length === 0 || findIntendedCodes(code, service).length > 0) return undefined;
  const codes = [...new Set(gone.flatMap(([, one]) => one.codes))];
  const titles = [...new Set(gone.map(([, { title }]) => title))].slice(0, mostNamed).join('; ');
  return `${code} (${titles}) is a code of O*NET-SOC 2010 that is gone; use ${formatCodes(codes, service)}`;
}
