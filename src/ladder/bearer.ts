import type { OpenedWorkspace } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Service } from '../kernel/service.ts';
import { type Signer, toSigner } from '../kernel/signer.ts';
import { toHandleName } from '../records/owner.ts';
import { toWorkspaceState } from '../records/workspace-state.ts';

const label = 'owner bearer';
const bearerMs = 3_600_000;
const shape = /^own_([0-9a-f]{64})\.(\d{13})\.([\w-]{43})$/;

/** What lets an owner in, as RFC 6750 has it, for an hour. */
export function toBearer(signer: Signer, owner: string, now: number) {
  const expiresAt = now + bearerMs;
  const said = `${owner}.${expiresAt}`;
  return { bearer: `own_${said}.${signer.mac(label, said)}`, expiresAt: new Date(expiresAt).toISOString() };
}

/** The owner whom a bearer lets in, as the store knows it. Malformed, changed and expired ones get the same refusal. */
export function readBearer(
  service: Pick<Service, 'signer' | 'platform'>,
  bearer: string | undefined,
): string {
  const signer = toSigner(service);
  const [, owner, expiresAt, mac] = shape.exec(bearer ?? '') ?? [];
  if ('reason' in signer || !owner || Number(expiresAt) <= service.platform.now())
    throw new Refusal('unknown_owner');
  if (!signer.isMac(label, `${owner}.${expiresAt}`, mac!)) throw new Refusal('unknown_owner');
  return owner;
}

/** Opens a workspace as its owner. One that is another's is unknown, as one that never was. */
export async function openAsOwner(
  service: Pick<Service, 'signer' | 'platform' | 'store'>,
  handle: string,
  bearer: string | undefined,
): Promise<OpenedWorkspace> {
  const owner = readBearer(service, bearer);
  const head = await service.store.follow(await toHandleName(service, handle), service.platform.now());
  if (!head || toWorkspaceState(head.state).owner?.id !== owner) throw new Refusal('unknown_workspace');
  const secret = (toSigner(service) as Signer).mac('replay', head.hash);
  return { ...head, id: handle, secret, by: 'owner' };
}
