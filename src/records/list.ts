import type { Call } from '../kernel/call.ts';
import { cutExcerpt } from '../kernel/envelope.ts';
import type { OperationReply } from '../kernel/operation.ts';
import {
  createListReply,
  cutPage,
  decodeCursor,
  defaultLimit,
  type ListTexts,
  pickPage,
} from '../kernel/page.ts';
import { warnOrRefuse } from '../kernel/perform.ts';
import { suggestFilter } from '../occupations/code.ts';
import { View } from '../workspace/view.ts';
import { cachedRead } from './cached-read.ts';
import { createTests, listFilters, type RecordTest, splitValues } from './filters.ts';
import { listInView, openView, visitInView } from './in-view.ts';
import type { Kind } from './kind.ts';
import type { ViewedRecord } from './record.ts';
import { resolveFilters } from './resolve-filters.ts';
import type { Context, RecordService } from './service.ts';

export interface ListInput {
  status?: string;
  occupation?: string;
  scope?: string;
  limit?: number;
  cursor?: string;
  meets?: boolean;
  [filter: string]: unknown;
}

/** Returns the texts of a list, with the message for the case that nothing matches. */
function describeList(kind: Kind, { occupation = '' }: ListInput, service: RecordService): ListTexts {
  const { path, collection: member, plural, lifecycle, filters } = kind;
  const code = occupation.trim();
  const hint = suggestFilter(code, service);
  const describeNone = (why: string) => ({ path, member, none: `No ${plural} match${why}` });
  if (hint) return describeNone(`: ${hint}.`);
  if (/\p{L}{2}/u.test(code)) {
    const q = encodeURIComponent(cutExcerpt(code));
    return describeNone(
      `: occupation is a code, and words are none. Find one with listOccupations, at /occupations?q=${q}`,
    );
  }
  const filterNames = Object.keys({ ...filters, ...listFilters }).join(' and ');
  return describeNone(
    `. Known status values: ${lifecycle.statuses.join(', ')}; occupation is an O*NET-SOC code, SOC code or major group; there are the filters ${filterNames} too. Leave a filter out to widen.`,
  );
}

export function listSeed(kind: Kind, input: ListInput, { service, call }: SeedContext): OperationReply {
  const { limit = defaultLimit, cursor } = input;
  const tests = createTests(kind.filters, input, new View(service.seed.workspace));
  const rows = service.seed.rows[kind.name]!.filter((row) => tests.every(({ passes }) => passes(row)));
  const page = pickPage(kind.collection, rows, { limit, cursor });
  return createListReply(describeList(kind, input, service), page, input, { call });
}

type SeedContext = { service: RecordService; call?: Call };

/** Returns the first records after a position. If another page follows, it returns one more than a page has. */
function readFirst(kind: Kind, { scope, limit = defaultLimit }: ListInput, after: number, context: Context) {
  const rows: ViewedRecord[] = [];
  for (const row of listInView(kind, { scope, after }, context)) {
    rows.push(row);
    if (rows.length > limit) break;
  }
  return rows;
}

/** Reads a page of the records that a caller sees. Without a filter it reads only the records of the page. */
async function readPage(kind: Kind, tests: readonly RecordTest[], input: ListInput, context: Context) {
  const { scope, limit = defaultLimit, cursor } = input;
  const { collection, name } = kind;
  const ownCount = context.workspace!.contents.count(name);
  const start = cursor === undefined ? Number.NEGATIVE_INFINITY : (decodeCursor(collection, cursor) ?? 0);
  if (tests.length === 0) {
    const seedCount = scope === 'workspace' ? 0 : context.service.seed.rows[name]!.length;
    return cutPage(collection, readFirst(kind, input, start, context), {
      limit,
      total: ownCount + seedCount,
    });
  }
  const rows: ViewedRecord[] = [];
  let total = 0;
  const visit = (row: ViewedRecord) => {
    total += 1;
    if (row.position > start && rows.length <= limit) rows.push(row);
  };
  await visitInView(kind, { tests, scope, visit }, context);
  return cutPage(collection, rows, { limit, total });
}

const scopes = ['public', 'workspace'];

/** Warns of a scope that is ignored, or refuses it if the caller asks for strict handling. */
export function warnOrRefuseScope({ scope }: { scope?: string }, context: Context): void {
  if (scope === undefined || scopes.includes(scope)) return;
  const message = 'is not public or workspace and was ignored';
  const refusal = 'must be public or workspace, or left out';
  warnOrRefuse(context, [{ code: 'unknown_scope', path: 'scope', message, refusal }]);
}

/**
 * Warns of unknown statuses beside known ones, or refuses them if the caller asks for strict handling. If none is known,
 * the list is empty and its message has the known ones.
 */
export function warnOrRefuseStatus(
  { lifecycle: { statuses } }: Kind,
  { status = '' }: { status?: string },
  context: Context,
): void {
  const sent = splitValues(status);
  const unknown = sent.filter((value) => !statuses.includes(value));
  if (unknown.length === 0 || unknown.length === sent.length) return;
  const known = `known are ${statuses.join(', ')}`;
  const problem = `has unknown values (${cutExcerpt(unknown.join(', '))})`;
  const message = `${problem}, which were ignored; ${known}`;
  warnOrRefuse(context, [
    { code: 'unknown_status', path: 'status', message, refusal: `${problem}; ${known}` },
  ]);
}

export function listRecords(
  kind: Kind,
  query: ListInput,
  context: Context,
): OperationReply | Promise<OperationReply> {
  const { call, workspace, service } = context;
  const input = resolveFilters(kind, query, context);
  const { scope } = input;
  warnOrRefuseScope(input, context);
  warnOrRefuseStatus(kind, input, context);
  if (!workspace && scope === 'workspace') {
    const { path, collection: member, plural } = kind;
    const none = `No ${plural} match: X-Workspace (over MCP the argument workspace) was not sent. Send it, or leave scope out.`;
    return createListReply({ path, member, none }, { entries: [], total: 0, nextCursor: undefined }, input, {
      call,
    });
  }
  if (!workspace || scope === 'public') return listSeed(kind, input, context);
  const tests = createTests(kind.filters, input, openView(context));
  const ownCount = workspace.contents.count(kind.name);
  const count = tests.length === 0 ? Math.min(ownCount, input.limit ?? defaultLimit) : ownCount;
  return cachedRead(context, input, count, async () =>
    createListReply(describeList(kind, input, service), await readPage(kind, tests, input, context), input, {
      call,
    }),
  );
}
