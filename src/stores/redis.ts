import { createQueue } from '../kernel/queue.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Store } from '../records/store.ts';
import { createChanger } from './redis-change.ts';
import { charge as chargeScript } from './redis-charge.ts';
import { connect } from './redis-connection.ts';
import { count, fromCounted, toCountKey, toCountValues } from './redis-count.ts';
import { toRedisFault } from './redis-fault.ts';
import { toChargeText, toHeadKey } from './redis-keys.ts';
import { createReader, type Run } from './redis-read.ts';
import { createFaultCounts, type FaultWord, StoreFault } from './store-fault.ts';

/** What a check writes, and for how many milliseconds. */
const probeKey = 'careers:check';
const probeMs = 10_000;
/** Milliseconds that a change waits for those of its workspace at most. */
const patienceMs = 2000;

/**
 * Workspaces in Redis or Valkey 6.2 and later, for several instances of the service, at a URL as `parseStoreUrl` has
 * it. A write is answered once so many `replicas` have it; what a read is charged waits for none.
 *
 * A workspace is a hash of what is known of it and of the names in it, and a list for each kind of record, named for
 * the hash that it was made with; one that was renamed is led to by a key of its own. A change reads, decides here and
 * writes, each in one script; the second does nothing where the workspace is another by then, and all begins anew.
 * It is answered once the server has run it; `appendfsync always` on the server makes that durable. A write is sent
 * once: where the connection ends before the answer, the caller gets `store_unavailable` and may repeat it under its
 * Idempotency-Key. The keys expire by themselves a minute after their time, so that the clocks of the server and of
 * its callers may differ by that much; the expiry itself is kept by the caller's.
 */
export function openRedisStore(url: string, replicas = 0): Store {
  const server = connect(url, replicas);
  const stats = { commits: 0, creates: 0 };
  const faults = createFaultCounts();
  const toRefusal = (error: unknown) =>
    new Refusal('store_unavailable', { cause: faults.count(toRedisFault(error)) });

  const run: Run = async (script, keys, values) => {
    try {
      return await server.run(script, keys, values.map(String));
    } catch (error) {
      throw toRefusal(error);
    }
  };

  const crowd = 'one workspace is changed more often than the server can follow; send it less at once';
  const toLate = (word: FaultWord, said: string) => toRefusal(new StoreFault(word, crowd, said));

  const reader = createReader(run);
  const changer = createChanger({
    run,
    reader,
    onDone({ puts }) {
      stats.commits += 1;
      stats.creates += puts.filter(({ was }) => !was).length;
    },
    async keep(key) {
      if (server.replicas === 0) return;
      await server.writeFor(`${key}:!`, '', probeMs).catch((error) => {
        throw toRefusal(error);
      });
    },
    giveUp() {
      throw toLate('other', 'it changed whenever a change was decided');
    },
  });
  const inTurn = createQueue(1, 'each client');

  return {
    open: async (workspace, now) => (await reader.see(workspace, now)).head,
    follow: reader.follow,
    find: reader.find,
    read: reader.read,
    change(change) {
      if (change.mint) return changer.mint(change);
      const from = performance.now();
      return inTurn(change.workspace, async () => {
        if (performance.now() - from > patienceMs) throw toLate('timeout', 'no turn in time');
        return changer.change(change);
      });
    },
    async charge(key, charge) {
      const values = [toChargeText(charge), charge.limit?.revision ?? ''];
      return (await run(chargeScript, [toHeadKey(key)], values)) === 1;
    },
    count: async (name, counting) =>
      fromCounted(await run(count, [toCountKey(name)], toCountValues(counting))),
    async check() {
      try {
        await server.writeFor(probeKey, '', probeMs);
      } catch (error) {
        throw toRefusal(error);
      }
    },
    stats: () => ({ ...stats }),
    faults: faults.read,
    close: () => server.close(),
  };
}
