import type { Growth } from '../kernel/service.ts';
import { dayMs } from '../kernel/text.ts';
import type { RecordService } from './service.ts';
import type { WorkspaceState } from './workspace-state.ts';

/** A passkey as it is kept: what it is known and checked by (WebAuthn level 3, section 4, credential record). */
export interface Credential {
  /** In base64url. */
  id: string;
  /** COSE, in base64url. */
  publicKey: string;
  counter: number;
}

/** Who holds workspaces, known by a passkey alone. A store keeps it as it keeps a workspace: apart, and by a hash. */
export interface Owner {
  credential: Credential;
  /** The handles of the workspaces that it holds; one may lead nowhere. */
  handles: readonly string[];
  /** Challenges that were answered: all that have not expired, and the last that have. */
  spent?: readonly (readonly [challenge: string, expiresAt: number])[];
  /** When the last of those expired that were answered and are no longer in `spent`. */
  forgottenUntil?: number;
}

type Stored = Pick<RecordService, 'workspaces' | 'platform'>;

export const hashOwner = async ({ platform }: Pick<RecordService, 'platform'>, credentialId: string) =>
  platform.sha256(`owner ${credentialId}`);

export const hashHandle = async ({ platform }: Pick<RecordService, 'platform'>, handle: string) =>
  platform.sha256(`handle ${handle}`);

/** Returns the owner that this hash names. */
export async function findOwner({ workspaces }: Stored, hash: string): Promise<Owner | undefined> {
  const contents = await workspaces.open(hash);
  return contents?.head.state as Owner | undefined;
}

interface OwnerChange {
  /** Until when the owner is kept, if that is later than now. */
  expiresAt?: number;
  /** Whether it makes the owner. */
  mint?: boolean;
  /** As `Change.admit`. */
  admit?(growth: Growth): void;
}

/**
 * Changes an owner in one step or, with `mint`, makes it. Returns false if it is gone, or if the one that is to be made
 * exists. An owner that holds nothing is deleted.
 */
export async function changeOwner(
  { workspaces, platform }: Stored,
  hash: string,
  to: (owner: Owner | undefined) => Owner,
  { expiresAt = 0, mint = false, admit }: OwnerChange = {},
): Promise<boolean> {
  const { result } = await workspaces.change({
    hash,
    mint,
    now: platform.now(),
    expiresAt,
    ceiling: { records: 0, bytes: 0 },
    ...(admit && { admit }),
    decide(_, head) {
      const owner = to(head?.state as Owner | undefined);
      if (owner.handles.length === 0) return { answer: undefined, deletesWorkspace: true };
      return { answer: undefined, state: { ...owner } };
    },
  });
  return result === 'done';
}

/** Has an owner live two days longer than a workspace that it holds, where that lives longer than was known. */
export async function keepOwner(service: Stored, { owner }: WorkspaceState, expiresAt: number) {
  if (!owner || owner.until >= expiresAt) return;
  await changeOwner(service, owner.id, (kept) => kept!, { expiresAt: expiresAt + 2 * dayMs });
}

/** Takes a workspace away from its owner; one that holds no more is forgotten. */
export async function releaseFromOwner(service: Stored, hash: string, handle: string): Promise<void> {
  await changeOwner(service, hash, (owner) => ({
    ...owner!,
    handles: owner!.handles.filter((one) => one !== handle),
  }));
}
