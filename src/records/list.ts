import type { Call } from '../kernel/call.ts';
import { toExcerpt } from '../kernel/envelope.ts';
import type { Context, Outcome } from '../kernel/operation.ts';
import {
  cutPage,
  defaultLimit,
  type ListTexts,
  type Page,
  type Positioned,
  toListReply,
  toPage,
  toPosition,
} from '../kernel/page.ts';
import { warnOrRefuse } from '../kernel/perform.ts';
import type { Service } from '../kernel/service.ts';
import { toSuccession, toUnder } from '../occupations/code.ts';
import { cachedRead } from './cached-read.ts';
import { toFilterTests } from './filters.ts';
import type { Kind } from './kind.ts';
import type { PresentedRecord, StoredRecord } from './record.ts';
import { atOnce, createPacer, scan, scannedAtOnce } from './scan.ts';

export type ListInput = {
  status?: string;
  occupation?: string;
  scope?: string;
  limit?: number;
  cursor?: string;
  [filter: string]: unknown;
};

function toListed(kind: Kind, { occupation = '' }: ListInput, service: Service): ListTexts {
  const { path, collection, plural, statuses, filters } = kind;
  const gone = toSuccession(occupation.trim(), service);
  if (gone) return { path, member: collection, none: `No ${plural} match: ${gone}.` };
  if (/\p{L}{2}/u.test(occupation)) {
    const q = encodeURIComponent(toExcerpt(occupation.trim()));
    const none = `No ${plural} match: occupation is a code, and words are none. Find one with listOccupations, at /occupations?q=${q}`;
    return { path, member: collection, none };
  }
  const others = Object.keys(filters);
  const none = `No ${plural} match. Known status values: ${statuses.join(', ')}; occupation is an O*NET-SOC code, SOC code or major group${others.length > 0 ? `; there are the filters ${others.join(' and ')} too` : ''}. Leave a filter out to widen.`;
  return { path, member: collection, none };
}

/** What a list keeps: by what is stored, and by the status that follows from it. */
function toTests({ filters }: Kind, input: ListInput) {
  const { status, occupation } = input;
  const isUnder = toUnder(occupation);
  const tests = toFilterTests(filters, input);
  return {
    isBare: status === undefined && occupation === undefined && tests.length === 0,
    keeps: (record: StoredRecord) => isUnder(record.onetCode) && tests.every(({ passes }) => passes(record)),
    keepsStatus: (row: PresentedRecord) => status === undefined || row.status === status,
  };
}

/** A page of the seed alone. */
export function toSeedPage(kind: Kind, input: ListInput, { service, call }: SeedContext): Outcome {
  const { seed } = service;
  const { limit = defaultLimit, cursor } = input;
  const { isBare, keeps, keepsStatus } = toTests(kind, input);
  const all = seed.rows[kind.name]!;
  const rows = isBare
    ? all
    : all.filter(({ row: { value } }) => keepsStatus(value) && keeps(seed.byId.get(value.id)!.record));
  return toListReply(
    toListed(kind, input, service),
    toPage(kind.collection, rows, { limit, cursor }),
    input,
    call,
  );
}

type SeedContext = { service: Service; call?: Call };

/**
 * A page of what a workspace sees: its records, newest first, then the seed. Without a filter only the page is read;
 * with one all are scanned.
 */
async function readPage(kind: Kind, input: ListInput, context: Context): Promise<Page<PresentedRecord>> {
  const { scope, limit = defaultLimit, cursor } = input;
  const { platform, seed } = context.service;
  const { isBare, keeps, keepsStatus } = toTests(kind, input);
  const start = cursor === undefined ? Number.NEGATIVE_INFINITY : (toPosition(kind.collection, cursor) ?? 0);
  const pace = createPacer(platform);
  const wanted: Positioned<PresentedRecord>[] = [];
  let total = 0;
  const batches = scan(
    kind,
    {
      scope,
      own: !isBare || start < 0,
      after: isBare && start < 0 && Number.isFinite(start) ? -start : undefined,
      size: () => (isBare ? Math.min(limit + 1 - wanted.length, atOnce) : scannedAtOnce),
    },
    context,
  );
  for await (const batch of batches) {
    for (const { record, position, present } of batch) {
      const isWanted = position > start && wanted.length <= limit;
      const paused = pace();
      if (paused) await paused;
      if (!keeps(record) || (isBare && !isWanted)) continue;
      const row = present();
      if (!keepsStatus(row.value)) continue;
      total += 1;
      if (isWanted) wanted.push({ row, position });
    }
    if (isBare && wanted.length > limit) break;
  }
  if (isBare) {
    const ofSeed = scope === 'workspace' ? 0 : seed.rows[kind.name]!.length;
    total = (context.workspace!.counts[kind.name] ?? 0) + ofSeed;
  }
  return cutPage(kind.collection, wanted, { limit, total });
}

const scopes = ['public', 'workspace'];

/** Warns of a scope that is ignored, or refuses it where the caller asks for strict handling. */
export function checkScope({ scope }: { scope?: string }, context: Context): void {
  if (scope === undefined || scopes.includes(scope)) return;
  const message = 'is not public or workspace and was ignored';
  warnOrRefuse(context, [{ code: 'unknown_scope', path: 'scope', message }]);
}

/** Answers the list of a kind. */
export function list(kind: Kind, input: ListInput, context: Context): Outcome | Promise<Outcome> {
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
  const read = toTests(kind, input).isBare ? Math.min(all, input.limit ?? defaultLimit) : all;
  const make = async () =>
    toListReply(toListed(kind, input, service), await readPage(kind, input, context), input, call);
  return cachedRead(context, input, make, read > scannedAtOnce);
}
