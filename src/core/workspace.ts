import type { OpenWorkspace } from './operation.ts';
import { Refusal } from './refusal.ts';
import type { Service } from './service.ts';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const idShape = /^ws_[0-9a-hjkmnp-tv-z]{32}$/;

/** `length` characters of Crockford base 32, five random bits each. */
function toRandomText(service: Service, length: number): string {
  let text = '';
  for (const byte of service.platform.randomBytes(length)) text += alphabet[byte & 31];
  return text;
}

/** A fresh workspace id: a capability of 160 random bits. */
export function mintWorkspaceId(service: Service): string {
  return `ws_${toRandomText(service, 32)}`;
}

/** A fresh record id: 80 random bits after the prefix of its kind. */
export function mintRecordId(service: Service, prefix: string): string {
  return prefix + toRandomText(service, 16);
}

/** Opens the workspace that the caller names. Malformed, unknown and expired ids get the same refusal. */
export async function openWorkspace(service: Service, id: string): Promise<OpenWorkspace> {
  if (!idShape.test(id)) throw new Refusal('unknown_workspace');
  const hash = await service.platform.sha256(id);
  const workspace = await service.store.get(hash, service.platform.now());
  if (!workspace) throw new Refusal('unknown_workspace');
  return { ...workspace, id, hash };
}
