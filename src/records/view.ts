import { Json } from '../kernel/json.ts';
import type { Positioned } from '../kernel/page.ts';
import { toDay } from '../kernel/text.ts';
import type { Fact, Kind, Row } from './kind.ts';
import { kinds, toKindOf } from './kinds.ts';
import type { Store, StoredRecord } from './store.ts';

type Ids = Readonly<Record<string, ReadonlySet<string>>>;
type Facts = Readonly<Record<string, { row: Fact; position: number }[]>>;

/** The records that a caller sees, as they read together; each by the name of its kind. */
export interface View {
  rows: Readonly<Record<string, Positioned<Row>[]>>;
  /** Every id in view. */
  known: Ids;
  /** The ids of those that another record holds. */
  held: Ids;
}

/** The seed as content/seed has it. */
interface Seed {
  /** The day whose statuses the seed records show. */
  asOf: string;
  /** By the name of their kind, in the order of the content. */
  facts: Readonly<Record<string, Fact[]>>;
}

declare module '../kernel/service.ts' {
  interface Catalogue {
    seed: Seed;
  }
  interface Service {
    seed: View;
    store: Store;
  }
}

function ofEach<T>(make: (kind: Kind) => T): Record<string, T> {
  return Object.fromEntries(kinds.map((kind) => [kind.name, make(kind)]));
}

const nothing: View = {
  rows: ofEach(() => []),
  known: ofEach(() => new Set()),
  held: ofEach(() => new Set()),
};

/** The members of a fact that hold the id of a record, and the kind that it is of. */
export function toReferences(kindName: string, fact: Fact): { member: string; kind: string; id: string }[] {
  const references = Object.entries(toKindOf(kindName).references);
  return references.map(([member, kind]) => ({ member, kind, id: fact[member] as string }));
}

function union(base: ReadonlySet<string>, ids: string[]): ReadonlySet<string> {
  return ids.length === 0 ? base : new Set([...base, ...ids]);
}

/** `facts` laid over `base`: its rows come first, and they may hold what lies below. */
function layOver(base: View, facts: Facts, { today, example }: { today: string; example: boolean }): View {
  const holding = kinds.flatMap((kind) =>
    facts[kind.name]!.filter(({ row }) => kind.holds?.(row, today)).flatMap(({ row }) =>
      toReferences(kind.name, row),
    ),
  );
  const known = ofEach(({ name }) =>
    union(
      base.known[name]!,
      facts[name]!.map(({ row }) => row.id),
    ),
  );
  const held = ofEach(({ name }) =>
    union(
      base.held[name]!,
      holding.flatMap(({ kind, id }) => (kind === name ? [id] : [])),
    ),
  );
  const isKnown = (kind: string, id: string) => known[kind]!.has(id);
  const rows = ofEach(({ name, heldStatus: status, present }) => {
    const own = facts[name]!.map(({ row, position }) => {
      const isHeld = held[name]!.has(row.id);
      return { row: Json.of(present(row, { today, example, isKnown, isHeld })), position };
    });
    if (status === undefined) return [...own, ...base.rows[name]!];
    const below = base.rows[name]!.map((entry) =>
      held[name]!.has(entry.row.value.id) && entry.row.value.status !== status
        ? { row: Json.of({ ...entry.row.value, status }), position: entry.position }
        : entry,
    );
    return [...own, ...below];
  });
  return { rows, known, held };
}

/** The seed as of its published day, in the order of its content files, from position 0. */
export function toSeedView({ asOf, facts }: Seed): View {
  const placed = ofEach(({ name }) => facts[name]!.map((row, position) => ({ row, position })));
  return layOver(nothing, placed, { today: asOf, example: true });
}

/**
 * Records of a workspace, oldest first, as of `now` over the seed: they come first, newest first, at negative
 * positions.
 */
export function toWorkspaceView(seed: View, records: readonly StoredRecord[], now: number): View {
  const newestFirst = records.toReversed();
  const facts = ofEach(({ name }) =>
    newestFirst
      .filter((record) => record.kind === name)
      .map(({ fact, seq }) => ({ row: fact, position: -seq })),
  );
  return layOver(seed, facts, { today: toDay(now), example: false });
}

/** What a new record is made beside: the seed, and those of its workspace that it refers to. */
export interface Around {
  seed: View;
  before: readonly StoredRecord[];
  /** In milliseconds since the epoch. */
  now: number;
}

/** Whether a record of a kind with this id is there. */
export function isKnownIn({ seed, before }: Around, kind: string, id: string): boolean {
  return seed.known[kind]!.has(id) || before.some((one) => one.kind === kind && one.fact.id === id);
}

/** A fact as it reads at once after its create. Its id is fresh, so that nothing can hold it yet. */
export function toNewRow(kind: Kind, fact: Fact, around: Around): Row {
  const isKnown = (of: string, id: string) => isKnownIn(around, of, id);
  return kind.present(fact, { today: toDay(around.now), example: false, isKnown, isHeld: false });
}
