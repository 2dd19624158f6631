import { Refusal } from '../kernel/refusal.ts';
import type { Added, Addition, Store, StoredRecord } from '../records/store.ts';
import { connect } from './redis-connection.ts';
import { toRedisFault } from './redis-fault.ts';
import { addRecord, findRecords, keepWorkspace, takeKey } from './redis-scripts.ts';
import { readInSlices, readInTurn, recordsAtOnce } from './slices.ts';
import { createFaultCounts } from './store-fault.ts';

const toRecord = (text: string, seq: number): StoredRecord => ({ ...JSON.parse(text), seq });

/** What a record is found by: its id, and what a placement holds. */
function toNames({ fact }: Addition['record']): string[] {
  return 'candidateId' in fact ? [fact.id, `>${fact.candidateId}`, `>${fact.jobOrderId}`] : [fact.id];
}

/** The braces make each name one hash slot of a cluster: a workspace, and a keyless key apart from it. */
const toWorkspaceKey = (hash: string) => `careers:{${hash}}`;
const toPlacesKey = (hash: string) => `careers:{${hash}}:places`;
const toKeyOfWorkspace = (hash: string, name: string) => `careers:{${hash}}:key:${name}`;
/** The keys of a workspace that a script is given first. */
const toKeys = (hash: string) => [toWorkspaceKey(hash), toPlacesKey(hash)];
const toKeylessKey = (name: string) => `careers:key:{${name}}`;

/** What stands under a keyless key. */
type Taken = [expiry: string, fingerprint: string, reply: string, workspace: string, record: string];

/** What a check writes, and for how many milliseconds. */
const probeKey = 'careers:check';
const probeMs = 10_000;

/**
 * Workspaces in Redis or Valkey 6.2 and later, for several instances of the service: `redis://`, `rediss://`
 * (TLS), and `redis-cluster://` or `rediss-cluster://` with one or more comma-separated addresses.
 *
 * A workspace is one list: its expiry, then its records as JSON; beside it stands where each is. Each create is
 * one script, so it is atomic, and is answered once the server has run it; `appendfsync always` on the server
 * makes that durable. A write is sent once: where the connection ends before the answer, the caller gets
 * `store_unavailable` and may repeat it under its Idempotency-Key. The keys expire by themselves a minute after their time, so that the
 * clocks of the server and of its callers may differ by that much; the expiry itself is kept by the caller's.
 */
export function openRedisStore(url: string): Store {
  const server = connect(url);
  const stats = { commits: 0, creates: 0 };
  const faults = createFaultCounts();

  async function attempt<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      throw new Refusal('store_unavailable', { cause: faults.count(toRedisFault(error)) });
    }
  }

  /** Adds to a workspace that exists; its key, if any, is in the same slot and the same script. */
  async function addTo({ workspace, record, ceiling, now, expiresAt, key }: Addition): Promise<Added> {
    const keys = [...toKeys(workspace), ...(key ? [toKeyOfWorkspace(workspace, key.name)] : [])];
    const values = [
      now,
      expiresAt,
      ceiling.records,
      ceiling.bytes,
      JSON.stringify(record),
      key?.fingerprint ?? '',
      key?.reply ?? '',
      ...toNames(record),
    ];
    const [result, reply] = (await server.run(addRecord, keys, values.map(String))) as [string, string];
    return result === 'replay' ? { result, reply } : { result: result as 'added' };
  }

  const mint = (workspace: string, record: Addition['record'], expiresAt: number) =>
    server.run(keepWorkspace, toKeys(workspace), [
      String(expiresAt),
      JSON.stringify(record),
      ...toNames(record),
    ]);

  /**
   * Takes the key with all that it stands for, then writes the workspace from it. Whoever finds the key taken
   * writes the same workspace where it is missing: a create that was cut short in between is completed by
   * its replay.
   */
  async function mintUnderKey(addition: Addition): Promise<Added> {
    const { workspace, record, now, expiresAt, key } = addition;
    const { name, fingerprint, reply } = key!;
    const values = [String(now), String(expiresAt), fingerprint, reply, workspace, JSON.stringify(record)];
    const kept = (await server.run(takeKey, [toKeylessKey(name)], values)) as Taken | null;
    if (kept === null) {
      await mint(workspace, record, expiresAt);
      return { result: 'added' };
    }
    const [keptExpiry, keptFingerprint, keptReply, keptWorkspace, keptRecord] = kept;
    if (keptFingerprint !== fingerprint) return { result: 'mismatch' };
    await mint(keptWorkspace, JSON.parse(keptRecord), Number(keptExpiry));
    return { result: 'replay', reply: keptReply };
  }

  async function add(addition: Addition): Promise<Added> {
    if (!addition.mint) return addTo(addition);
    if (addition.key) return mintUnderKey(addition);
    await mint(addition.workspace, addition.record, addition.expiresAt);
    return { result: 'added' };
  }

  const find = async (workspace: string, now: number, ids: readonly string[]) =>
    (await server.run(findRecords, toKeys(workspace), [String(now), ...ids])) as string[];

  return {
    open: (workspace, now) =>
      attempt(async () => {
        const [expiry] = await find(workspace, now, []);
        return expiry === undefined ? undefined : { expiresAt: Number(expiry) };
      }),
    readAll: (workspace, now) =>
      attempt(async () => {
        const [, bytes] = await find(workspace, now, []);
        return readInTurn(Number(bytes || Number.POSITIVE_INFINITY), async () => {
          const [expiry, ...texts] = await server.readList(toWorkspaceKey(workspace));
          if (Number(expiry ?? 0) <= now) return [];
          return readInSlices((after) =>
            texts.slice(after, after + recordsAtOnce).map((text, at) => toRecord(text, after + at + 1)),
          );
        });
      }),
    find: (workspace, now, ids) =>
      attempt(async () => {
        const [, , ...found] = await find(workspace, now, ids);
        return found.flatMap((place, at) => (at % 2 === 0 ? [toRecord(found[at + 1]!, Number(place))] : []));
      }),
    add: (addition) =>
      attempt(async () => {
        const added = await add(addition);
        if (added.result === 'added') {
          stats.commits += 1;
          stats.creates += 1;
        }
        return added;
      }),
    check: () =>
      attempt(async () => {
        await server.writeFor(probeKey, '', probeMs);
      }),
    stats: () => ({ ...stats }),
    faults: faults.read,
    close: () => server.close(),
  };
}
