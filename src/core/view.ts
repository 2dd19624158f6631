import { toDay } from '../model/calendar-date.ts';
import type { FactOf, Kind, RecordOf, StoredRecord } from '../model/record.ts';
import type { Catalogue } from './catalogue.ts';
import type { Positioned } from './page.ts';
import { type Surroundings, toCandidate, toJobOrder, toPlacement, toPlacementStatus } from './present.ts';
import type { Workspace } from './store.ts';

type Rows = { [K in Kind]: Positioned<RecordOf[K]>[] };
type Facts = { [K in Kind]: Positioned<FactOf[K]>[] };

/** The records that a caller sees, as they read together. */
export interface View extends Rows {
  ids: ReadonlySet<string>;
  /** Candidates and job orders held by a placement that has not ended early. */
  taken: ReadonlySet<string>;
}

const nothing: View = { candidate: [], jobOrder: [], placement: [], ids: new Set(), taken: new Set() };

/** `facts` laid over `base`: its rows come first, and its placements may take what lies below. */
function layOver(base: View, facts: Facts, { today, example }: { today: string; example: boolean }): View {
  const ids = new Set(base.ids);
  const taken = new Set(base.taken);
  for (const { row } of [...facts.candidate, ...facts.jobOrder, ...facts.placement]) ids.add(row.id);
  for (const { row } of facts.placement) {
    if (toPlacementStatus(row, today) !== 'ended-early') taken.add(row.candidateId).add(row.jobOrderId);
  }
  const around: Surroundings = {
    today,
    example,
    isKnown: (id) => ids.has(id),
    isTaken: (id) => taken.has(id),
  };
  const present = <F, R>(rows: Positioned<F>[], toRecord: (fact: F, around: Surroundings) => R) =>
    rows.map(({ row, position }) => ({ row: toRecord(row, around), position }));
  const below = <R extends { id: string; status: string }>(rows: Positioned<R>[], status: R['status']) =>
    rows.map((entry) => (taken.has(entry.row.id) ? { ...entry, row: { ...entry.row, status } } : entry));
  return {
    ids,
    taken,
    candidate: [...present(facts.candidate, toCandidate), ...below(base.candidate, 'placed')],
    jobOrder: [...present(facts.jobOrder, toJobOrder), ...below(base.jobOrder, 'filled')],
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
