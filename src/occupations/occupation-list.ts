import * as v from 'valibot';
import type { Call } from '../kernel/call.ts';
import { Json } from '../kernel/json.ts';
import type { OperationReply } from '../kernel/operation.ts';
import {
  createListReply,
  cutPage,
  decodeCursor,
  defaultLimit,
  filterSchema,
  pageSchema,
  paging,
  pickPage,
} from '../kernel/page.ts';
import { mayNamed, say, trimmed, wholeSchema } from '../kernel/text.ts';
import { createCodeFilter, normaliseCode, searchInTurn, suggestFilter } from './code.ts';
import { firstHit, type OccupationEntry, OccupationRow } from './occupation.ts';
import type { OccupationService } from './service.ts';
import type { Summaries } from './summaries.ts';
import type { SearchHit, SearchResult } from './titles/search.ts';

export const ListQuery = v.object({
  q: filterSchema(
    'Job title',
    'A job title in plain words, such as "android developer"; the best match comes first.',
  ),
  majorGroup: mayNamed(
    v.pipe(v.string('must be a string'), trimmed(), v.regex(/^\d{2}$/, 'must be two digits, such as 15')),
    'Major group',
    'SOC major group, two digits.',
  ),
  jobZone: v.optional(wholeSchema(1, 5, 'Job zone', 'Preparation needed: 1 (little) to 5 (extensive).')),
  ...paging,
});

/** A whole O*NET-SOC code or a six-digit SOC code. Agents send these in `q` as well as job titles. */
export const codeShape = /^\d{2}-\d{4}(\.\d{2})?$/;

export function findUnderCode(q: string, { catalogue }: OccupationService) {
  const isUnder = createCodeFilter(normaliseCode(q));
  return catalogue.occupations.filter(({ id }) => isUnder(id));
}

const listed = {
  path: '/occupations',
  member: 'occupations',
  explainNone: () =>
    'No occupation matches. The search reads English and common Spanish job words. Try other or fewer words in q, a two-digit majorGroup, or a jobZone from 1 to 5.',
};

/** The schema of a page of occupations, with the certainty of the first row if the page is of a search. */
export function createSearchPageSchema() {
  const { entries } = pageSchema('occupations', OccupationRow);
  // Without a query the list is complete, and longer than a page.
  const occupations = say(v.array(OccupationRow), 'The rows of this page, in order.');
  const { certainty, message } = firstHit;
  return v.object({ ...entries, occupations, certainty: v.optional(certainty), message });
}

type Query = v.InferOutput<typeof ListQuery>;

function isWanted({ majorGroup, jobZone }: Query, entry: OccupationEntry): boolean {
  return (
    (majorGroup === undefined || entry.majorGroup === majorGroup) &&
    (jobZone === undefined || entry.jobZone === jobZone)
  );
}

interface CodeList {
  call?: Call;
  /** The occupations to list. All of them by default. */
  entries?: readonly OccupationEntry[];
  /** If given, each row has its summary. */
  summaries?: Summaries;
}

/** Lists the occupations that pass the filters, in the order of their codes. */
export function listByCode(
  query: Query,
  service: OccupationService,
  { call, entries = service.catalogue.occupations, summaries }: CodeList = {},
): OperationReply {
  const { limit, cursor, ...filters } = query;
  const rows = entries.flatMap((entry, position) =>
    isWanted(query, entry) ? [{ position, row: Json.of(presentEntry(entry, summaries)) }] : [],
  );
  const isBare = cursor === undefined && Object.values(filters).every((value) => value === undefined);
  const page = pickPage(listed.member, rows, {
    limit: limit ?? (isBare ? rows.length : defaultLimit),
    cursor,
  });
  const explainNone = () => {
    const hint = query.q === undefined ? undefined : suggestFilter(query.q, service);
    return hint ? `${hint}.` : listed.explainNone();
  };
  return createListReply({ ...listed, explainNone }, page, query, { call });
}

const presentEntry = ({ id, title }: OccupationEntry, summaries?: Summaries): OccupationRow => ({
  id,
  title,
  ...(summaries && { summary: summaries[id]! }),
});

/** Replies with a page of hits, the certainty of the first hit and, if it is not sure, advice on the title. */
export async function searchOccupations(
  query: Query,
  service: OccupationService,
  call: Call,
  q: string,
): Promise<OperationReply> {
  const [result, summaries] = await Promise.all([searchInTurn(q, service, call), service.summaries()]);
  const hits = result.hits.filter(({ id }) => isWanted(query, service.occupationByCode.get(id)!));
  const { limit = defaultLimit, cursor } = query;
  const start = cursor === undefined ? 0 : (decodeCursor(listed.member, cursor) ?? 0) + 1;
  const rows = hits
    .slice(start, start + limit + 1)
    .map((hit, at) => ({ position: start + at, row: Json.of(presentHit(hit, service, summaries)) }));
  const certainty = hits[0] === result.hits[0] ? result.certainty : 'unsure';
  const message = adviseOnTitle({ ...result, certainty, hits }, service);
  const lead = { certainty, ...(message !== undefined && { message }) };
  const page = cutPage(listed.member, rows, { limit, total: hits.length });
  return createListReply(listed, page, query, { call, lead });
}

/** The lowest confidence at which another hit is a rival of the first. */
const leastRival = 0.1;
const mostRivals = 2;
const unreadNote = ' Part of the title was not read: the search reads English and common Spanish job words.';

/**
 * Says what to add to a title, or returns undefined if the first hit is sure or there is none. The trade or industry
 * distinguishes rivals of different major groups; the main duties distinguish rivals of one group.
 */
export function adviseOnTitle(
  { certainty, hits, hasUnread }: SearchResult,
  { occupationByCode }: OccupationService,
): string | undefined {
  const [first, ...others] = hits;
  if (certainty === 'sure' || !first) return undefined;
  const titleOf = (id: string) => occupationByCode.get(id)!.title;
  const rivals = others.filter(({ confidence }) => confidence >= leastRival).slice(0, mostRivals);
  const groups = new Set([first, ...rivals].map(({ id }) => id.slice(0, 2)));
  const what =
    rivals.length === 0
      ? 'the trade, the industry or the main duties'
      : groups.size > 1
        ? 'the trade or the industry'
        : 'the main duties';
  const or = rivals.map(({ id }) => ` or ${titleOf(id)}`).join('');
  const how = certainty === 'likely' ? 'Likely' : 'Not sure: perhaps';
  return `${how} ${titleOf(first.id)}${or}. To decide, add ${what} to the title.${hasUnread ? unreadNote : ''}`;
}

/** Returns a hit as a row of a reply, with its confidence in two decimals. */
export function presentHit(
  { id, matched, confidence }: SearchHit,
  { occupationByCode }: OccupationService,
  summaries: Summaries,
) {
  const { title } = occupationByCode.get(id)!;
  return {
    id,
    title,
    summary: summaries[id]!,
    ...(matched !== undefined && { matched }),
    confidence: Math.round(confidence * 100) / 100,
  };
}
