import { statSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type {
  Change,
  Changed,
  Charge,
  FollowedHead,
  Found,
  Slice,
  StoreEntry,
  WorkspaceHead,
} from '../records/store.ts';
import { type Decided, decideOn, type KeptHead } from './decided.ts';
import { toChargeLog } from './sqlite-charge-log.ts';
import type { ChargesInMemory } from './sqlite-charges.ts';
import { openDatabase } from './sqlite-file.ts';
import { toKeys } from './sqlite-keys.ts';
import { toReader } from './sqlite-read.ts';
import { toOverdue, toSweep } from './sqlite-sweep.ts';
import { toForget, toWriter } from './sqlite-write.ts';

/** Milliseconds after which a transaction takes no more changes, so that others have their turn. */
const commitMs = 5;
const toBytes = (hex: string) => Buffer.from(hex, 'hex');
/** Behind every workspace: one of these is written by a check, and the other forgotten. */
const probeHashes = ['ff', 'fe'].map((end) => toBytes(end.padStart(64, 'f'))) as [Buffer, Buffer];
/** As large as a large record, and written before the one before it is removed: a full disk has no room for it. */
const probeFact = { id: 'check', onetCode: '', padding: ' '.repeat(16_384) };

/** What came of one change of a group: its result and the records that it made, or what its decision threw. */
type Outcome = { changed: Changed<unknown>; creates: number } | { thrown: unknown };

/** One open database: every verb throws what SQLite throws. */
interface SqliteSession {
  /**
   * Does some changes in their order, from the first on as many as a few milliseconds allow, in one transaction that is
   * on disk when it returns.
   */
  commit(changes: readonly Change<unknown>[]): Outcome[];
  open(hash: string, now: number): WorkspaceHead | undefined;
  follow(name: string, now: number): FollowedHead | undefined;
  find(key: string, names: readonly string[]): Found[];
  read(key: string, slice: Slice): StoreEntry[];
  charge(key: string, charge: Charge): boolean;
  /** Logs some of what was charged in memory, in one transaction. */
  logCharges(): void;
  /** Writes some of what was charged into the rows of workspaces, in one transaction, where it is time for that. */
  foldCharges(): void;
  /** Writes as a change does, and is on disk when it returns; the sweep forgets it once it expired. */
  tryWrite(now: number, expiresAt: number): void;
  sweep(now: number): boolean;
  /** How long what expired first has waited, in milliseconds. */
  overdue(now: number): number;
  /** Whether the file is no longer where it was opened: moved, removed or replaced. */
  isElsewhere(): boolean;
  close(): void;
}

function within<T>(database: DatabaseSync, charges: ChargesInMemory, run: () => T): T {
  let isDone = false;
  try {
    database.exec('BEGIN IMMEDIATE');
    const result = run();
    database.exec('COMMIT');
    isDone = true;
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  } finally {
    charges.settle(isDone);
  }
}

/**
 * Opens the database at `path`; throws a plain message where it is not ours (see `openDatabase`). `numbers.last` is
 * the number that a workspace was given last: it goes up only, over every session that it is handed to, as `charges` is.
 */
export function openSession(
  path: string,
  numbers: { last: number },
  charges: ChargesInMemory,
): SqliteSession {
  const database = openDatabase(path);
  const [reader, writer, keys] = [toReader(database), toWriter(database), toKeys(database)];
  const forget = toForget(database);
  const findLast = database.prepare('SELECT max(number) AS last FROM workspaces');
  let isCounted = false;
  const toNext = () => {
    if (!isCounted) numbers.last = Math.max(numbers.last, Number(findLast.get()?.last));
    isCounted = true;
    numbers.last += 1;
    return numbers.last;
  };
  const log = toChargeLog(database, {
    charges,
    read: reader.used,
    write: writer.use,
    within: (run) => within(database, charges, run),
  });
  try {
    log.recover();
  } catch {
    // A full disk, where what can be read is answered; it is done before the first write that goes through.
  }
  const toPlace = () => statSync(path, { throwIfNoEntry: false });
  const opened = toPlace();

  function open(hash: Uint8Array, now: number): KeptHead | undefined {
    const head = reader.open(hash, now);
    return head && charges.with(head);
  }

  function apply(change: Change<unknown>): Outcome {
    const { key, now, mint: isMint, needs } = change;
    const repeated = key && keys.repeat(key, now);
    if (repeated) return { changed: repeated, creates: 0 };
    const hash = toBytes(change.workspace);
    const head = isMint ? undefined : open(hash, now);
    if (!isMint && !head) return { changed: { result: 'unknown' }, creates: 0 };
    const found = needs.map((name) => (head ? reader.find(Number(head.key), name) : { occupants: 0 }));
    let decided: Decided<unknown> | 'full' | 'over';
    try {
      decided = decideOn(change, found, head);
    } catch (thrown) {
      return { thrown };
    }
    if (typeof decided === 'string') return { changed: { result: decided }, creates: 0 };
    const { answer, reply, writing, puts } = decided;
    const number = head ? Number(head.key) : toNext();
    if (writing.forget) forget(number);
    else if (head) writer.change(number, decided);
    else if (!writer.make(number, hash, decided)) return { changed: { result: 'unknown' }, creates: 0 };
    charges.wrote(String(number));
    if (key && reply !== undefined && !writing.forget) keys.keep(key, change.expiresAt, number, reply);
    return { changed: { result: 'done', answer }, creates: puts.filter(({ was }) => !was).length };
  }

  function writeProbe(now: number, expiresAt: number): void {
    const decided = decideOn(
      {
        workspace: '',
        mint: true,
        now,
        expiresAt,
        ceiling: { records: 1, bytes: 0 },
        needs: [],
        decide: () => ({ writing: { puts: [{ kind: 'check', fact: probeFact }] }, answer: undefined }),
      },
      [],
      undefined,
    ) as Decided<undefined>;
    const [one, other] = probeHashes.map((hash) => reader.open(hash, 0));
    writer.make(toNext(), probeHashes[one ? 1 : 0], decided);
    for (const old of [one, other]) if (old) forget(Number(old.key));
  }

  return {
    commit(changes) {
      log.recover();
      return within(database, charges, () => {
        const end = performance.now() + commitMs;
        const outcomes: Outcome[] = [];
        do outcomes.push(apply(changes[outcomes.length]!));
        while (outcomes.length < changes.length && performance.now() < end);
        return outcomes;
      });
    },
    open: (hash, now) => open(toBytes(hash), now),
    follow(name, now) {
      const head = reader.follow(toBytes(name), now);
      return head && charges.with(head);
    },
    find: (key, names) => names.map((name) => reader.find(Number(key), name)),
    read: (key, slice) => reader.read(Number(key), slice),
    charge(key, charge) {
      const { revision } = charge.limit ?? {};
      const isOther = revision !== undefined && reader.revision(Number(key)) !== revision;
      return !isOther && charges.charge(key, charge, () => reader.used(Number(key)));
    },
    logCharges: log.log,
    foldCharges: log.fold,
    tryWrite(now, expiresAt) {
      log.recover();
      within(database, charges, () => writeProbe(now, expiresAt));
    },
    sweep: toSweep(database),
    overdue: toOverdue(database),
    isElsewhere() {
      if (path === ':memory:') return false;
      const place = toPlace();
      return place?.ino !== opened?.ino || place?.dev !== opened?.dev;
    },
    close() {
      database.close();
    },
  };
}
