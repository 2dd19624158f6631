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
/** Bytes that a change without new rows may add to a full store, such as a rename, a move or a new link. */
const smallChangeBytes = 512;

/** Why the store is full, or undefined if it is not. */
export function explainLack(
  { used, free }: Pick<Room, 'used' | 'free'>,
  { STORE_BYTES, STORE_FREE }: Pick<NodeSettings, 'STORE_BYTES' | 'STORE_FREE'>,
): string | undefined {
  if (used >= STORE_BYTES) return `it takes ${used} bytes, and STORE_BYTES is ${STORE_BYTES}`;
  return free < STORE_FREE ? `its disk has ${free} bytes left, and STORE_FREE is ${STORE_FREE}` : undefined;
}

/**
 * Limits what is stored. Looks at the store now and each second. While it is full, refuses what makes it larger
 * (`store_full`), except answers, deletes and small changes. Refuses an address or owner that has added its share
 * (`storage_share`).
 */
export async function watchStorage(
  settings: NodeSettings,
  store: Pick<Store, 'room'>,
  limits: Pick<Limits, 'admitBytes'>,
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
      // Callers that use a failing store report it.
    }
    setTimeout(look, lookMs).unref();
  }
  await look();

  const admitGrowth: Watch['admitGrowth'] = ({ rows, bytes }, source) => {
    const isSmall = rows === 0 && bytes <= smallChangeBytes;
    const isRefused = source.kind === 'extra' || (source.kind === 'change' && !isSmall);
    if (lack && isRefused) throw new Refusal(storeRefusals.store_full);
    return limits.admitBytes(bytes, source.client ?? '', source);
  };
  const countFreeBytes = ({ used, free }: Room) =>
    Math.min(settings.STORE_BYTES - used, free - settings.STORE_FREE);
  const room = () => last && Math.max(0, countFreeBytes(last));
  return {
    admitGrowth,
    /** Why nothing can be added now. Undefined if the store has room. */
    lack: () => lack,
    /** How many bytes can still be added. Undefined until the store has answered. */
    room,
    read: (): Readings => ({
      careers_store_bytes: last?.used,
      careers_store_room_bytes: room(),
      careers_store_workspaces: last?.workspaces,
      careers_store_full: Number(lack !== undefined),
    }),
  };
}
