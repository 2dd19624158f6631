import { isLoopback, toNetwork } from '../../kernel/client-address.ts';
import { createRateLimit } from '../../kernel/rate-limit.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Watch } from '../../kernel/service.ts';
import type { Room, Store } from '../../records/store.ts';
import { StoreFault } from '../../stores/store-fault.ts';
import type { Metrics, Readings } from './metrics.ts';
import type { NodeSettings } from './settings.ts';

type Chosen = Pick<NodeSettings, 'BYTES_PER_CLIENT' | 'STORE_BYTES' | 'STORE_FREE' | 'TRUST_PROXY'>;

interface Parts {
  store: Pick<Store, 'room' | 'count'>;
  metrics: Pick<Metrics, 'add'>;
  report(fault: unknown): void;
}

/** Milliseconds between two looks at the room in the store. */
const lookMs = 1000;
const daySeconds = 86_400;
const nothing = () => {};

/**
 * What each address adds to workspaces that nobody claimed, by a sliding window of a day. It is counted once it is
 * durable, in the store too where that has a count: an instance knows what others counted once it has counted itself.
 */
function createByteQuota(quota: number, { store: { count }, metrics }: Parts) {
  const limit = createRateLimit({ name: 'bytes', quota, windowSeconds: daySeconds });

  async function share(key: string, add: number): Promise<void> {
    const counting = { windowMs: daySeconds * 1000, add, wanted: 0, quota };
    const tally = await count?.(`bytes ${key}`, counting).catch(nothing);
    if (tally) limit.adopt(key, tally, performance.now());
  }

  return function admit(bytes: number, client: string): () => void {
    const key = toNetwork(client);
    const { allowed, seconds } = limit.take(key, performance.now(), 0);
    if (!allowed) {
      metrics.add('careers_rate_limited_total', { limit: 'bytes' });
      throw new Refusal('storage_share', {
        reason: `More than ${quota} bytes in a day from this address, in workspaces that nobody claimed. Wait ${seconds} s, or have a person claim a workspace and add to that. Reads and deletes still work.`,
        headers: { 'Retry-After': String(seconds) },
      });
    }
    return () => {
      limit.take(key, performance.now(), bytes);
      void share(key, bytes);
    };
  };
}

/** Why no record fits into a store with this room; undefined where one does. */
function toLack({ used, free }: Room, { STORE_BYTES, STORE_FREE }: Chosen): string | undefined {
  if (used >= STORE_BYTES) return `it takes ${used} bytes, and STORE_BYTES is ${STORE_BYTES}`;
  return free < STORE_FREE ? `its disk has ${free} bytes left, and STORE_FREE is ${STORE_FREE}` : undefined;
}

/**
 * Limits on what is kept: looks at the store now and each second, refuses new records while it is full (`store_full`),
 * and what makes it larger where an address has added its share (`storage_share`). This machine itself has no share,
 * unless a proxy is in front.
 */
export async function watchStorage(settings: Chosen, parts: Parts) {
  const { BYTES_PER_CLIENT: quota, TRUST_PROXY } = settings;
  const admitBytes = quota === undefined ? undefined : createByteQuota(quota, parts);
  let lack: string | undefined;
  let last: Room | undefined;

  async function look(): Promise<void> {
    try {
      const room = await parts.store.room?.();
      const before = lack;
      last = room;
      lack = room && toLack(room, settings);
      if (lack && !before)
        parts.report(new StoreFault('store_full', 'no record is added until there is room; make some', lack));
    } catch {
      // A store that fails says so where it is used.
    }
    setTimeout(look, lookMs).unref();
  }
  await look();

  const admitGrowth: Watch['admitGrowth'] = ({ records, bytes }, client) => {
    if (lack && records > 0) throw new Refusal('store_full');
    if (!admitBytes || client === undefined || bytes <= 0) return nothing;
    return TRUST_PROXY === 0 && isLoopback(client) ? nothing : admitBytes(bytes, client);
  };
  const toLeft = ({ used, free }: Room) => Math.min(settings.STORE_BYTES - used, free - settings.STORE_FREE);
  return {
    admitGrowth,
    read: (): Readings => ({
      careers_store_bytes: last?.used,
      careers_store_room_bytes: last && Math.max(0, toLeft(last)),
      careers_store_workspaces: last?.workspaces,
      careers_store_full: Number(lack !== undefined),
    }),
  };
}
