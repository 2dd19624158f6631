import { Json } from '../kernel/json.ts';
import { toIsoDate } from '../kernel/text.ts';
import type { Entry, StoredRecord } from '../workspace/record.ts';
import { View } from '../workspace/view.ts';
import type { RecordTest } from './filters.ts';
import type { Kind } from './kind.ts';
import type { PresentedRecord, ViewedRecord } from './record.ts';
import type { Scope } from './scope.ts';
import type { Context } from './service.ts';
import { presentRecord, presentSeed, readFromRow } from './view.ts';

/** Opens the records that a caller sees: those of the seed and of its workspace. */
export const openView = ({ service, workspace }: Context): View =>
  new View(service.seed.workspace, workspace?.contents);

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
    this.#row ??= Json.of(presentRecord(this.#kind, this.record, this.#view, this.#today));
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
    for (let at = entries.length - 1; at >= 0; at -= 1)
      if (-entries[at]!.seq > after) yield viewEntry(kind, entries[at]!, view, today);
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

/** Visits the records of a kind that pass all tests. It pauses in between, so that other clients get their turn. */
export async function visitInView(kind: Kind, { tests, scope, alone, visit }: Visit, context: Context) {
  const { service, call } = context;
  let hasPassed = false;
  for (const row of listInView(kind, { scope }, context)) {
    const failedTest = tests.find(({ passes }) => !passes(row));
    if (!failedTest) {
      hasPassed = true;
      visit(row);
    } else if (alone && !hasPassed && tests.every((test) => test === failedTest || test.passes(row)))
      alone.add(failedTest.name);
    const paused = service.platform.pause(call.client);
    if (paused) await paused;
  }
}
