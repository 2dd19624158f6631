import { createStore, del, get, set } from 'idb-keyval';

/** The workspace that this browser remembers. */
export interface RememberedWorkspace {
  id: string;
  /** ISO 8601, from the last reply to a create. */
  expiresAt: string;
  /** Whether requests send the id. */
  use: boolean;
  /** Whether the service has refused the id. */
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

/**
 * The remembered workspace, read once. If the browser forbids storage, it is remembered only while the page is open.
 */
const recalled = (async () => {
  try {
    current ??= await get<RememberedWorkspace>(key, openBrowserStore());
  } catch {}
  notify();
})();

/** Calls `listener` with the workspace at once, when it has been read from storage, and after every change. */
export function watchWorkspace(listener: Listener): void {
  listeners.add(listener);
  recalled.then(() => listener(current));
}

export function isExpired({ expiresAt, gone }: RememberedWorkspace): boolean {
  return gone === true || Date.parse(expiresAt) <= Date.now();
}

/** Returns the id to send, or undefined if there is none, it is switched off, or it has expired. */
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

/** Remembers the workspace of a reply to a create, and when it expires. */
export function rememberWorkspace(id: string, expiresAt: string): Promise<void> {
  return keep({ id, expiresAt, use: true });
}

export function forgetWorkspace(): Promise<void> {
  return keep(undefined);
}

export async function useWorkspace(use: boolean): Promise<void> {
  if (current) await keep({ ...current, use });
}

/** Records that the service refused the id, so that it is not sent again. */
export async function markGone(id: string): Promise<void> {
  if (current?.id === id) await keep({ ...current, gone: true });
}
