import { Refusal } from '../../kernel/refusal.ts';
import type { Watch } from '../../kernel/service.ts';
import { storeRefusals } from '../../records/refusals.ts';
import { StoreFault } from '../../stores/store-fault.ts';
import type { Room, Store } from '../../workspace/store.ts';
import type { Limits } from './limits.ts';
import type { Readings } from './metrics.ts';
import type { NodeSettings } from './settings.ts';

/** Milliseconds between two looks at the room in the store. */
const lookMs = 1000;
/** A change that adds no row may add so many bytes to a full store: a rename, a move, a link in the place of another. */
const smallChangeBytes = 512;

/** Why nothing fits into a store with this room; undefined if something does. */
function explainLack({ used, free }: Room, { STORE_BYTES, STORE_FREE }: NodeSettings): string | undefined {
  if (used >= STORE_BYTES) return `it takes ${used} bytes, and STORE_BYTES is ${STORE_BYTES}`;
  return free < STORE_FREE ? `its disk has ${free} bytes left, and STORE_FREE is ${STORE_FREE}` : undefined;
}

/**
 * Limits what is kept. Looks at the store now and each second. Refuses what makes it larger while it is full
 * (`store_full`), but for answers, deletes and small changes, and while an address or owner has added its share
 * (`storage_share`).
 */
export async function watchStorage(
  settings: NodeSettings,
  store: Pick<Store, 'room'>,
  admitBytes: Limits['admitBytes'],
  report: (fault: unknown) => void,
) {
  let lack: string | undefined;
  let last: Room | undefined;

  async function look(): Promise<void> {
    try {
      const before = lack;
      last = await store.room?.();
      lack = last && explainLack(last, settings);
      if (lack && !before)
        report(new StoreFault('store_full', 'nothing is added until there is room; make some', lack));
    } catch {
      // A store that fails says so where it is used.
    }
    setTimeout(look, lookMs).unref();
  }
  await look();

  const admitGrowth: Watch['admitGrowth'] = ({ rows, bytes }, source) => {
    const isSmall = rows === 0 && bytes <= smallChangeBytes;
    if (lack && source.kind === 'change' && !isSmall) throw new Refusal(storeRefusals.store_full);
    return admitBytes(bytes, source.client ?? '', source);
  };
  const countFreeBytes = ({ used, free }: Room) =>
    Math.min(settings.STORE_BYTES - used, free - settings.STORE_FREE);
  return {
    admitGrowth,
    read: (): Readings => ({
      careers_store_bytes: last?.used,
      careers_store_room_bytes: last && Math.max(0, countFreeBytes(last)),
      careers_store_workspaces: last?.workspaces,
      careers_store_full: Number(lack !== undefined),
    }),
  };
}
