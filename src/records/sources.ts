import { Json } from '../kernel/json.ts';
import type { Context } from '../kernel/operation.ts';
import { toDay } from '../kernel/text.ts';
import type { Kind } from './kind.ts';
import { kinds } from './kinds.ts';
import type { PresentedRecord, StoredRecord } from './record.ts';
import { RecordsInView } from './records-in-view.ts';
import { toReferenceNames } from './references.ts';
import type { StoreEntry } from './store.ts';
import { toRow, toSeedRow } from './view.ts';

/** Records of a page that are read and presented at once: a few milliseconds. */
export const atOnce = 100;
/** The same where all are gone through, which may all be as large as a record can be: 16 KB of text. */
export const scannedAtOnce = 25;

/** A record of a list that is to be: its fact, which a filter looks at first, and its row. */
export type Source = { fact: StoredRecord; position: number; toRow(): Json<PresentedRecord> };

/** The names that the rows of some records of a kind need to know of. */
function toRowNames(kind: Kind, facts: readonly StoredRecord[]): string[] {
  return facts.flatMap((fact) => [...(kind.canBeHeld ? [fact.id] : []), ...toReferenceNames(kind, fact)]);
}

/** Reads a workspace's part of a list, and the seed as that workspace sees it. */
export function toSources(kind: Kind, { service, workspace }: Context) {
  const { seed, store, platform } = service;
  const { key, counts } = workspace!;
  const today = toDay(platform.now());
  const occupiesAny = kinds.some(({ name, occupies }) => occupies && (counts[name] ?? 0) > 0);

  async function toNear(facts: readonly StoredRecord[]): Promise<RecordsInView> {
    const names = occupiesAny ? [...new Set(toRowNames(kind, facts))] : [];
    return new RecordsInView(seed, names, names.length > 0 ? await store.find(key, names) : []);
  }

  return {
    async readOwn(after: number | undefined, limit: number): Promise<{ sources: Source[]; last?: number }> {
      const records = await store.read(key, { kind: kind.name, order: 'newest', after, limit });
      const near = await toNear(records.map(({ fact }) => fact));
      const toSource = ({ fact, seq }: StoreEntry): Source => ({
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

/** Every row of a kind in view, newest first and then the seed; `scope` as lists have it. */
export async function readRows(
  kind: Kind,
  scope: string | undefined,
  context: Context,
): Promise<PresentedRecord[]> {
  const { service, workspace } = context;
  const { seed, platform } = service;
  const ofSeed = scope === 'workspace' ? [] : seed.rows[kind.name]!.map(({ row }) => row.value);
  if (!workspace || scope === 'public') return ofSeed;
  const { readOwn, readSeed } = toSources(kind, context);
  const rows: PresentedRecord[] = [];
  for (let after: number | undefined; ; ) {
    const { sources, last } = await readOwn(after, scannedAtOnce);
    rows.push(...sources.map(({ toRow }) => toRow().value));
    if (last === undefined) break;
    after = last;
    await platform.pause();
  }
  if (scope !== 'workspace') rows.push(...(await readSeed()).map(({ toRow }) => toRow().value));
  return rows;
}
