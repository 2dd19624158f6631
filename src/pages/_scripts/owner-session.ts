const place = 'careers-owner';

/** An owner's session. Only this tab stores it. `expiresAt` is an ISO 8601 time. */
type OwnerSession = { bearer: string; expiresAt: string };

export function keepSession(session: OwnerSession | undefined): void {
  try {
    if (session) sessionStorage.setItem(place, JSON.stringify(session));
    else sessionStorage.removeItem(place);
  } catch {}
}

export function recallSession(): OwnerSession | undefined {
  try {
    const session = JSON.parse(sessionStorage.getItem(place) ?? 'null') as OwnerSession | null;
    return session && Date.parse(session.expiresAt) > Date.now() ? session : undefined;
  } catch {
    return undefined;
  }
}

const wanted = 'careers-owner-wanted';

/** Stores the handle of the workspace that the workspace page opens next in this tab. */
export const keepWanted = (handle: string) => sessionStorage.setItem(wanted, handle);

/** Returns and removes the handle of the workspace to open. */
export function takeWanted(): string | undefined {
  const handle = sessionStorage.getItem(wanted) ?? undefined;
  sessionStorage.removeItem(wanted);
  return handle;
}
