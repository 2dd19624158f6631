import { forgetWorkspace } from '../workspace.ts';

/** By what the page may ask: the id of a workspace, or an owner's session and which of their workspaces. */
export type Access = { id: string } | { bearer: string; handle?: string };

let current: Access | undefined;

export const access = () => current;
export const isOwner = () => current !== undefined && 'bearer' in current;

export function setAccess(next: Access | undefined): void {
  current = next;
}

/** The headers of a request in the workspace. */
export function toHeaders(): Record<string, string> {
  if (!current) return {};
  if ('id' in current) return { 'X-Workspace': current.id };
  const { bearer, handle } = current;
  return { Authorization: `Bearer ${bearer}`, ...(handle && { 'X-Workspace': handle }) };
}

/** The page knows of no workspace any more, nor does this browser of its id. */
export async function leave(): Promise<void> {
  if (current && 'id' in current) await forgetWorkspace();
  current = undefined;
}
