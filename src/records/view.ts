import { Json } from '../kernel/json.ts';
import { toIsoTime } from '../kernel/text.ts';
import { noCalls } from '../workspace/charge.ts';
import type { Head } from '../workspace/head.ts';
import { measureBytes, type StoredRecord } from '../workspace/record.ts';
import { View } from '../workspace/view.ts';
import { Workspace } from '../workspace/workspace.ts';
import type { Kind } from './kind.ts';
import { createListReferences } from './kind-list.ts';
import type { PresentedRecord, ViewedRecord } from './record.ts';

interface SeedRecord extends ViewedRecord {
  kind: Kind;
}

export interface SeedView {
  /** By the name of their kind, in the order of the content files, from position 0. */
  rows: Readonly<Record<string, SeedRecord[]>>;
  byId: ReadonlyMap<string, SeedRecord>;
  today: string;
  /** The same records, as those of a workspace are held. */
  workspace: Workspace;
}

export interface Seed {
  /** The day whose statuses the seed records show. */
  asOf: string;
  /** By the name of their kind, in the order of the content. */
  facts: Readonly<Record<string, StoredRecord[]>>;
}

/** When a record of a workspace was created and changed; a seed record has none of it. */
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
  const { id, ref, createdAt, updatedAt, revision, transitions, asked, outcome, evidence, ...body } = record;
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

/** A head for records that no store has: it never changes and never expires. Its workspace is made on the day of the seed. */
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

/** Puts the records of the content into a workspace that only the service reads. */
function createSeedWorkspace({ asOf, facts }: Seed, kinds: readonly Kind[]): Workspace {
  const head = { ...seedHead, createdAt: Date.parse(`${asOf}T00:00:00Z`) };
  const workspace = new Workspace(head, createListReferences(kinds));
  let seq = 0;
  for (const { name } of kinds)
    for (const record of facts[name]!) {
      seq += 1;
      workspace.put({ kind: name, seq, record, bytes: measureBytes(JSON.stringify(record)) });
    }
  return workspace;
}

export function createSeedView(seed: Seed, kinds: readonly Kind[]): SeedView {
  const { asOf, facts } = seed;
  const workspace = createSeedWorkspace(seed, kinds);
  const view = new View(workspace);
  const byId = new Map<string, SeedRecord>();
  const rows: Record<string, SeedRecord[]> = {};
  for (const kind of kinds) {
    rows[kind.name] = facts[kind.name]!.map((record, position) => {
      const row = new Json({ value: () => presentRecord(kind, record, view, asOf) });
      return { kind, record, row, status: () => row.value.status, position };
    });
    for (const one of rows[kind.name]!) byId.set(one.record.id, one);
  }
  return { rows, byId, today: asOf, workspace };
}

/** Presents a record of the seed as a workspace sees it: records of the workspace may refer to it. */
export function presentSeed(one: SeedRecord, view: View, today: string): Json<PresentedRecord> {
  const isReferredTo = (view.workspace?.listReferring(one.record.id).size ?? 0) > 0;
  return isReferredTo ? Json.of(presentRecord(one.kind, one.record, view, today)) : one.row;
}
