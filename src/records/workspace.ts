import { Refusal } from '../kernel/refusal.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { RecordService, RecordWorkspace } from './service.ts';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
/** Characters of an id that tell when it was made, and random ones after them. */
const timeLength = 7;
const randomLength = 32;
/** Digits that the moment takes in hex. */
const timeDigits = Math.ceil((timeLength * 5) / 4);
export const idLength = timeLength + randomLength;
export const workspaceIdPattern = `^ws_[0-9a-hjkmnp-tv-z]{${idLength}}$`;
export const idShape = new RegExp(workspaceIdPattern);

/** Crockford base 32: one character of five bits for each byte. */
function toBase32(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += alphabet[byte & 31];
  return text;
}

/** The moment `now`, in milliseconds, as 35 bits in base 32: they come round after a year, which harms nothing. */
function encodeTime(now: number): string {
  let text = '';
  for (let shift = 5 * (timeLength - 1); shift >= 0; shift -= 5) {
    text += alphabet[Math.floor(now / 2 ** shift) % 32];
  }
  return text;
}

type RandomSource = { platform: Pick<RecordService['platform'], 'now' | 'randomBytes'> };

/**
 * A fresh salt, of what an id or a token is derived from and of challenges: the moment, so that a store can keep
 * together what is made together, and 160 random bits.
 */
export function makeSalt({ platform }: RandomSource): string {
  return encodeTime(platform.now()) + toBase32(platform.randomBytes(randomLength));
}

/** A fresh workspace id: a capability of 160 random bits, after the moment that it was made. */
export function mintWorkspaceId(service: RandomSource): string {
  return `ws_${makeSalt(service)}`;
}

/**
 * The workspace id of a create without a workspace under an Idempotency-Key: the moment of the salt, and 160
 * bits of SHA-256 over salt and key. The salt is kept with the reply and the key is not, so that a replay can
 * say the id again while the store alone cannot.
 */
export async function deriveWorkspaceId(
  { platform }: RecordService,
  salt: string,
  key: string,
): Promise<string> {
  return `ws_${salt.slice(0, timeLength)}${await deriveText({ platform }, salt + key)}`;
}

/** 32 characters, 160 bits, of SHA-256 over a text. */
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
 * What a store knows a workspace by: SHA-256 of its id in hex, the first digits of it replaced by the
 * moment in the id. An index over these grows at its end, so that a create touches the same few pages however
 * full the store is.
 */
export async function hashWorkspaceId(
  { platform }: Pick<RecordService, 'platform'>,
  id: string,
): Promise<string> {
  const moment = [...id.slice(3, 3 + timeLength)].reduce((sum, one) => sum * 32 + alphabet.indexOf(one), 0);
  return moment.toString(16).padStart(timeDigits, '0') + (await platform.sha256(id)).slice(timeDigits);
}

/** A fresh record id: 80 random bits after the prefix of its kind. */
export function mintRecordId(service: RecordService, prefix: string): string {
  return prefix + toBase32(service.platform.randomBytes(16));
}

/** What is said of a text that was never an id: its shape alone tells that, so it says nothing of those that are. */
const misshapen = `This is not shaped like a workspace id, \`ws_\` and ${idLength} letters and digits. Send the whole id that a create answered. Or leave the workspace out to read the public seed. A create without it mints a new workspace.`;

/** An opened workspace, as the operations of the service are given it. */
export function createOpenedWorkspace(
  contents: Workspace,
  { id, secret, by }: Pick<RecordWorkspace, 'id' | 'secret' | 'by'>,
): RecordWorkspace {
  const { key, hash, expiresAt, revision } = contents.head;
  return { id, secret, by, key, hash, expiresAt, revision, contents };
}

/**
 * Opens the workspace that the caller names. Malformed, unknown and expired ids get the same refusal, but for the reason
 * of the first.
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
