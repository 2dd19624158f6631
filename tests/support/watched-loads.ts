import type { Store } from '../../src/workspace/store.ts';

/** The observed loads of a store, and a way to hold them up. */
interface WatchedLoads {
  /** The keys of the workspaces whose load began, in order. */
  started: string[];
  /** The most loads that ran at once. */
  most: number;
  /**
   * Holds up loads of workspaces with this key from now on, after they began. Returns a function that
   * releases them.
   */
  hold(key: string): () => void;
}

/** Watches the loads of a store from now on. */
export function watchLoads(store: Store): WatchedLoads {
  const held = new Map<string, Promise<void>>();
  const load = store.load.bind(store);
  let running = 0;
  const watched: WatchedLoads = {
    started: [],
    most: 0,
    hold(key) {
      const { promise, resolve } = Promise.withResolvers<void>();
      held.set(key, promise);
      return () => {
        held.delete(key);
        resolve();
      };
    },
  };
  store.load = async function* (head) {
    watched.started.push(head.key);
    running += 1;
    watched.most = Math.max(watched.most, running);
    try {
      yield* load(head);
      await held.get(head.key);
    } finally {
      running -= 1;
    }
  };
  return watched;
}
