import { type ActivityEntry, mostActivity } from '../workspace/activity.ts';
import type { Head, KeptReply } from '../workspace/head.ts';
import type { Commit, StoredText, TokenTarget } from '../workspace/store.ts';
import { decodeUsed, encodeUsed } from './encode-head.ts';

/*
 * A workspace is a Redis hash: `h` is its head, `v` its version, `u` its charges. A record has the field of its number,
 * with `KIND JSON`. An activity entry has the field `aREVISION`. A kept reply is a field whose name says all that is
 * known of it without its text: `=NAME.FINGERPRINT.EXPIRY.BYTES`.
 */

/** Shortens a hash in hex to its first 128 bits, in 22 characters. */
const shorten = (hex: string): string => Buffer.from(hex.slice(0, 32), 'hex').toString('base64url');
const lengthen = (text: string): string => Buffer.from(text, 'base64url').toString('hex');

/** The braces put all keys of a workspace, or of a token, into one hash slot of a cluster. */
export const toWorkspaceKey = (hash: string): string => `careers:v2:{${shorten(hash)}}`;
export const toAliasKey = (hash: string): string => `careers:v2:hash:{${shorten(hash)}}`;
export const toTokenKey = (name: string): string => `careers:v2:token:{${shorten(name)}}`;
/** Where a workspace is put together before it gets its key. In the same hash slot. */
export const toDraftKey = (hash: string): string => `careers:v2:draft:{${shorten(hash)}}`;

/** Patterns of the keys of workspaces and of tokens. */
export const workspaceKeys = 'careers:v2:{*';
export const tokenKeys = 'careers:v2:token:{*';
/** Returns the first 128 bits of the name of a token, in hex. */
export const toTokenName = (key: string): string => lengthen(/\{([^{}]*)\}/.exec(key)?.[1] ?? '');

/** The members of a head that are stored as one text. */
type KeptHead = Omit<Head, 'key' | 'version' | 'used'>;

function encodeHead(head: Head): string {
  const { key, version, used, ...kept } = head;
  return JSON.stringify(kept satisfies KeptHead);
}

export const headFields = ['h', 'v', 'u'];

/** Reads the fields of a head. Returns undefined if the workspace does not exist. */
export function decodeHeadFields(
  key: string,
  [text, version, used]: readonly (string | null)[],
): Head | undefined {
  if (!text || !version) return undefined;
  return { ...(JSON.parse(text) as KeptHead), key, version, used: decodeUsed(used ?? '') };
}

export const encodeToken = (key: string, to: string, expiresAt: number): string =>
  `${expiresAt} ${key} ${to}`;

/** Reads the text of a token: where it leads, and when it expires. */
export function parseToken(text: string): TokenTarget & { expiresAt: number } {
  const [, expiresAt, key = '', to = ''] = /^(\d+) (\S+) (.*)$/s.exec(text) ?? [];
  return { key, to, expiresAt: Number(expiresAt) };
}

/** Returns where a token leads, or undefined if it has expired. */
export function decodeToken(text: string, now: number): TokenTarget | undefined {
  const { key, to, expiresAt } = parseToken(text);
  return expiresAt > now ? { key, to } : undefined;
}

export const isRecordField = (name: string): boolean => /^\d+$/.test(name);

export function decodeRecord(seq: number, text: string): StoredText {
  const end = text.indexOf(' ');
  return { kind: text.slice(0, end), seq, text: text.slice(end + 1) };
}

export const toActivityField = (revision: number): string => `a${revision}`;

export const encodeActivity = ({ revision, ...rest }: ActivityEntry): string => JSON.stringify(rest);

export const decodeActivity = (revision: number, text: string): ActivityEntry => ({
  ...(JSON.parse(text) as Omit<ActivityEntry, 'revision'>),
  revision,
});

export const encodeReplyField = ({ name, fingerprint, expiresAt, bytes }: KeptReply): string =>
  `=${shorten(name)}.${shorten(fingerprint)}.${expiresAt.toString(36)}.${bytes.toString(36)}`;

/** Reads the field of a stored reply. Returns undefined for any other field. */
export function decodeReplyField(field: string): KeptReply | undefined {
  if (!field.startsWith('=')) return undefined;
  const [name = '', fingerprint = '', expiresAt = '', bytes = ''] = field.slice(1).split('.');
  return {
    name: lengthen(name),
    fingerprint: lengthen(fingerprint),
    expiresAt: Number.parseInt(expiresAt, 36),
    bytes: Number.parseInt(bytes, 36),
  };
}

/** Lists the fields that a change sets, each before its value, and the fields that it deletes. */
export function listChanges(commit: Commit): { sets: string[]; deletes: string[] } {
  const { after, written, removed, keptReply, expiredReplies, activity } = commit;
  if (!after) return { sets: [], deletes: [] };
  const sets = ['h', encodeHead(after), 'v', after.version, 'u', encodeUsed(after.used)];
  const deletes = [...removed.map(({ seq }) => String(seq)), ...expiredReplies.map(encodeReplyField)];
  for (const { entry, text } of written) sets.push(String(entry.seq), `${entry.kind} ${text}`);
  if (keptReply) sets.push(encodeReplyField(keptReply), keptReply.text);
  for (const entry of activity) {
    sets.push(toActivityField(entry.revision), encodeActivity(entry));
    if (entry.revision > mostActivity) deletes.push(toActivityField(entry.revision - mostActivity));
  }
  return { sets, deletes };
}
