/** What the pages that make a workspace say of the one that this browser remembers, and of a service that does not answer. */
import { ApiError, callApi, isLive } from './api-client.ts';
import { isExpired, markGone, type RememberedWorkspace } from './workspace-store.ts';

/** Says why a click came to nothing, or only to a part. */
export async function explainFailure(error: unknown): Promise<string> {
  if (!(error instanceof ApiError)) return (error as Error).message;
  if (!navigator.onLine) return 'This device is offline. Try again when it is connected.';
  if (error.status > 0) return error.message;
  return (await isLive())
    ? 'The service does not answer just now. Try again in a moment.'
    : 'No live service answers at this address, and none could be started in this browser.';
}

/** Whether the service still knows the remembered workspace. Throws an ApiError if nothing answers. */
export async function isStillOpen(workspace: RememberedWorkspace | undefined): Promise<boolean> {
  if (!workspace || isExpired(workspace)) return false;
  const { status } = await callApi('GET', '/workspace', { headers: { 'X-Workspace': workspace.id } });
  if (status === 401) await markGone(workspace.id);
  return status === 200;
}
