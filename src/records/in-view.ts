import { Json } from '../kernel/json.ts';
import { toIsoDate } from '../kernel/text.ts';
import type { Entry } from '../workspace/record.ts';
import { View } from '../workspace/view.ts';
import type { RecordTest } from './filters.ts';
import type { Kind } from './kind.ts';
import type { ViewedRecord } from './record.ts';
import type { Context } from './service.ts';
import { presentRecord, presentSeed } from './view.ts';

/** The records that the caller of an operation sees. */
export const openView = ({ service, workspace }: Context): View =>
  new View(service.seed.workspace, workspace?.contents);

interface Range {
  scope?: string | undefined;
  /** The position that records come after. */
  after?: number;
}

/** A record of a workspace at its place in lists: the newest is the first. */
export function viewEntry(kind: Kind, { record, seq }: Entry, view: View, today: string): ViewedRecord {
  return {
    record,
    position: -seq,
    status: () => kind.present(record, view, today).status,
    row: new Json({ value: () => presentRecord(kind, record, view, today) }),
  };
}

/** Yields the records of a kind that a caller sees: those of its workspace, newest first, then those of the seed. */
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
  const isSeen = workspace && scope !== 'public';
  for (const one of seed.rows[kind.name]!) {
    if (one.position <= after) continue;
    const row = isSeen ? presentSeed(one, view, today) : one.row;
    yield row === one.row ? one : { ...one, row, status: () => row.value.status };
  }
}

interface Visit {
  tests: readonly RecordTest[];
  scope?: string | undefined;
  /** Until one record passes, it gets the name of each test that was the only one a record failed. */
  alone?: Set<string> | undefined;
  visit(one: ViewedRecord): void;
}

/** Visits the records of a kind that pass all tests. Other clients have their turn in between. */
export async function visitInView(kind: Kind, { tests, scope, alone, visit }: Visit, context: Context) {
  const { service, call } = context;
  let isAny = false;
  for (const one of listInView(kind, { scope }, context)) {
    const failed = tests.find(({ passes }) => !passes(one));
    if (!failed) {
      isAny = true;
      visit(one);
    } else if (alone && !isAny && tests.every((test) => test === failed || test.passes(one)))
      alone.add(failed.name);
    const paused = service.platform.pause(call.client);
    if (paused) await paused;
  }
}
