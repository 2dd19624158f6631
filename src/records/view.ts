import { Json } from '../kernel/json.ts';
import type { Context } from '../kernel/operation.ts';
import { toTime } from '../kernel/text.ts';
import type { Kind } from './kind.ts';
import { kinds } from './kinds.ts';
import { type PresentedRecord, type StoredRecord, toRefName, type ViewedRecord } from './record.ts';
import { RecordsInView } from './records-in-view.ts';
import type { Store } from './store.ts';

interface SeedRecord extends ViewedRecord {
  kind: Kind;
  /** Records of the seed that occupy it. */
  occupants: number;
}

interface SeedView {
  /** By the name of their kind, in the order of the content files, from position 0. */
  rows: Readonly<Record<string, SeedRecord[]>>;
  byId: ReadonlyMap<string, SeedRecord>;
  today: string;
}

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

export function present(
  kind: Kind,
  record: StoredRecord,
  near: RecordsInView,
  today: string,
): PresentedRecord {
  const { id, ref, createdAt, updatedAt, revision, transitions, asked, outcome, evidence, ...body } = record;
  const { links, status, ...derived } = kind.present(record, near, today);
  return {
    id,
    ...(ref !== undefined && { ref }),
    ...body,
    status,
    ...derived,
    ...toLife(record),
    example: createdAt === undefined,
    links: { self: `${kind.path}/${id}`, ...links },
  } as unknown as PresentedRecord;
}

/** The names that a store knows what the references of a body by: ids, and those of refs. */
export function toReferenceNames(kind: Kind, body: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(kind.references).flatMap(([member, of]) => {
    const reference = body[member];
    if (typeof reference !== 'string') return [];
    return [reference.startsWith('#') ? toRefName(of, reference.slice(1)) : reference];
  });
}

/** What is near some records of a kind in a workspace: who occupies them, and what they refer to. */
export async function readNear(
  kind: Kind,
  records: readonly StoredRecord[],
  { service, workspace }: Context,
): Promise<RecordsInView> {
  const needed = records.flatMap((one) => [...kind.occupiedAs(one.id), ...toReferenceNames(kind, one)]);
  const names = [...new Set(needed)];
  const found = names.length > 0 ? await service.store.find(workspace!.key, names) : [];
  return new RecordsInView(service.seed, names, found);
}

export function toSeedView({ asOf, facts }: Seed): SeedView {
  const occupied = kinds.flatMap((kind) => facts[kind.name]!.flatMap((one) => kind.occupies(one)));
  const byId = new Map<string, SeedRecord>();
  const near = new RecordsInView({ byId });
  const rows: Record<string, SeedRecord[]> = {};
  for (const kind of kinds) {
    rows[kind.name] = facts[kind.name]!.map((record, position) => {
      const occupants = occupied.filter((id) => id === record.id).length;
      const row = new Json({ value: () => present(kind, record, near, asOf) });
      return { kind, record, occupants, row, status: () => row.value.status, position };
    });
    for (const one of rows[kind.name]!) byId.set(one.record.id, one);
  }
  return { rows, byId, today: asOf };
}

/** A record of the seed as a workspace sees it, whose own records may occupy it. */
export function presentSeed(
  seed: SeedView,
  { kind, record, row }: SeedRecord,
  near: RecordsInView,
): Json<PresentedRecord> {
  const isAsInSeed = (name: string) => near.occupantsOf(name) === (seed.byId.get(name)?.occupants ?? 0);
  if (kind.occupiedAs(record.id).every(isAsInSeed)) return row;
  return Json.of(present(kind, record, near, seed.today));
}
