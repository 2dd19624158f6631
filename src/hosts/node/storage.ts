import { Refusal } from '../../kernel/refusal.ts';
import type { Watch } from '../../kernel/service.ts';
import type { Room, Store } from '../../records/store.ts';
import { StoreFault } from '../../stores/store-fault.ts';
import type { Limits } from './limits.ts';
import type { Readings } from './metrics.ts';
import type { NodeSettings } from './settings.ts';

type Chosen = Pick<NodeSettings, 'STORE_BYTES' | 'STORE_FREE'>;

interface Parts {
  store: Pick<Store, 'room'>;
  admitBytes: Limits['admitBytes'];
  report(fault: unknown): void;
}

/** Milliseconds between two looks at the room in the store. */
const lookMs = 1000;

/** Why no record fits into a store with this room; undefined where one does. */
function toLack({ used, free }: Room, { STORE_BYTES, STORE_FREE }: Chosen): string | undefined {
  if (used >= STORE_BYTES) return `it takes ${used} bytes, and STORE_BYTES is ${STORE_BYTES}`;
  return free < STORE_FREE ? `its disk has ${free} bytes left, and STORE_FREE is ${STORE_FREE}` : undefined;
}

/**
 * Limits on what is kept: looks at the store now and each second, refuses new records while it is full (`store_full`),
 * and what makes it larger where an address has added its share (`storage_share`).
 */
export async function watchStorage(settings: Chosen, { store, admitBytes, report }: Parts) {
  let lack: string | undefined;
  let last: Room | undefined;

  async function look(): Promise<void> {
    try {
      const room = await store.room?.();
      const before = lack;
      last = room;
      lack = room && toLack(room, settings);
      if (lack && !before)
        report(new StoreFault('store_full', 'no record is added until there is room; make some', lack));
    } catch {
      // A store that fails says so where it is used.
    }
    setTimeout(look, lookMs).unref();
  }
  await look();

  const admitGrowth: Watch['admitGrowth'] = ({ records, bytes }, client) => {
    if (lack && records > 0) throw new Refusal('store_full');
    return client === undefined || bytes <= 0 ? () => {} : admitBytes(bytes, client);
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
