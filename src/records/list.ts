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
import { cachedRead } from './cached-read.ts';
import { createTests, type RecordTest } from './filters.ts';
import { listInView, visitInView } from './in-view.ts';
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

/** The list of a kind, and what it says where nothing matches. */
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
  const others = Object.keys(filters).join(' and ');
  return describeNone(
    `. Known status values: ${lifecycle.statuses.join(', ')}; occupation is an O*NET-SOC code, SOC code or major group; there are the filters ${others} too. Leave a filter out to widen.`,
  );
}

export function listSeed(kind: Kind, input: ListInput, { service, call }: SeedContext): OperationReply {
  const { limit = defaultLimit, cursor } = input;
  const tests = createTests(kind.filters, input);
  const rows = service.seed.rows[kind.name]!.filter((one) => tests.every(({ passes }) => passes(one)));
  const page = pickPage(kind.collection, rows, { limit, cursor });
  return createListReply(describeList(kind, input, service), page, input, { call });
}

type SeedContext = { service: RecordService; call?: Call };

/** The first records of a list after a position: one more than a page has, if there are so many. */
function readFirst(kind: Kind, { scope, limit = defaultLimit }: ListInput, after: number, context: Context) {
  const first: ViewedRecord[] = [];
  for (const one of listInView(kind, { scope, after }, context)) {
    first.push(one);
    if (first.length > limit) break;
  }
  return first;
}

/** Reads a page of the records that a caller sees. Without a filter only the records of the page are looked at. */
async function readPage(kind: Kind, tests: readonly RecordTest[], input: ListInput, context: Context) {
  const { scope, limit = defaultLimit, cursor } = input;
  const { collection, name } = kind;
  const own = context.workspace!.contents.count(name);
  const start = cursor === undefined ? Number.NEGATIVE_INFINITY : (decodeCursor(collection, cursor) ?? 0);
  if (tests.length === 0) {
    const seed = scope === 'workspace' ? 0 : context.service.seed.rows[name]!.length;
    return cutPage(collection, readFirst(kind, input, start, context), { limit, total: own + seed });
  }
  const after: ViewedRecord[] = [];
  let total = 0;
  const visit = (one: ViewedRecord) => {
    total += 1;
    if (one.position > start && after.length <= limit) after.push(one);
  };
  await visitInView(kind, { tests, scope, visit }, context);
  return cutPage(collection, after, { limit, total });
}

const scopes = ['public', 'workspace'];

/** Warns of a scope that is ignored, or refuses it if the caller asks for strict handling. */
export function warnOrRefuseScope({ scope }: { scope?: string }, context: Context): void {
  if (scope === undefined || scopes.includes(scope)) return;
  const message = 'is not public or workspace and was ignored';
  const refusal = 'must be public or workspace, or left out';
  warnOrRefuse(context, [{ code: 'unknown_scope', path: 'scope', message, refusal }]);
}

export function listRecords(
  kind: Kind,
  sent: ListInput,
  context: Context,
): OperationReply | Promise<OperationReply> {
  const { call, workspace, service } = context;
  const input = resolveFilters(kind, sent, context);
  const { scope } = input;
  warnOrRefuseScope(input, context);
  if (!workspace && scope === 'workspace') {
    const { path, collection: member, plural } = kind;
    const none = `No ${plural} match: X-Workspace (over MCP the argument workspace) was not sent. Send it, or leave scope out.`;
    return createListReply({ path, member, none }, { entries: [], total: 0, nextCursor: undefined }, input, {
      call,
    });
  }
  if (!workspace || scope === 'public') return listSeed(kind, input, context);
  const tests = createTests(kind.filters, input);
  const own = workspace.contents.count(kind.name);
  const count = tests.length === 0 ? Math.min(own, input.limit ?? defaultLimit) : own;
  return cachedRead(context, input, count, async () =>
    createListReply(describeList(kind, input, service), await readPage(kind, tests, input, context), input, {
      call,
    }),
  );
}
