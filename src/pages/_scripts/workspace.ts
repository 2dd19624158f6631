import { createStore, del, get, set } from 'idb-keyval';

/** A workspace as this browser remembers it. */
export interface KeptWorkspace {
  id: string;
  /** ISO 8601, as the last answer to a create said. */
  expiresAt: string;
  /** Whether requests send it. */
  use: boolean;
  /** true once the service has refused it. */
  gone?: boolean;
}

type Listener = (workspace: KeptWorkspace | undefined) => void;

const key = 'workspace';
const listeners = new Set<Listener>();
let current: KeptWorkspace | undefined;
const toStore = () => createStore('careers-pages', 'kept');

function tell(): void {
  for (const listener of listeners) listener(current);
}

/** The remembered workspace is read once; where a browser forbids storage, it is kept for the page only. */
const recalled = (async () => {
  try {
    current ??= await get<KeptWorkspace>(key, toStore());
  } catch {}
  tell();
})();

/** Calls `listener` with the workspace now, when it has been recalled, and at every change. */
export function watchWorkspace(listener: Listener): void {
  listeners.add(listener);
  recalled.then(() => listener(current));
}

export function isExpired({ expiresAt, gone }: KeptWorkspace): boolean {
  return gone === true || Date.parse(expiresAt) <= Date.now();
}

/** The id to send, where there is one, it is wanted, and its time is not up. */
export function workspaceToSend(): string | undefined {
  return current?.use && !isExpired(current) ? current.id : undefined;
}

async function keep(next: KeptWorkspace | undefined): Promise<void> {
  current = next;
  try {
    if (next) await set(key, next, toStore());
    else await del(key, toStore());
  } catch {}
  tell();
}

/** Remembers what a create answered: its workspace, and until when. */
export function rememberWorkspace(id: string, expiresAt: string): Promise<void> {
  return keep({ id, expiresAt, use: true });
}

export function forgetWorkspace(): Promise<void> {
  return keep(undefined);
}

export async function useWorkspace(use: boolean): Promise<void> {
  if (current) await keep({ ...current, use });
}

/** The service has refused the id: it is not sent again. */
export async function markGone(id: string): Promise<void> {
  if (current?.id === id) await keep({ ...current, gone: true });
}

/** `23 h 59 min`, `4 min` or `less than a minute`. */
export function toTimeLeft(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes < 1) return 'less than a minute';
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
