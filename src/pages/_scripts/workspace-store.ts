import { createStore, del, get, set } from 'idb-keyval';

/** A workspace as this browser remembers it. */
export interface RememberedWorkspace {
  id: string;
  /** ISO 8601, as the last answer to a create said. */
  expiresAt: string;
  /** Whether requests send it. */
  use: boolean;
  /** true once the service has refused it. */
  gone?: boolean;
}

type Listener = (workspace: RememberedWorkspace | undefined) => void;

const key = 'workspace';
const listeners = new Set<Listener>();
let current: RememberedWorkspace | undefined;
const openBrowserStore = () => createStore('careers-pages', 'kept');

function notify(): void {
  for (const listener of listeners) listener(current);
}

/** The remembered workspace is read once; where a browser forbids storage, only for the page. */
const recalled = (async () => {
  try {
    current ??= await get<RememberedWorkspace>(key, openBrowserStore());
  } catch {}
  notify();
})();

/** Calls `listener` with the workspace now, when it has been recalled, and at every change. */
export function watchWorkspace(listener: Listener): void {
  listeners.add(listener);
  recalled.then(() => listener(current));
}

export function isExpired({ expiresAt, gone }: RememberedWorkspace): boolean {
  return gone === true || Date.parse(expiresAt) <= Date.now();
}

/** The id to send, where there is one, it is wanted, and its time is not up. */
export function workspaceToSend(): string | undefined {
  return current?.use && !isExpired(current) ? current.id : undefined;
}

async function keep(next: RememberedWorkspace | undefined): Promise<void> {
  current = next;
  try {
    if (next) await set(key, next, openBrowserStore());
    else await del(key, openBrowserStore());
  } catch {}
  notify();
}

/** Remembers the workspace of a create's answer, and until when it is kept. */
export function rememberWorkspace(id: string, expiresAt: string): Promise<void> {
  return keep({ id, expiresAt, use: true });
}

export function forgetWorkspace(): Promise<void> {
  return keep(undefined);
}

export async function useWorkspace(use: boolean): Promise<void> {
  if (current) await keep({ ...current, use });
}

/** Notes that the service refused the id, so that it is not sent again. */
export async function markGone(id: string): Promise<void> {
  if (current?.id === id) await keep({ ...current, gone: true });
}
