import type { Growth } from '../../kernel/service.ts';
import { dayMs } from '../../kernel/text.ts';
import type { RecordService } from '../service.ts';
import type { Ownership } from './workspace-state.ts';

/** A passkey as it is stored (WebAuthn level 3, section 4, credential record). */
export interface Credential {
  /** In base64url. */
  id: string;
  /** COSE, in base64url. */
  publicKey: string;
  counter: number;
}

/** The owner of workspaces, known only by a passkey. A store keeps an owner as a workspace without records. */
export interface Owner {
  credential: Credential;
  /** The handles of the owner's workspaces. A workspace may have expired. */
  handles: readonly string[];
  /** Challenges that were answered: all that have not expired, and the last of the others. */
  spent?: readonly (readonly [challenge: string, expiresAt: number])[];
  /** The latest expiry of the answered challenges that are no longer in `spent`. */
  forgottenUntil?: number;
}

type Stored = Pick<RecordService, 'workspaces' | 'platform'>;

export const hashOwner = async ({ platform }: Pick<RecordService, 'platform'>, credentialId: string) =>
  platform.sha256(`owner ${credentialId}`);

export const hashHandle = async ({ platform }: Pick<RecordService, 'platform'>, handle: string) =>
  platform.sha256(`handle ${handle}`);

/** Returns the owner with this hash, or undefined if there is none. */
export async function findOwner({ workspaces }: Stored, hash: string): Promise<Owner | undefined> {
  const contents = await workspaces.open(hash);
  return contents?.head.state as Owner | undefined;
}

interface OwnerChange {
  /** When the owner expires, if that is later than now. */
  expiresAt?: number;
  /** Whether the change creates the owner. */
  mint?: boolean;
  /** See `ChangeRequest.admit`. */
  admit?(growth: Growth): (() => void) | undefined;
}

/**
 * Changes an owner in one step. With `mint` it creates the owner. Deletes an owner without workspaces.
 *
 * Returns false if the owner is gone or, with `mint`, exists already.
 */
export async function changeOwner(
  { workspaces, platform }: Stored,
  hash: string,
  change: (owner: Owner | undefined) => Owner,
  { expiresAt = 0, mint = false, admit }: OwnerChange = {},
): Promise<boolean> {
  const ceiling = { records: 0, bytes: 0 };
  const request = { hash, mint, now: platform.now(), expiresAt, ceiling, ...(admit && { admit }) };
  const { result } = await workspaces.change(request, (stored) => {
    const owner = change(stored.head?.state as Owner | undefined);
    if (owner.handles.length === 0) stored.deletesWorkspace = true;
    else stored.state = { ...owner };
  });
  return result === 'done';
}

/**
 * Extends an owner to two days after the expiry of a workspace. Does nothing if the workspace's token lasts as long
 * as the workspace.
 */
export async function keepOwner(service: Stored, { id, until }: Ownership, expiresAt: number) {
  if (until >= expiresAt) return;
  await changeOwner(service, id, (stored) => stored!, { expiresAt: expiresAt + 2 * dayMs });
}

/** Removes a workspace from its owner. Deletes the owner if that was the last one. */
export async function releaseFromOwner(service: Stored, hash: string, handle: string): Promise<void> {
  await changeOwner(service, hash, (owner) => ({
    ...owner!,
    handles: owner!.handles.filter((held) => held !== handle),
  }));
}
