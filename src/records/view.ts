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
  fact: StoredRecord;
  /** How many records of the seed hold it. */
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

/** The members of a fact that hold the id of a record, and the kind that it is of. */
function toReferences(kindName: string, fact: StoredRecord): { member: string; kind: string; id: string }[] {
  const references = Object.entries(toKindOf(kindName).references);
  return references.map(([member, kind]) => ({ member, kind, id: fact[member] as string }));
}

/** The ids that a record occupies: those of its references that are of the kind meant. */
export function toOccupied(kind: Kind, fact: StoredRecord): string[] {
  if (!kind.occupies?.(fact)) return [];
  const references = toReferences(kind.name, fact);
  return references.flatMap(({ kind: of, id }) => (id.startsWith(toKindOf(of).prefix) ? [id] : []));
}

/** What a workspace's record tells of its life; a seed record has none. */
function toLife({ createdAt, updatedAt = createdAt, revision = 1, transitions = [] }: StoredRecord): object {
  if (createdAt === undefined) return {};
  return {
    createdAt: toTime(createdAt),
    updatedAt: toTime(updatedAt!),
    revision,
    transitions: transitions.map(({ at, ...move }) => ({ at: toTime(at), ...move })),
  };
}

/** A fact as it reads among the records near it. */
export function toRow(kind: Kind, fact: StoredRecord, near: RecordsInView, today: string): PresentedRecord {
  const { id, ref, createdAt, updatedAt, revision, transitions, asked, outcome, evidence, ...body } = fact;
  const isKnown = (of: string, other: string) => near.isKnown(of, other);
  const { links, status, ...derived } = kind.present(fact, {
    today,
    isKnown,
    occupants: near.occupantsOf(id),
  });
  const example = createdAt === undefined;
  return {
    id,
    ...(ref !== undefined && { ref }),
    ...body,
    status,
    ...derived,
    ...toLife(fact),
    example,
    links,
  } as unknown as PresentedRecord;
}

/** The seed as of its published day. */
export function toSeedView({ asOf, facts }: Seed): SeedView {
  const all = kinds.flatMap((kind) => facts[kind.name]!.map((fact) => ({ kind, fact })));
  const occupied = all.flatMap(({ kind, fact }) => toOccupied(kind, fact));
  const byId = new Map<string, SeedRecord>();
  const seed = { rows: {} as Record<string, Positioned<PresentedRecord>[]>, byId, today: asOf };
  for (const { kind, fact } of all) {
    const occupants = occupied.filter((id) => id === fact.id).length;
    byId.set(fact.id, { kind, fact, occupants, row: Json.of<PresentedRecord>({} as PresentedRecord) });
  }
  const near = new RecordsInView(seed);
  for (const record of byId.values()) record.row = Json.of(toRow(record.kind, record.fact, near, asOf));
  for (const { name } of kinds) {
    seed.rows[name] = facts[name]!.map(({ id }, position) => ({ row: byId.get(id)!.row, position }));
  }
  return seed;
}

/** A record of the seed as a workspace sees it, whose own records may hold it. */
export function toSeedRow(
  seed: SeedView,
  { kind, fact, occupants, row }: SeedRecord,
  near: RecordsInView,
): Json<PresentedRecord> {
  if (near.occupantsOf(fact.id) === occupants) return row;
  return Json.of(toRow(kind, fact, near, seed.today));
}
