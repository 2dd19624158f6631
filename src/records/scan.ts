import { Json } from '../kernel/json.ts';
import type { Context } from '../kernel/operation.ts';
import { toDay } from '../kernel/text.ts';
import type { Test } from './filters.ts';
import type { Kind } from './kind.ts';
import { kinds } from './kinds.ts';
import type { StoredRecord, ViewedRecord } from './record.ts';
import { RecordsInView } from './records-in-view.ts';
import type { Slice, StoreEntry } from './store.ts';
import { present, presentSeed, readNear } from './view.ts';

/** Records that are read at once if a filter reads all of them: each may be as large as a record can be, 16 KB of text. */
const scannedAtOnce = 25;

/** Reads the records of a kind in a workspace, in batches between which others have their turn. */
export async function* readOwn(
  { name }: Kind,
  { order, after, size }: Pick<Slice, 'order' | 'after'> & { size(): number },
  { service, workspace, call }: Context,
): AsyncGenerator<StoreEntry[]> {
  const { store, platform } = service;
  for (let last = after; ; ) {
    const limit = size();
    const entries = await store.read(workspace!.key, { kind: name, order, after: last, limit });
    yield entries;
    if (entries.length < limit) return;
    last = entries.at(-1)!.seq;
    await platform.pause(call.client);
  }
}

interface ScanOptions {
  scope?: string | undefined;
  /** The position that those wanted come after. */
  after?: number;
  size?(): number;
}

/** Reads the records of a kind in view, in batches: those of the workspace, newest first, then the seed. */
async function* scan(
  kind: Kind,
  { scope, after = Number.NEGATIVE_INFINITY, size = () => scannedAtOnce }: ScanOptions,
  context: Context,
): AsyncGenerator<ViewedRecord[]> {
  const { service, workspace } = context;
  const { seed, platform } = service;
  const rows = seed.rows[kind.name]!.filter(({ position }) => position > after);
  if (!workspace || scope === 'public') {
    if (scope !== 'workspace') yield rows;
    return;
  }
  const today = toDay(platform.now());
  const tie = kinds.filter(({ references }) => Object.keys(references).length > 0);
  const isAnyTied = tie.some(({ name }) => (workspace.counts[name] ?? 0) > 0);
  const alone = new RecordsInView(seed);
  const toNear = async (records: readonly StoredRecord[]) =>
    isAnyTied ? readNear(kind, records, context) : alone;

  if (after < 0) {
    const slice = { order: 'newest', after: Number.isFinite(after) ? -after : undefined, size } as const;
    for await (const entries of readOwn(kind, slice, context)) {
      const near = await toNear(entries.map(({ fact }) => fact));
      yield entries.map(({ fact, seq }) => ({
        record: fact,
        position: -seq,
        status: () => kind.present(fact, near, today).status,
        row: new Json({ value: () => present(kind, fact, near, today) }),
      }));
    }
  }
  if (scope === 'workspace') return;
  const near = await toNear(rows.map(({ record }) => record));
  yield rows.map((one) => {
    const row = presentSeed(seed, one, near);
    return { ...one, row, status: () => row.value.status };
  });
}

/** Reads those that pass all tests, in batches. Until one passes, `alone` gets each test that a record failed alone. */
export async function* sift(
  kind: Kind,
  tests: readonly Test[],
  options: ScanOptions,
  context: Context,
  alone?: Set<string>,
): AsyncGenerator<ViewedRecord[]> {
  const { call, service } = context;
  let isAny = alone === undefined;
  for await (const batch of scan(kind, options, context)) {
    const kept: ViewedRecord[] = [];
    for (const one of batch) {
      const paused = service.platform.pause(call.client);
      if (paused) await paused;
      const failed = tests.find(({ passes }) => !passes(one));
      if (!failed) kept.push(one);
      else if (!isAny && tests.every((test) => test === failed || test.passes(one))) alone!.add(failed.name);
    }
    isAny ||= kept.length > 0;
    yield kept;
  }
}
