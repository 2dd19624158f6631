import * as v from 'valibot';
import type { Call } from '../kernel/call.ts';
import { cutExcerpt, type WordedIssue } from '../kernel/envelope.ts';
import { filterSchema } from '../kernel/page.ts';
import { oneStep } from '../kernel/steps.ts';
import { trimText } from '../kernel/text.ts';
import { compose } from '../kernel/wording.ts';
import { OnetCode } from './occupation.ts';
import type { OccupationService } from './service.ts';
import type { SearchResult } from './titles/search.ts';

const mostNamed = 3;
const mostMeant = 5;

/** A code in any form: two digits, four, and one or two more if any, with or without separators. */
const anyForm = /^(\d{2})[-\s.]?(\d{4})(?:[.\s-]?(\d{1,2}))?$/;

/**
 * Returns a code in the form of O*NET-SOC: `151252.00` becomes `15-1252.00`, and `15.1252` becomes `15-1252`.
 * Returns a text of another form trimmed, but otherwise unchanged.
 */
export function normaliseCode(sent: string): string {
  const text = trimText(sent);
  const [, major, minor, detail] = anyForm.exec(text) ?? [];
  if (major === undefined) return text;
  return detail === undefined ? `${major}-${minor}` : `${major}-${minor}.${detail.padEnd(2, '0')}`;
}

/** Lists the three codes nearest to `sent` in the order of codes, for a sentence. */
export function formatNearestCodes(sent: string, { catalogue }: OccupationService): string {
  const codes = catalogue.occupations.map(({ id }) => id);
  const before = codes.filter((code) => code < sent).length - 1;
  const first = Math.min(Math.max(0, before), codes.length - mostNamed);
  return codes.slice(first, first + mostNamed).join(', ');
}

/**
 * Returns the codes that `sent` may mean if it is in another form, likeliest first. `29-1141` means 29-1141.00, then
 * the other codes under it. Returns an empty list if O*NET-SOC 2019 has no such code.
 */
function findIntendedCodes(sent: string, { catalogue, occupationByCode }: OccupationService): string[] {
  const code = normaliseCode(sent);
  if (occupationByCode.has(code)) return [code];
  if (!/^\d{2}-\d{4}$/.test(code)) return [];
  return catalogue.occupations.map(({ id }) => id).filter((id) => id.startsWith(`${code}.`));
}

/** Searches by a title, in the turn of its client. */
export async function searchInTurn(
  title: string,
  service: OccupationService,
  { client }: Pick<Call, 'client'>,
): Promise<SearchResult> {
  const search = await service.search();
  return service.platform.runSteps(
    oneStep(() => search(title)),
    { client, operation: 'search' },
  );
}

/** Says which codes to send instead of a job title, or returns undefined if a search finds none. */
async function suggestByTitle(
  sent: string,
  service: OccupationService,
  call: Call,
): Promise<string | undefined> {
  if (!/[a-z]{2}/i.test(sent)) return undefined;
  const { hits } = await searchInTurn(sent, service, call);
  const codes = hits.slice(0, mostNamed).map(({ id }) => id);
  if (codes.length === 0) return undefined;
  return `is a code, not a title; for "${cutExcerpt(sent)}" send one of ${formatCodes(codes, service)}`;
}

/** Says what to send instead if O*NET-SOC 2019 has the code in another form. Returns undefined otherwise. */
function suggestWholeCode(sent: string, service: OccupationService): string | undefined {
  if (service.occupationByCode.has(trimText(sent))) return undefined;
  const [first, ...others] = findIntendedCodes(sent, service).slice(0, mostMeant);
  if (first === undefined) return undefined;
  const or = others.length === 0 ? '' : `. Under it are also ${formatCodes(others, service)}`;
  return `"${cutExcerpt(sent)}" is not a whole O*NET-SOC code; send ${formatCodes([first], service)}${or}`;
}

/** Says what to send instead of a code in another form, or of 2010. Returns undefined for any other text. */
export const suggestCode = (sent: string, service: OccupationService): string | undefined =>
  suggestWholeCode(sent, service) ?? suggestSuccessors(sent, service);

const searchPart = { http: '/occupations?q=', operation: 'listOccupations', argument: 'q' };

/**
 * Explains what to send instead of a text that is not a code of O*NET-SOC 2019. In this order: the code that was meant,
 * the successors of a code of 2010, the codes that a search finds, or the nearest codes.
 */
async function explainWrongCode(
  sent: string,
  service: OccupationService,
  call: Call,
): Promise<WordedIssue[]> {
  const message =
    suggestCode(sent, service) ??
    (await suggestByTitle(sent, service, call)) ??
    compose`is not an O*NET-SOC 2019 code; the nearest are ${formatNearestCodes(normaliseCode(sent), service)}. Find one by job title at ${searchPart}`;
  return [{ path: 'onetCode', message }];
}

type WithCode = Readonly<Record<string, unknown>>;

/** Whether a record's code is a text that is not a code of O*NET-SOC 2019. */
const hasWrongCode = ({ onetCode }: WithCode, { occupationByCode }: OccupationService): boolean =>
  typeof onetCode === 'string' && !occupationByCode.has(trimText(onetCode));

/** Returns an issue that says what to send instead, if the code is not of O*NET-SOC 2019. */
export function checkCode(
  record: WithCode,
  service: OccupationService,
  call: Call,
): WordedIssue[] | Promise<WordedIssue[]> {
  if (!hasWrongCode(record, service)) return [];
  return explainWrongCode(trimText(record.onetCode as string), service, call);
}

/** `occupation`: a whole O*NET-SOC code, a six-digit SOC code, or a two-digit major group. */
export const occupationFilter = filterSchema(
  'Occupation',
  'O*NET-SOC code (15-1252.00), SOC code or major group (15).',
);

/** Creates a predicate for codes under the `occupation` filter. Without a filter it accepts every code. */
export function createCodeFilter(sent: string | undefined): (code: string) => boolean {
  const filter = sent === undefined ? undefined : trimText(sent);
  if (filter === undefined) return () => true;
  if (!/^\d{2}(-\d{4}(\.\d{2})?)?$/.test(filter)) return () => false;
  const beginning = filter.length === 2 ? `${filter}-` : `${filter}.`;
  return (code) => code === filter || code.startsWith(beginning);
}

/** Says what to send instead of an `occupation` filter that matches no code, or returns undefined. */
export function suggestFilter(sent: string, service: OccupationService): string | undefined {
  const isUnder = createCodeFilter(sent);
  const isKnown = service.catalogue.occupations.some(({ id }) => isUnder(id));
  return isKnown ? undefined : suggestCode(sent, service);
}

/** The form of content/successors.json: retired codes of O*NET-SOC 2010, and the codes of 2019 that replace them. */
export const Successors = v.record(
  OnetCode,
  v.strictObject({ title: v.string(), codes: v.pipe(v.array(OnetCode), v.minLength(1)) }),
);

/** Lists codes with their titles, for a sentence. */
function formatCodes(codes: readonly string[], { occupationByCode }: OccupationService): string {
  return codes.map((code) => `${code} (${occupationByCode.get(code)?.title})`).join(', ');
}

/** Returns the retired codes of 2010 that are `code`, or are under it if it is a SOC code. */
function findRetiredCodes(code: string, { catalogue }: OccupationService) {
  const { successors } = catalogue;
  if (Object.hasOwn(successors, code)) return [[code, successors[code]!] as const];
  if (!/^\d{2}-\d{4}$/.test(code)) return [];
  return Object.entries(successors).filter(([retiredCode]) => retiredCode.startsWith(`${code}.`));
}

/**
 * Says which codes replace a retired code of 2010. `15-1132`, `151132` and `15-1132.00` are the same code.
 * Returns undefined for any other text, and for a SOC code that still has occupations under it.
 */
function suggestSuccessors(sent: string, service: OccupationService): string | undefined {
  const code = normaliseCode(sent);
  const retired = findRetiredCodes(code, service);
  if (retired.length === 0 || findIntendedCodes(code, service).length > 0) return undefined;
  const codes = [...new Set(retired.flatMap(([, successor]) => successor.codes))];
  const titles = [...new Set(retired.map(([, { title }]) => title))].slice(0, mostNamed).join('; ');
  return `${code} (${titles}) is a code of O*NET-SOC 2010 that is gone; use ${formatCodes(codes, service)}`;
}

export const toOccupationHref = (code: string) => `/occupations/${code}`;
