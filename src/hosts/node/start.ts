import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Call, Reply } from '../../kernel/call.ts';
import { toRefusal } from '../../kernel/refusal.ts';
import type { Catalogue } from '../../kernel/service.ts';
import type { Store } from '../../records/store.ts';
import type { StoreFault } from '../../stores/store-fault.ts';

/** After this many searches the engine has compiled the code that they run. */
const searches = 50;

/** Searches before the first caller does. Each is for another title, since nothing is computed twice. */
export async function warmUp(
  answer: (call: Call) => Reply | Promise<Reply>,
  { occupations }: Pick<Catalogue, 'occupations'>,
): Promise<void> {
  const search = { method: 'GET', path: '/occupations', headers: {}, body: new Uint8Array() };
  for (const { title } of occupations.slice(0, searches)) {
    await answer({ ...search, query: `limit=1&q=${encodeURIComponent(title)}` });
  }
}

/** Milliseconds until a store that is not connected yet is checked again. */
const againMs = 100;

/**
 * Reports once why the store does not work, before the first caller meets it. The host goes on all the same: its server
 * may come later.
 */
export async function reportStoreFault(store: Store, report: (fault: unknown) => void): Promise<void> {
  for (;;) {
    try {
      return await store.check();
    } catch (error) {
      const fault = toRefusal(error).cause as StoreFault;
      if (fault.word !== 'not_connected') return report(fault);
    }
    await pause(againMs);
  }
}

/** Descriptors that this process needs beside those of its connections: files, the store, what listens. */
const ownDescriptors = 64;

/** Files that this process may have open at once; undefined where the system has no /proc, or no limit. */
function readDescriptorLimit(): number | undefined {
  try {
    return (
      Number(/^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]) || undefined
    );
  } catch {
    return undefined;
  }
}

/** The same settings, with no more connections than this process has descriptors for. Says so where those are fewer. */
export function withinDescriptors<S extends { MAX_CONNECTIONS: number }>(settings: S): S {
  const limit = readDescriptorLimit() ?? Number.POSITIVE_INFINITY;
  const most = Math.max(1, limit - ownDescriptors);
  if (settings.MAX_CONNECTIONS <= most) return settings;
  console.log(
    `MAX_CONNECTIONS is ${settings.MAX_CONNECTIONS}, but ulimit -n is ${limit}: at most ${most} connections are taken. Raise ulimit -n, or lower MAX_CONNECTIONS.`,
  );
  return { ...settings, MAX_CONNECTIONS: most };
}
