import { type Call, headerOf } from '../kernel/call.ts';
import { namesTag, toEntityTag } from '../kernel/entity-tag.ts';
import { Json } from '../kernel/json.ts';
import type { Context, Outcome } from '../kernel/operation.ts';
import {
  cutPage,
  defaultLimit,
  type Listed,
  type Page,
  type Positioned,
  toListReply,
  toPage,
  toPosition,
} from '../kernel/page.ts';
import { Refusal } from '../kernel/refusal.ts';
import { toDay } from '../kernel/text.ts';
import { toUnder } from '../occupations/code.ts';
import type { Fact, Row } from './fact.ts';
import type { Kind } from './kind.ts';
import { kinds } from './kinds.ts';
import { Nearby } from './nearby.ts';
import { toReferenceNames } from './references.ts';
import type { StoredRecord } from './store.ts';
import { toRow, toSeedRow } from './view.ts';

export type ListInput = {
  status?: string;
  occupation?: string;
  scope?: string;
  limit?: number;
  cursor?: string;
  [filter: string]: unknown;
};

/** Records that are read and presented at once: a few milliseconds. */
const atOnce = 100;

/** Where rows come from, a slice at a time, with what a filter looks at first. */
type Source = { fact: Fact; position: number; toRow(): Json<Row> };

function toListed({ path, collection, plural, statuses, filters }: Kind): Listed {
  const others = Object.keys(filters);
  const none = `No ${plural} match. Known status values: ${statuses.join(', ')}; occupation is an O*NET-SOC code, SOC code or major group${others.length > 0 ? `; there are the filters ${others.join(' and ')} too` : ''}. Leave a filter out to widen.`;
  return { path, member: collection, none };
}

/** What a list keeps: by the fact alone, and by the row. */
function toTests(kind: Kind, input: ListInput) {
  const { status, occupation } = input;
  const isUnder = toUnder(occupation);
  const tests = Object.entries(kind.filters).flatMap(([name, { toTest }]) =>
    input[name] === undefined ? [] : [toTest(input[name] as string)],
  );
  const isBare = status === undefined && occupation === undefined && tests.length === 0;
  const keepsFact = (fact: Fact) => isUnder(fact.onetCode) && tests.every((test) => test(fact));
  const keepsRow = (row: Row) => status === undefined || row.status === status;
  return { isBare, keepsFact, keepsRow };
}

/** A page of the seed alone. */
export function toSeedPage(kind: Kind, input: ListInput, { service, call }: SeedContext): Outcome {
  const { seed } = service;
  const { limit = defaultLimit, cursor } = input;
  const { isBare, keepsFact, keepsRow } = toTests(kind, input);
  const all = seed.rows[kind.name]!;
  const rows = isBare
    ? all
    : all.filter(({ row: { value } }) => keepsRow(value) && keepsFact(seed.byId.get(value.id)!.fact));
  return toListReply(toListed(kind), toPage(kind.collection, rows, { limit, cursor }), input, call);
}

type SeedContext = { service: Pick<Context['service'], 'seed'>; call?: Call };

/** The names that the rows of some records of a kind need to know of. */
function toRowNames(kind: Kind, facts: readonly Fact[]): string[] {
  return facts.flatMap((fact) => [...(kind.capacity ? [fact.id] : []), ...toReferenceNames(kind, fact)]);
}

/** Reads a workspace's part of a list, and the seed as that workspace sees it. */
function toSources(kind: Kind, { service, workspace }: Context) {
  const { seed, store, platform } = service;
  const { key, counts } = workspace!;
  const today = toDay(platform.now());
  const holdsAny = kinds.some(({ name, holds }) => holds && (counts[name] ?? 0) > 0);

  async function toNear(facts: readonly Fact[]): Promise<Nearby> {
    const names = holdsAny ? [...new Set(toRowNames(kind, facts))] : [];
    return new Nearby(seed, names, names.length > 0 ? await store.find(key, names) : []);
  }

  return {
    async readOwn(after: number | undefined, limit: number): Promise<{ sources: Source[]; last?: number }> {
      const records = await store.read(key, { kind: kind.name, order: 'newest', after, limit });
      const near = await toNear(records.map(({ fact }) => fact));
      const toSource = ({ fact, seq }: StoredRecord): Source => ({
        fact,
        position: -seq,
        toRow: () => Json.of(toRow(kind, fact, near, today)),
      });
      const last = records.length < limit ? undefined : records.at(-1)!.seq;
      return { sources: records.map(toSource), ...(last !== undefined && { last }) };
    },
    async readSeed(): Promise<Source[]> {
      const rows = seed.rows[kind.name]!.map(({ row, position }) => ({
        position,
        record: seed.byId.get(row.value.id)!,
      }));
      const near = await toNear(rows.map(({ record }) => record.fact));
      return rows.map(({ record, position }) => ({
        fact: record.fact,
        position,
        toRow: () => toSeedRow(seed, record, near),
      }));
    },
  };
}

/**
 * A page of what a workspace sees: its records, newest first, then the seed. Without a filter only the page is read;
 * with one all is gone through, a slice at a time.
 */
async function readPage(kind: Kind, input: ListInput, context: Context): Promise<Page<Row>> {
  const { scope, limit = defaultLimit, cursor } = input;
  const { platform, seed } = context.service;
  const { isBare, keepsFact, keepsRow } = toTests(kind, input);
  const { readOwn, readSeed } = toSources(kind, context);
  const start = cursor === undefined ? Number.NEGATIVE_INFINITY : (toPosition(kind.collection, cursor) ?? 0);
  const wanted: Positioned<Row>[] = [];
  let total = 0;

  function take(sources: readonly Source[]): void {
    for (const { fact, position, toRow } of sources) {
      const isWanted = position > start && wanted.length <= limit;
      if (!keepsFact(fact) || (isBare && !isWanted)) continue;
      const row = toRow();
      if (!keepsRow(row.value)) continue;
      total += 1;
      if (isWanted) wanted.push({ row, position });
    }
  }

  let after = isBare && start < 0 && Number.isFinite(start) ? -start : undefined;
  if (!isBare || start < 0) {
    for (;;) {
      const { sources, last } = await readOwn(
        after,
        isBare ? Math.min(limit + 1 - wanted.length, atOnce) : atOnce,
      );
      take(sources);
      if (last === undefined || (isBare && wanted.length > limit)) break;
      after = last;
      await platform.pause();
    }
  }
  const hasSeed = scope !== 'workspace';
  if (hasSeed && (!isBare || wanted.length <= limit)) take(await readSeed());
  if (isBare) {
    total = (context.workspace!.counts[kind.name] ?? 0) + (hasSeed ? seed.rows[kind.name]!.length : 0);
  }
  return cutPage(kind.collection, wanted, { limit, total });
}

const scopes = ['public', 'workspace'];

function warnIgnored({ asks, warnings }: Context): void {
  const message = 'is not public or workspace and was ignored';
  if (asks.isStrict) throw new Refusal('invalid_request', { issues: [{ path: 'scope', message }] });
  warnings.push({ code: 'unknown_scope', path: 'scope', message });
}

/** Answers the list of a kind. */
export function list(kind: Kind, input: ListInput, context: Context): Outcome | Promise<Outcome> {
  const { call, workspace } = context;
  const { scope } = input;
  if (scope !== undefined && !scopes.includes(scope)) warnIgnored(context);
  if (!workspace && scope === 'workspace') {
    return toListReply(toListed(kind), { entries: [], total: 0, nextCursor: undefined }, input, call);
  }
  return !workspace || scope === 'public' ? toSeedPage(kind, input, context) : listOwn(kind, input, context);
}

/** The list that a workspace sees; nothing is read for a caller who has it. */
async function listOwn(kind: Kind, input: ListInput, context: Context): Promise<Outcome> {
  const { service, call, workspace } = context;
  const { key, revision, counts } = workspace!;
  const seen = [key, revision, counts, toDay(service.platform.now()), call.path, call.query];
  const ETag = toEntityTag(JSON.stringify(seen));
  if (call.method === 'GET' && namesTag(headerOf(call, 'if-none-match'), ETag)) {
    return { status: 304, body: '', headers: { ETag } };
  }
  const reply = toListReply(toListed(kind), await readPage(kind, input, context), input, call);
  return { ...reply, headers: { ...reply.headers, ETag } };
}
