import { Refusal } from '../core/refusal.ts';
import type { Added, Addition, Store } from '../core/store.ts';
import { connect } from './redis-connection.ts';
import { addRecord, keepWorkspace, takeKey } from './redis-scripts.ts';

/** The braces make each name one hash slot of a cluster: a workspace, and a keyless key apart from it. */
const toWorkspaceKey = (hash: string) => `careers:{${hash}}`;
const toKeyOfWorkspace = (hash: string, name: string) => `careers:{${hash}}:key:${name}`;
const toKeylessKey = (name: string) => `careers:key:{${name}}`;

/** What a check writes, and for how many milliseconds. */
const probeKey = 'careers:check';
const probeMs = 10_000;

/**
 * Workspaces in Redis or Valkey 6.2 and later, for several instances of the service: `redis://`, `rediss://`
 * (TLS), and `redis-cluster://` or `rediss-cluster://` with one or more comma-separated addresses.
 *
 * A workspace is one list: its expiry, then its records as JSON. Each create is one script, so it is atomic,
 * and is answered once the server has run it; `appendfsync always` on the server makes that durable. A write
 * is sent once: where the connection ends before the answer, the caller gets `store_unavailable` and may
 * repeat it under its Idempotency-Key. The keys expire by themselves a minute after their time, so that the
 * clocks of the server and of its callers may differ by that much; the expiry itself is kept by the caller's.
 */
export function openRedisStore(url: string): Store {
  const server = connect(url);
  const stats = { commits: 0, creates: 0, failures: 0 };

  async function attempt<T>(run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (cause) {
      stats.failures += 1;
      throw new Refusal('store_unavailable', { cause });
    }
  }

  /** Adds to a workspace that exists; its key, if any, is in the same slot and the same script. */
  async function addTo({ workspace, record, ceiling, now, expiresAt, key }: Addition): Promise<Added> {
    const keys = [toWorkspaceKey(workspace), ...(key ? [toKeyOfWorkspace(workspace, key.name)] : [])];
    const values = [
      now,
      expiresAt,
      ceiling,
      JSON.stringify(record),
      key?.fingerprint ?? '',
      key?.reply ?? '',
    ];
    const [result, reply] = (await server.run(addRecord, keys, values.map(String))) as [string, string];
    return result === 'replay' ? { result, reply } : { result: result as 'added' };
  }

  const mint = (workspace: string, record: string, expiresAt: string) =>
    server.run(keepWorkspace, [toWorkspaceKey(workspace)], [expiresAt, record]);

  /**
   * Takes the key with all that it stands for, then writes the workspace from it. Whoever finds the key taken
   * writes the same workspace where it is missing: a create that was cut short in between is completed by
   * its replay.
   */
  async function mintUnderKey(addition: Addition): Promise<Added> {
    const { workspace, record, now, expiresAt, key } = addition;
    const { name, fingerprint, reply } = key!;
    const values = [String(now), String(expiresAt), fingerprint, reply, workspace, JSON.stringify(record)];
    const kept = (await server.run(takeKey, [toKeylessKey(name)], values)) as string[] | null;
    if (kept === null) {
      await mint(workspace, JSON.stringify(record), String(expiresAt));
      return { result: 'added' };
    }
    const [keptExpiry, keptFingerprint, keptReply, keptWorkspace, keptRecord] = kept as [
      string,
      string,
      string,
      string,
      string,
    ];
    if (keptFingerprint !== fingerprint) return { result: 'mismatch' };
    await mint(keptWorkspace, keptRecord, keptExpiry);
    return { result: 'replay', reply: keptReply };
  }

  async function add(addition: Addition): Promise<Added> {
    if (!addition.mint) return addTo(addition);
    if (addition.key) return mintUnderKey(addition);
    await mint(addition.workspace, JSON.stringify(addition.record), String(addition.expiresAt));
    return { result: 'added' };
  }

  return {
    get: (workspace, now) =>
      attempt(async () => {
        const [expiry, ...records] = await server.readList(toWorkspaceKey(workspace));
        const expiresAt = Number(expiry ?? 0);
        if (expiresAt <= now) return undefined;
        return {
          expiresAt,
          records: records.map((text, index) => ({ ...JSON.parse(text), seq: index + 1 })),
        };
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
    close: () => server.close(),
  };
}
