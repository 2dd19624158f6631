import { Json } from '../kernel/json.ts';
import type { Context, Outcome } from '../kernel/operation.ts';
import { cutPage, type Positioned, toPosition } from '../kernel/page.ts';
import { toDay } from '../kernel/text.ts';
import type { Fact } from './fact.ts';
import { kinds } from './kinds.ts';
import { Nearby } from './nearby.ts';
import { toReferenceNames } from './references.ts';
import type { StoredRecord } from './store.ts';
import { toRow } from './view.ts';

/** Records on a page of an export at most, and bytes of them. */
export const mostExported = 200;
const mostBytes = 1_000_000;
/** Records that are read at once. */
const atOnce = 50;

/** What a page of an export has beside its records. */
export const exportMembers = ['type', 'exportedAt', 'total', 'nextCursor'];

/** The name of an export where a cursor is told from those of lists. */
export const collection = 'export';
/** Positions of a kind stand behind all those of the kind before it. */
const kindSpan = 1e12;

/** A `#` and the ref of a record, or its id where it has none: what a batch takes in the place of its id. */
function toPortable(fact: Fact, references: readonly string[], near: Nearby): Record<string, unknown> {
  const portable: Record<string, unknown> = { ref: fact.ref ?? fact.id };
  for (const member of references) {
    const found = near.found(fact[member] as string)?.record?.fact;
    if (found && found.id === fact[member]) portable[member] = `#${found.ref ?? found.id}`;
  }
  return portable;
}

/** Answers a page of a workspace, as createBatch takes it. */
export async function exportWorkspace(
  input: { limit?: number; cursor?: string },
  { service, workspace }: Context,
): Promise<Outcome> {
  const { store, platform, seed } = service;
  const { key, counts } = workspace!;
  const { limit = mostExported, cursor } = input;
  const now = platform.now();
  const start = cursor === undefined ? 0 : (toPosition(collection, cursor) ?? 0);
  const entries: Positioned<{ of: string; row: object }>[] = [];

  async function take(index: number, records: readonly StoredRecord[]): Promise<void> {
    const kind = kinds[index]!;
    const names = [...new Set(records.flatMap(({ fact }) => [fact.id, ...toReferenceNames(kind, fact)]))];
    const near = new Nearby(seed, names, await store.find(key, names));
    for (const { fact, seq } of records) {
      const row = toRow(kind, fact, near, toDay(now));
      const portable = toPortable(fact, Object.keys(kind.references), near);
      const { id, ...rest } = row;
      const whole = { id, ref: portable.ref, ...rest, ...portable };
      entries.push({ row: Json.of({ of: kind.collection, row: whole }), position: index * kindSpan + seq });
    }
  }

  for (
    let index = Math.floor(start / kindSpan);
    index < kinds.length && entries.length <= limit;
    index += 1
  ) {
    let after = index === Math.floor(start / kindSpan) ? start % kindSpan : 0;
    for (;;) {
      const most = Math.min(atOnce, limit + 1 - entries.length);
      const records = await store.read(key, {
        kind: kinds[index]!.name,
        order: 'oldest',
        after,
        limit: most,
      });
      await take(index, records);
      if (records.length < most || entries.length > limit) break;
      after = records.at(-1)!.seq;
      await platform.pause();
    }
  }
  const total = kinds.reduce((sum, { name }) => sum + (counts[name] ?? 0), 0);
  const page = cutPage(collection, entries, { limit, total, mostBytes });
  const rowsOf = (name: string) =>
    page.entries.flatMap(({ row: { value } }) => (value.of === name ? [value.row] : []));
  const body = {
    type: 'OK',
    exportedAt: new Date(now).toISOString(),
    ...Object.fromEntries(kinds.map(({ collection: name }) => [name, rowsOf(name)])),
    total,
    ...(page.nextCursor !== undefined && { nextCursor: page.nextCursor }),
  };
  return { status: 200, body };
}
