import type { Call } from '../kernel/call.ts';
import { toExcerpt } from '../kernel/envelope.ts';
import type { Context, Outcome } from '../kernel/operation.ts';
import { cutPage, defaultLimit, type ListTexts, toListReply, toPage, toPosition } from '../kernel/page.ts';
import { warnOrRefuse } from '../kernel/perform.ts';
import type { Service } from '../kernel/service.ts';
import { toFilterHint } from '../occupations/code.ts';
import { cachedRead } from './cached-read.ts';
import { type Test, toTests } from './filters.ts';
import type { Kind } from './kind.ts';
import type { ViewedRecord } from './record.ts';
import { hasReferences, resolveFilters } from './resolve-filters.ts';
import { sift } from './scan.ts';

/** Records of a page that are read and presented at once: a few milliseconds. */
const atOnce = 100;

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
function toListed(kind: Kind, { occupation = '' }: ListInput, service: Service): ListTexts {
  const { path, collection: member, plural, statuses, filters } = kind;
  const code = occupation.trim();
  const hint = toFilterHint(code, service);
  const toNone = (why: string) => ({ path, member, none: `No ${plural} match${why}` });
  if (hint) return toNone(`: ${hint}.`);
  if (/\p{L}{2}/u.test(code)) {
    const q = encodeURIComponent(toExcerpt(code));
    return toNone(
      `: occupation is a code, and words are none. Find one with listOccupations, at /occupations?q=${q}`,
    );
  }
  const others = Object.keys(filters).join(' and ');
  return toNone(
    `. Known status values: ${statuses.join(', ')}; occupation is an O*NET-SOC code, SOC code or major group; there are the filters ${others} too. Leave a filter out to widen.`,
  );
}

export function toSeedPage(kind: Kind, input: ListInput, { service, call }: SeedContext): Outcome {
  const { limit = defaultLimit, cursor } = input;
  const tests = toTests(kind.filters, input);
  const rows = service.seed.rows[kind.name]!.filter((one) => tests.every(({ passes }) => passes(one)));
  const page = toPage(kind.collection, rows, { limit, cursor });
  return toListReply(toListed(kind, input, service), page, input, call);
}

type SeedContext = { service: Service; call?: Call };

/** A page of what a workspace sees. Without a test only the page is read; with one all records are scanned. */
async function readPage(kind: Kind, tests: readonly Test[], input: ListInput, context: Context) {
  const { scope, limit = defaultLimit, cursor } = input;
  const { collection, name } = kind;
  const isBare = tests.length === 0;
  const start = cursor === undefined ? Number.NEGATIVE_INFINITY : (toPosition(collection, cursor) ?? 0);
  const wanted: ViewedRecord[] = [];
  const bare = { after: start, size: () => Math.min(limit + 1 - wanted.length, atOnce) };
  let total = 0;
  for await (const kept of sift(kind, tests, { scope, ...(isBare && bare) }, context)) {
    total += kept.length;
    const behind = kept.filter(({ position }) => position > start);
    wanted.push(...behind.slice(0, limit + 1 - wanted.length));
    if (isBare && wanted.length > limit) break;
  }
  if (isBare) {
    const ofSeed = scope === 'workspace' ? 0 : context.service.seed.rows[name]!.length;
    total = (context.workspace!.counts[name] ?? 0) + ofSeed;
  }
  return cutPage(collection, wanted, { limit, total });
}

const scopes = ['public', 'workspace'];

/** Warns of a scope that is ignored, or refuses it where the caller asks for strict handling. */
export function checkScope({ scope }: { scope?: string }, context: Context): void {
  if (scope === undefined || scopes.includes(scope)) return;
  const message = 'is not public or workspace and was ignored';
  const refusal = 'must be public or workspace, or left out';
  warnOrRefuse(context, [{ code: 'unknown_scope', path: 'scope', message, refusal }]);
}

export function list(kind: Kind, input: ListInput, context: Context): Outcome | Promise<Outcome> {
  if (!hasReferences(kind, input)) return listResolved(kind, input, context);
  return resolveFilters(kind, input, context).then((resolved) => listResolved(kind, resolved, context));
}

function listResolved(kind: Kind, input: ListInput, context: Context): Outcome | Promise<Outcome> {
  const { call, workspace, service } = context;
  const { scope } = input;
  checkScope(input, context);
  if (!workspace && scope === 'workspace') {
    const { path, collection: member, plural } = kind;
    const none = `No ${plural} match: X-Workspace (over MCP the argument workspace) was not sent. Send it, or leave scope out.`;
    return toListReply({ path, member, none }, { entries: [], total: 0, nextCursor: undefined }, input, call);
  }
  if (!workspace || scope === 'public') return toSeedPage(kind, input, context);
  const all = workspace.counts[kind.name] ?? 0;
  const tests = toTests(kind.filters, input);
  const count = tests.length === 0 ? Math.min(all, input.limit ?? defaultLimit) : all;
  return cachedRead(context, input, count, async () =>
    toListReply(toListed(kind, input, service), await readPage(kind, tests, input, context), input, call),
  );
}
