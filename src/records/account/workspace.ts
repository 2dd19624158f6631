import { Refusal } from '../../kernel/refusal.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { RecordService, RecordWorkspace } from '../service.ts';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
/** An id begins with characters of the time at which it was made. Random ones follow. */
const timeLength = 7;
const randomLength = 32;
/** Digits of that time in hex. */
const timeDigits = Math.ceil((timeLength * 5) / 4);
export const idLength = timeLength + randomLength;
export const workspaceIdPattern = `^ws_[0-9a-hjkmnp-tv-z]{${idLength}}$`;
export const idShape = new RegExp(workspaceIdPattern);
/** What X-Workspace may be: an id, or the handle by which an owner names the workspace. */
export const workspacePattern = `^wsh?_[0-9a-hjkmnp-tv-z]{${randomLength},${idLength}}$`;

/** Formats bytes in Crockford base 32: five bits of each byte, as one character. */
function toBase32(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += alphabet[byte & 31];
  return text;
}

/** Formats `now`, in milliseconds, as 35 bits in base 32. They repeat after a year, which harms nothing. */
function encodeTime(now: number): string {
  let text = '';
  for (let shift = 5 * (timeLength - 1); shift >= 0; shift -= 5) {
    text += alphabet[Math.floor(now / 2 ** shift) % 32];
  }
  return text;
}

type RandomSource = { platform: Pick<RecordService['platform'], 'now' | 'randomBytes'> };

/**
 * Returns a new salt for an id, a token or a challenge: the time, and 160 random bits. Because of the time, a store
 * can keep records together that are made together.
 */
export function makeSalt({ platform }: RandomSource): string {
  return encodeTime(platform.now()) + toBase32(platform.randomBytes(randomLength));
}

/** Returns a new workspace id: a capability of the time and 160 random bits. */
export function mintWorkspaceId(service: RandomSource): string {
  return `ws_${makeSalt(service)}`;
}

/**
 * Derives the workspace id of a create under an Idempotency-Key: the time of the salt, and 160 bits of SHA-256 over
 * salt and key.
 *
 * The store keeps the salt but not the key. A replay can derive the id again, and the store alone cannot.
 */
export async function deriveWorkspaceId(
  { platform }: RecordService,
  salt: string,
  key: string,
): Promise<string> {
  return `ws_${salt.slice(0, timeLength)}${await deriveText({ platform }, salt + key)}`;
}

/** Returns 160 bits of SHA-256 over a text, as 32 characters. */
export async function deriveText(
  { platform }: Pick<RecordService, 'platform'>,
  from: string,
): Promise<string> {
  const digest = await platform.sha256(from);
  const bytes = Array.from({ length: randomLength }, (_, index) =>
    Number.parseInt(digest.slice(index * 2, index * 2 + 2), 16),
  );
  return toBase32(Uint8Array.from(bytes));
}

export const createRandomText = ({ platform }: RandomSource): string =>
  toBase32(platform.randomBytes(randomLength));

/**
 * Returns the hash under which a store keeps a workspace: SHA-256 of its id in hex. The time in the id replaces the
 * first digits.
 *
 * An index over such hashes grows at its end. So a create touches the same few pages in a store of any size.
 */
export async function hashWorkspaceId(
  { platform }: Pick<RecordService, 'platform'>,
  id: string,
): Promise<string> {
  const time = [...id.slice(3, 3 + timeLength)].reduce(
    (sum, character) => sum * 32 + alphabet.indexOf(character),
    0,
  );
  return time.toString(16).padStart(timeDigits, '0') + (await platform.sha256(id)).slice(timeDigits);
}

/** Returns a new record id: the prefix of its kind, and 80 random bits. */
export function mintRecordId(service: RecordService, prefix: string): string {
  return prefix + toBase32(service.platform.randomBytes(16));
}

/** The reason for a text that is not shaped like an id. It reveals nothing about the ids that exist. */
const misshapen = `This is not shaped like a workspace id, \`ws_\` and ${idLength} letters and digits. Send the whole id that a create answered. Or leave the workspace out to read the public seed. A create without it mints a new workspace.`;

export function createOpenedWorkspace(
  contents: Workspace,
  { id, secret, by }: Pick<RecordWorkspace, 'id' | 'secret' | 'by'>,
): RecordWorkspace {
  const { key, hash, expiresAt, revision } = contents.head;
  return { id, secret, by, key, hash, expiresAt, revision, contents };
}

/**
 * Opens the workspace that the caller names. Throws the Refusal `unknown_workspace` for malformed, unknown and
 * expired ids. Only that for a malformed id has a reason.
 */
export async function openWorkspace(
  service: Pick<RecordService, 'platform' | 'workspaces'>,
  id: string,
  client?: string,
): Promise<RecordWorkspace> {
  if (!idShape.test(id)) throw new Refusal('unknown_workspace', { reason: misshapen });
  const contents = await service.workspaces.open(await hashWorkspaceId(service, id), client);
  if (!contents) throw new Refusal('unknown_workspace');
  return createOpenedWorkspace(contents, { id, secret: id, by: 'id' });
}
