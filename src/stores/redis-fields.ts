import { hash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { type ActivityEntry, mostActivity, type RecordOfEntry } from '../workspace/activity.ts';
import type { Head, KeptReply } from '../workspace/head.ts';
import type { Commit, StoredText, TokenTarget } from '../workspace/store.ts';
import { decodeUsed, encodeUsed } from './encode-head.ts';

/*
 * A workspace is a Redis hash: `h` is its head, `v` its version, `u` its charges, `t` the instance that has the turn to
 * change it. A record has the field of its number, with `KIND JSON`. An activity entry has the field `aREVISION`. A kept
 * reply is a field whose name says all that is known of it without its text: `=NAME.FINGERPRINT.EXPIRY.BYTES`. Its value
 * is the text, compressed by raw deflate.
 *
 * Heads and activity entries are arrays, because Redis keeps the names of members in each of them.
 */

/** All keys begin with this. The number is that of the format. */
const prefix = 'careers:3:';

/** A pattern of the keys of earlier formats. */
export const earlierKeys = 'careers:[12v{]*';

/** The key of each changed workspace is published on this channel. */
export const channel = `${prefix}changed`;

const pack = (hex: string): string => Buffer.from(hex, 'hex').toString('base64url');
/** Shortens a hash in hex to its first 128 bits, in 22 characters. */
const shorten = (hex: string): string => pack(hex.slice(0, 32));
const lengthen = (text: string): string => Buffer.from(text, 'base64url').toString('hex');

/** The braces put all keys of a workspace, or of a token, into one hash slot of a cluster. */
export const toWorkspaceKey = (hash: string): string => `${prefix}{${shorten(hash)}}`;
export const toAliasKey = (hash: string): string => `${prefix}hash:{${shorten(hash)}}`;
export const toTokenKey = (name: string): string => `${prefix}token:{${shorten(name)}}`;
/** The key of what one caller used of a quota. */
export const toRateKey = (name: string): string =>
  `${prefix}rate:{${hash('sha256', name, 'base64url').slice(0, 22)}}`;
/** Where a workspace is put together before it gets its key. In the same hash slot. */
export const toDraftKey = (hash: string): string => `${prefix}draft:{${shorten(hash)}}`;

/** A key in the slot of a workspace or a token, for a write that shows that the replicas follow its server. */
export const toProbeKey = (key: string): string => `${prefix}probe:${/\{[^{}]*\}/.exec(key)![0]}`;

/** Patterns of the keys of workspaces and of tokens. */
export const workspaceKeys = `${prefix}{*`;
export const tokenKeys = `${prefix}token:{*`;
/** Returns the first 128 bits of the name of a token, in hex. */
export const toTokenName = (key: string): string => lengthen(/\{([^{}]*)\}/.exec(key)?.[1] ?? '');

/** A head as it is stored. Of the mint key it has the first 128 bits, as a token does. */
type StoredHead = [
  hash: string,
  createdAt: number,
  expiresAt: number,
  revision: number,
  lastSeq: number,
  bytes: number,
  counts: Head['counts'],
  state: Head['state'],
  mintKey?: string,
];

function encodeHead(head: Head): string {
  const { createdAt, expiresAt, revision, lastSeq, bytes, counts, state, mintKey } = head;
  const hash = pack(head.hash);
  const stored: StoredHead = [hash, createdAt, expiresAt, revision, lastSeq, bytes, counts, state];
  if (mintKey !== undefined) stored.push(shorten(mintKey));
  return JSON.stringify(stored);
}

function decodeHead(text: string): Omit<Head, 'key' | 'version' | 'used'> {
  const [hash, createdAt, expiresAt, revision, lastSeq, bytes, counts, state, mintKey] = JSON.parse(
    text,
  ) as StoredHead;
  const head = { hash: lengthen(hash), createdAt, expiresAt, revision, lastSeq, bytes, counts, state };
  return mintKey === undefined ? head : { ...head, mintKey: lengthen(mintKey) };
}

export const headFields = ['h', 'v', 'u'];

/** Reads the fields of a head. Returns undefined if the workspace does not exist. */
export function decodeHeadFields(
  key: string,
  [text, version, used]: readonly (string | null)[],
): Head | undefined {
  if (!text || !version) return undefined;
  return { ...decodeHead(text), key, version, used: decodeUsed(used ?? '') };
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

type StoredMore = Omit<ActivityEntry, 'revision' | 'at' | 'via' | 'operation' | 'client' | 'records'> & {
  /** What each record has beside its kind and its id, if any has more. */
  named?: readonly Omit<RecordOfEntry, 'id' | 'kind'>[];
};

/** An activity entry as it is stored. `records` has the kind of each record before its id. */
type StoredEntry = [
  at: number,
  via: ActivityEntry['via'],
  operation: string,
  client: string | null,
  records: readonly string[],
  more?: StoredMore,
];

export function encodeActivity({ revision, at, via, operation, client, records, ...rest }: ActivityEntry) {
  const pairs = records.flatMap(({ kind, id }) => [kind, id]);
  const stored: StoredEntry = [at, via, operation, client ?? null, pairs];
  const named = records.map(({ id: _, kind: __, ...names }) => names);
  const isNamed = named.some((names) => Object.keys(names).length > 0);
  const more: StoredMore = { ...rest, ...(isNamed && { named }) };
  if (Object.keys(more).length > 0) stored.push(more);
  return JSON.stringify(stored);
}

export function decodeActivity(revision: number, text: string): ActivityEntry {
  const [at, via, operation, client, pairs, { named = [], ...more } = {}] = JSON.parse(text) as StoredEntry;
  const records: RecordOfEntry[] = [];
  for (let place = 0; place < pairs.length; place += 2)
    records.push({ kind: pairs[place]!, id: pairs[place + 1]!, ...named[place / 2] });
  return { revision, at, via, operation, ...(client !== null && { client }), records, ...more };
}

/**
 * Compresses the text of a reply. Small buffers suffice for JSON. With the usual ones a create under a key takes 0.08 ms
 * more, because they make garbage collections frequent.
 */
export const encodeReply = (text: string): Buffer =>
  deflateRawSync(text, { level: 1, windowBits: 12, memLevel: 5, chunkSize: 1024 });

export const decodeReply = (value: Buffer): string => inflateRawSync(value).toString();

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
export function listChanges(commit: Commit): { sets: (string | Buffer)[]; deletes: string[] } {
  const { after, written, removed, keptReply, expiredReplies, activity } = commit;
  if (!after) return { sets: [], deletes: [] };
  const sets: (string | Buffer)[] = ['h', encodeHead(after), 'v', after.version, 'u', encodeUsed(after.used)];
  const deletes = [...removed.map(({ seq }) => String(seq)), ...expiredReplies.map(encodeReplyField)];
  for (const { entry, text } of written) sets.push(String(entry.seq), `${entry.kind} ${text}`);
  if (keptReply) sets.push(encodeReplyField(keptReply), encodeReply(keptReply.text));
  for (const entry of activity) {
    sets.push(toActivityField(entry.revision), encodeActivity(entry));
    if (entry.revision > mostActivity) deletes.push(toActivityField(entry.revision - mostActivity));
  }
  return { sets, deletes };
}
