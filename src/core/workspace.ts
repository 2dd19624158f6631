import type { OpenWorkspace } from './operation.ts';
import { Refusal } from './refusal.ts';
import type { Service } from './service.ts';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const idShape = /^ws_[0-9a-hjkmnp-tv-z]{32}$/;

/** Crockford base 32: one character of five bits for each byte. */
function toText(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += alphabet[byte & 31];
  return text;
}

/** A fresh workspace id: a capability of 160 random bits. */
export function mintWorkspaceId(service: Service): string {
  return `ws_${toText(service.platform.randomBytes(32))}`;
}

/** A fresh salt of 160 random bits. */
export function makeSalt(service: Service): string {
  return toText(service.platform.randomBytes(32));
}

/**
 * The workspace id of a create without a workspace under an Idempotency-Key: 160 bits of SHA-256 over salt
 * and key. The salt is kept with the reply and the key is not, so that a replay can say the id again while
 * the store alone cannot.
 */
export async function deriveWorkspaceId({ platform }: Service, salt: string, key: string): Promise<string> {
  const digest = await platform.sha256(salt + key);
  const bytes = Array.from({ length: 32 }, (_, index) =>
    Number.parseInt(digest.slice(index * 2, index * 2 + 2), 16),
  );
  return `ws_${toText(Uint8Array.from(bytes))}`;
}

/** A fresh record id: 80 random bits after the prefix of its kind. */
export function mintRecordId(service: Service, prefix: string): string {
  return prefix + toText(service.platform.randomBytes(16));
}

/** Opens the workspace that the caller names. Malformed, unknown and expired ids get the same refusal. */
export async function openWorkspace(service: Service, id: string): Promise<OpenWorkspace> {
  if (!idShape.test(id)) throw new Refusal('unknown_workspace');
  const hash = await service.platform.sha256(id);
  const workspace = await service.store.get(hash, service.platform.now());
  if (!workspace) throw new Refusal('unknown_workspace');
  return { ...workspace, id, hash };
}
