import { toDay } from '../model/calendar-date.ts';
import type { FactOf, Kind, RecordOf, StoredRecord } from '../model/record.ts';
import type { Catalogue } from './catalogue.ts';
import type { Positioned } from './page.ts';
import { presenters, type Surroundings, toPlacementStatus } from './present.ts';
import { quote } from './quote.ts';

type Ids = Record<'candidate' | 'jobOrder', ReadonlySet<string>>;
type Rows = { [K in Kind]: Positioned<RecordOf[K]>[] };
type Facts = { [K in Kind]: Positioned<FactOf[K]>[] };

/** The records that a caller sees, as they read together. */
export interface View extends Rows {
  known: Ids;
  /** Held by a placement that has not ended early. */
  taken: Ids;
}

const nothing: View = {
  candidate: [],
  jobOrder: [],
  placement: [],
  known: { candidate: new Set(), jobOrder: new Set() },
  taken: { candidate: new Set(), jobOrder: new Set() },
};

function union<F>(
  base: ReadonlySet<string>,
  facts: Positioned<F>[],
  toId: (row: F) => string,
): ReadonlySet<string> {
  return facts.length === 0 ? base : new Set([...base, ...facts.map(({ row }) => toId(row))]);
}

/** `facts` laid over `base`: its rows come first, and its placements may take what lies below. */
function layOver(base: View, facts: Facts, { today, example }: { today: string; example: boolean }): View {
  const holding = facts.placement.filter(({ row }) => toPlacementStatus(row, today) !== 'ended-early');
  const known = {
    candidate: union(base.known.candidate, facts.candidate, (row) => row.id),
    jobOrder: union(base.known.jobOrder, facts.jobOrder, (row) => row.id),
  };
  const taken = {
    candidate: union(base.taken.candidate, holding, (row) => row.candidateId),
    jobOrder: union(base.taken.jobOrder, holding, (row) => row.jobOrderId),
  };
  const around: Surroundings = { today, example, known, taken };
  const present = <K extends Kind>(kind: K) =>
    facts[kind].map(({ row, position }) => ({ row: presenters[kind](row, around), position }));
  const below = <R extends { id: string; status: string }>(
    rows: Positioned<R>[],
    held: ReadonlySet<string>,
    status: R['status'],
  ) =>
    rows.map((entry) =>
      held.has(entry.row.id) && entry.row.status !== status
        ? { row: { ...entry.row, status }, position: entry.position }
        : entry,
    );
  return {
    known,
    taken,
    candidate: [...present('candidate'), ...below(base.candidate, taken.candidate, 'placed')],
    jobOrder: [...present('jobOrder'), ...below(base.jobOrder, taken.jobOrder, 'filled')],
    placement: [...present('placement'), ...base.placement],
  };
}

function withText<R>(entries: Positioned<R>[]): Positioned<R>[] {
  return entries.map((entry) => {
    const text = JSON.stringify(entry.row);
    return { ...entry, text, quoted: quote(text) };
  });
}

/** The seed as of its published day, in the order of its content files, from position 0, each row written out. */
export function toSeedView({ seed }: Catalogue): View {
  const place = <F>(facts: F[]) => facts.map((row, position) => ({ row, position }));
  const facts = {
    candidate: place(seed.candidates),
    jobOrder: place(seed.jobOrders),
    placement: place(seed.placements),
  };
  const view = layOver(nothing, facts, { today: seed.asOf, example: true });
  return {
    ...view,
    candidate: withText(view.candidate),
    jobOrder: withText(view.jobOrder),
    placement: withText(view.placement),
  };
}

/**
 * Records of a workspace, oldest first, as of `now` over the seed: they come first, newest first, at negative
 * positions.
 */
export function toWorkspaceView(seed: View, records: readonly StoredRecord[], now: number): View {
  const newestFirst = records.toReversed();
  const place = <K extends Kind>(kind: K) =>
    newestFirst
      .filter((record): record is StoredRecord & { fact: FactOf[K] } => record.kind === kind)
      .map(({ fact, seq }) => ({ row: fact, position: -seq }));
  return layOver(
    seed,
    { candidate: place('candidate'), jobOrder: place('jobOrder'), placement: place('placement') },
    { today: toDay(now), example: false },
  );
}

/**
 * A fact as it reads at once after its create, among the records that were there before it. Its id is
 * fresh, so no placement can hold it yet.
 */
export function toNewRecord<K extends Kind>(
  kind: K,
  fact: FactOf[K],
  { seed, before, now }: { seed: View; before: readonly StoredRecord[]; now: number },
): RecordOf[K] {
  const isOwn = (of: Kind, id: string) => before.some((one) => one.kind === of && one.fact.id === id);
  const known = {
    candidate: { has: (id: string) => seed.known.candidate.has(id) || isOwn('candidate', id) },
    jobOrder: { has: (id: string) => seed.known.jobOrder.has(id) || isOwn('jobOrder', id) },
  };
  return presenters[kind](fact, { today: toDay(now), example: false, known, taken: nothing.taken });
}
