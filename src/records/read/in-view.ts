import { Json } from '../../kernel/json.ts';
import type { Steps } from '../../kernel/steps.ts';
import { toIsoDate } from '../../kernel/text.ts';
import type { Entry, StoredRecord } from '../../workspace/record.ts';
import { View } from '../../workspace/view.ts';
import type { RecordTest } from '../kind/filters.ts';
import type { Kind } from '../kind/kind.ts';
import type { PresentedRecord, ViewedRecord } from '../kind/record.ts';
import type { Context } from '../service.ts';
import type { Scope } from './scope.ts';
import { presentRecord, presentSeed, readFromRow } from './view.ts';

/** Opens the records that a caller sees: those of the seed and of its workspace. */
export const openView = ({ service, workspace }: Context): View =>
  new View(service.seed.workspace, workspace?.contents);

/** Returns how many entries have a number below `seq`. Entries are in the order of their numbers. */
export function findPlace(entries: readonly Entry[], seq: number): number {
  let [from, to] = [0, entries.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (entries[middle]!.seq < seq) from = middle + 1;
    else to = middle;
  }
  return from;
}

interface Range {
  scope: Scope;
  /** Only records after this position are listed. */
  after?: number;
}

/** A record of a workspace, as a list shows it on a UTC day. */
class OwnRecord implements ViewedRecord {
  readonly record: StoredRecord;
  readonly position: number;
  readonly #kind: Kind;
  readonly #view: View;
  readonly #today: string;
  #row: Json<PresentedRecord> | undefined;

  constructor(kind: Kind, { record, seq }: Entry, view: View, today: string) {
    this.record = record;
    this.position = -seq;
    this.#kind = kind;
    this.#view = view;
    this.#today = today;
  }

  status(): string {
    return this.#kind.readStatus(this.record, this.#view, this.#today);
  }

  derive(member: string): unknown {
    return this.#kind.present(this.record, this.#view, this.#today)[member];
  }

  get row(): Json<PresentedRecord> {
    this.#row ??= new Json({
      value: () => presentRecord(this.#kind, this.record, this.#view, this.#today),
    });
    return this.#row;
  }
}

/** Returns a record of a workspace with its position in lists. The newest record comes first. */
export const viewEntry = (kind: Kind, entry: Entry, view: View, today: string): ViewedRecord =>
  new OwnRecord(kind, entry, view, today);

/** Yields the records of a kind in a scope: those of the workspace, newest first, then those of the seed. */
export function* listInView(
  kind: Kind,
  { scope, after = Number.NEGATIVE_INFINITY }: Range,
  context: Context,
): Generator<ViewedRecord> {
  const { service, workspace } = context;
  const { seed, platform } = service;
  const view = openView(context);
  const today = toIsoDate(platform.now());
  if (workspace && scope !== 'public') {
    const entries = workspace.contents.list(kind.name);
    for (let at = findPlace(entries, -after) - 1; at >= 0; at -= 1)
      yield viewEntry(kind, entries[at]!, view, today);
  }
  if (scope === 'workspace') return;
  for (const seedRecord of seed.rows[kind.name]!) {
    if (seedRecord.position <= after) continue;
    const row = scope === 'all' ? presentSeed(seedRecord, view, today) : seedRecord.row;
    yield row === seedRecord.row ? seedRecord : { ...seedRecord, ...readFromRow(row) };
  }
}

interface Visit {
  tests: readonly RecordTest[];
  scope: Scope;
  /** Collects the names of tests that alone excluded a record. Ends once a record passes all tests. */
  alone?: Set<string> | undefined;
  visit(row: ViewedRecord): void;
}

/** Visits the records of a kind that pass all tests. Each step looks at one record. */
export function* visitInView(
  kind: Kind,
  { tests, scope, alone, visit }: Visit,
  context: Context,
): Steps<void> {
  let hasPassed = false;
  for (const row of listInView(kind, { scope }, context)) {
    const failedTest = tests.find(({ passes }) => !passes(row));
    if (!failedTest) {
      hasPassed = true;
      visit(row);
    } else if (alone && !hasPassed && tests.every((test) => test === failedTest || test.passes(row)))
      alone.add(failedTest.name);
    yield;
  }
}
