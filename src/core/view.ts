import { toDay } from '../model/calendar-date.ts';
import type { FactOf, Kind, RecordOf, StoredRecord } from '../model/record.ts';
import type { Catalogue } from './catalogue.ts';
import type { Positioned } from './page.ts';
import {
  type References,
  type Surroundings,
  toCandidate,
  toJobOrder,
  toPlacement,
  toPlacementStatus,
} from './present.ts';
import type { Workspace } from './store.ts';

type Rows = { [K in Kind]: Positioned<RecordOf[K]>[] };
type Facts = { [K in Kind]: Positioned<FactOf[K]>[] };

/** The records that a caller sees, as they read together. */
export interface View extends Rows {
  known: References;
  /** Held by a placement that has not ended early. */
  taken: References;
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
  const present = <F, R>(rows: Positioned<F>[], toRecord: (fact: F, around: Surroundings) => R) =>
    rows.map(({ row, position }) => ({ row: toRecord(row, around), position }));
  const below = <R extends { id: string; status: string }>(
    rows: Positioned<R>[],
    held: ReadonlySet<string>,
    status: R['status'],
  ) => rows.map((entry) => (held.has(entry.row.id) ? { ...entry, row: { ...entry.row, status } } : entry));
  return {
    known,
    taken,
    candidate: [
      ...present(facts.candidate, toCandidate),
      ...below(base.candidate, taken.candidate, 'placed'),
    ],
    jobOrder: [...present(facts.jobOrder, toJobOrder), ...below(base.jobOrder, taken.jobOrder, 'filled')],
    placement: [...present(facts.placement, toPlacement), ...base.placement],
  };
}

/** The seed as of its published day, in the order of its content files, from position 0. */
export function toSeedView({ seed }: Catalogue): View {
  const place = <F>(facts: F[]) => facts.map((row, position) => ({ row, position }));
  return layOver(
    nothing,
    {
      candidate: place(seed.candidates),
      jobOrder: place(seed.jobOrders),
      placement: place(seed.placements),
    },
    { today: seed.asOf, example: true },
  );
}

/** A workspace as of `now` over the seed: its records come first, newest first, at negative positions. */
export function toWorkspaceView(seed: View, workspace: Workspace, now: number): View {
  const newestFirst = workspace.records.toReversed();
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
