import { countJsonBytes, Json } from '../../kernel/json.ts';
import { toIsoTime } from '../../kernel/text.ts';
import type { Change } from '../../workspace/change.ts';
import { noCalls } from '../../workspace/charge.ts';
import type { Head } from '../../workspace/head.ts';
import type { StoredRecord } from '../../workspace/record.ts';
import { View } from '../../workspace/view.ts';
import { Workspace } from '../../workspace/workspace.ts';
import type { Kind } from '../kind/kind.ts';
import { createListReferences } from '../kind/kind-list.ts';
import type { PresentedRecord, ViewedRecord } from '../kind/record.ts';

interface SeedRecord extends ViewedRecord {
  kind: Kind;
}

export interface SeedView {
  /** Rows by the name of their kind, in the order of the content files. Positions start at 0. */
  rows: Readonly<Record<string, SeedRecord[]>>;
  byId: ReadonlyMap<string, SeedRecord>;
  today: string;
  /** The same records as a workspace. */
  workspace: Workspace;
}

export interface Seed {
  /** The day whose statuses the seed records show. */
  asOf: string;
  /** Records by the name of their kind, in the order of the content files. */
  facts: Readonly<Record<string, StoredRecord[]>>;
}

/** Presents when a record was created and changed. A seed record has no times. */
function presentTimes({
  createdAt,
  updatedAt = createdAt,
  revision = 1,
  transitions = [],
}: StoredRecord): object {
  if (createdAt === undefined) return {};
  return {
    createdAt: toIsoTime(createdAt),
    updatedAt: toIsoTime(updatedAt!),
    revision,
    transitions: transitions.map(({ at, ...move }) => ({ at: toIsoTime(at), ...move })),
  };
}

export function presentRecord(kind: Kind, record: StoredRecord, view: View, today: string): PresentedRecord {
  const { id, ref, createdAt, updatedAt, revision, transitions, history, asked, outcome, evidence, ...body } =
    record;
  const { links, status, ...derived } = kind.present(record, view, today);
  return {
    id,
    ...(ref !== undefined && { ref }),
    ...body,
    status,
    ...derived,
    ...presentTimes(record),
    example: createdAt === undefined,
    links: { self: `${kind.path}/${id}`, ...links },
  } as PresentedRecord;
}

/** Presents a record as it reads after what a change has drafted so far. */
export const presentDrafted = (kind: Kind, id: string, change: Change): PresentedRecord =>
  presentRecord(kind, change.find(kind.name, id)!, change, change.today);

/**
 * The head of the seed's workspace. No store holds it, and it never changes or expires. `createdAt` is replaced
 * with the day of the seed.
 */
const seedHead: Head = {
  key: 'seed',
  hash: '',
  createdAt: 0,
  expiresAt: Number.POSITIVE_INFINITY,
  revision: 0,
  version: '',
  lastSeq: 0,
  bytes: 0,
  counts: {},
  state: {},
  used: noCalls,
};

/** Builds the workspace that holds the seed records. Only the service reads it. */
function createSeedWorkspace({ asOf, facts }: Seed, kinds: readonly Kind[]): Workspace {
  const head = { ...seedHead, createdAt: Date.parse(`${asOf}T00:00:00Z`) };
  const workspace = new Workspace(head, createListReferences(kinds));
  let seq = 0;
  for (const { name } of kinds)
    for (const record of facts[name]!) {
      seq += 1;
      workspace.put({ kind: name, seq, record, bytes: countJsonBytes(record) });
    }
  return workspace;
}

/** Returns a row, with functions that read its derived members from it. */
export const readFromRow = (row: Json<PresentedRecord>): Pick<ViewedRecord, 'row' | 'status' | 'derive'> => ({
  row,
  status: () => row.value.status,
  derive: (member) => row.value[member],
});

export function createSeedView(seed: Seed, kinds: readonly Kind[]): SeedView {
  const { asOf, facts } = seed;
  const workspace = createSeedWorkspace(seed, kinds);
  const view = new View(workspace);
  const byId = new Map<string, SeedRecord>();
  const rows: Record<string, SeedRecord[]> = {};
  for (const kind of kinds) {
    rows[kind.name] = facts[kind.name]!.map((record, position) => {
      const row = new Json({ value: () => presentRecord(kind, record, view, asOf) });
      return { kind, record, ...readFromRow(row), position };
    });
    for (const row of rows[kind.name]!) byId.set(row.record.id, row);
  }
  return { rows, byId, today: asOf, workspace };
}

/**
 * Presents a seed record as the caller sees it. It differs from the cached row only if records of the caller refer
 * to it.
 */
export function presentSeed(seedRecord: SeedRecord, view: View, today: string): Json<PresentedRecord> {
  const isReferredTo = (view.workspace?.listReferring(seedRecord.record.id).size ?? 0) > 0;
  return isReferredTo
    ? Json.of(presentRecord(seedRecord.kind, seedRecord.record, view, today))
    : seedRecord.row;
}
