import { Json } from '../kernel/json.ts';
import type { Positioned } from '../kernel/page.ts';
import { toTime } from '../kernel/text.ts';
import type { Kind } from './kind.ts';
import { kinds, toKindOf } from './kinds.ts';
import type { PresentedRecord, StoredRecord } from './record.ts';
import { RecordsInView } from './records-in-view.ts';
import type { Store } from './store.ts';

/** A record of the seed, as everybody sees it. */
interface SeedRecord {
  kind: Kind;
  record: StoredRecord;
  /** How many records of the seed occupy it. */
  occupants: number;
  row: Json<PresentedRecord>;
}

/** The seed as of its published day. */
interface SeedView {
  /** By the name of their kind, in the order of the content files, from position 0. */
  rows: Readonly<Record<string, Positioned<PresentedRecord>[]>>;
  byId: ReadonlyMap<string, SeedRecord>;
  today: string;
}

/** The seed as content/seed has it. */
interface Seed {
  /** The day whose statuses the seed records show. */
  asOf: string;
  /** By the name of their kind, in the order of the content. */
  facts: Readonly<Record<string, StoredRecord[]>>;
}

declare module '../kernel/service.ts' {
  interface Catalogue {
    seed: Seed;
  }
  interface Service {
    seed: SeedView;
    store: Store;
  }
}

/** The names that a record holds: none that begins with what is no id of a kind that it refers to. */
export function toOccupied(kind: Kind, record: StoredRecord): string[] {
  const prefixes = Object.values(kind.references).map((of) => toKindOf(of).prefix);
  const held = kind.occupies?.(record) ?? [];
  return held.filter((name) => prefixes.some((prefix) => name.startsWith(prefix)));
}

/** When a record of a workspace was created and changed; a seed record has none of it. */
function toLife({ createdAt, updatedAt = createdAt, revision = 1, transitions = [] }: StoredRecord): object {
  if (createdAt === undefined) return {};
  return {
    createdAt: toTime(createdAt),
    updatedAt: toTime(updatedAt!),
    revision,
    transitions: transitions.map(({ at, ...move }) => ({ at: toTime(at), ...move })),
  };
}

/** A record as it reads among the records near it. */
export function present(
  kind: Kind,
  record: StoredRecord,
  near: RecordsInView,
  today: string,
): PresentedRecord {
  const { id, ref, createdAt, updatedAt, revision, transitions, asked, outcome, evidence, ...body } = record;
  const isKnown = (of: string, other: string) => near.isKnown(of, other);
  const countOf = (name: string) => near.occupantsOf(name);
  const around = { today, isKnown, occupants: near.occupantsOf(id), countOf };
  const { links, status, ...derived } = kind.present(record, around);
  return {
    id,
    ...(ref !== undefined && { ref }),
    ...body,
    status,
    ...derived,
    ...toLife(record),
    example: createdAt === undefined,
    links,
  } as unknown as PresentedRecord;
}

/** The seed as of its published day. */
export function toSeedView({ asOf, facts }: Seed): SeedView {
  const all = kinds.flatMap((kind) => facts[kind.name]!.map((record) => ({ kind, record })));
  const occupied = all.flatMap(({ kind, record }) => toOccupied(kind, record));
  const byId = new Map<string, SeedRecord>();
  const seed = { rows: {} as Record<string, Positioned<PresentedRecord>[]>, byId, today: asOf };
  for (const { kind, record } of all) {
    const occupants = occupied.filter((id) => id === record.id).length;
    byId.set(record.id, { kind, record, occupants, row: Json.of({} as PresentedRecord) });
  }
  const near = new RecordsInView(seed);
  for (const one of byId.values()) one.row = Json.of(present(one.kind, one.record, near, asOf));
  for (const { name } of kinds) {
    seed.rows[name] = facts[name]!.map(({ id }, position) => ({ row: byId.get(id)!.row, position }));
  }
  return seed;
}

/** A record of the seed as a workspace sees it, whose own records may occupy it. */
export function presentSeed(
  seed: SeedView,
  { kind, record, occupants, row }: SeedRecord,
  near: RecordsInView,
): Json<PresentedRecord> {
  const isProposed = kind.countedAs?.(record.id).some((name) => near.occupantsOf(name) > 0);
  if (near.occupantsOf(record.id) === occupants && !isProposed) return row;
  return Json.of(present(kind, record, near, seed.today));
}
