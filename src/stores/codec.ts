import { keepByText } from '../kernel/cache.ts';
import type { StoredRecord } from '../records/record.ts';
import type { StoreEntry, Used, WorkspaceHead } from '../records/store.ts';
import type { Kept, Row } from './driver.ts';

/** A workspace as it is kept, with what only stores know of it. */
export interface Head extends WorkspaceHead {
  /** The hash that it was made with, and the one that opens it now. */
  place: string;
  hash: string;
  /** The number that was given last. */
  seq: number;
  /** When the first of the kept replies expires; 0 where none is kept. */
  lapsesAt: number;
  /** Its text when it was read, by which a write knows whether it changed since. */
  text: string;
}

/** Where nothing was ever charged. */
export const unused: Used = { period: '', calls: {} };

const encoder = new TextEncoder();

/** Bytes of a text in UTF-8. */
export const toSize = (text: string) =>
  /[\u0080-\uffff]/.test(text) ? encoder.encode(text).length : text.length;

/** As much of a hash in hex as sets it apart from all others: 132 bits. */
export const toShort = (hash: string) => hash.slice(0, 33);

const toWords = (counts: Used['calls']) => Object.entries(counts).flat().join(' ');

function fromWords(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (let at = 0; at + 1 < words.length; at += 2) counts[words[at]!] = Number(words[at + 1]);
  return counts;
}

/** What was used, as the month, then each operation and its calls; empty where nothing was. */
export const toUsedText = ({ period, calls }: Used): string => period && `${period} ${toWords(calls)}`;

export function fromUsedText(text: string): Used {
  if (!text) return unused;
  const [period = '', ...words] = text.split(' ');
  return { period, calls: fromWords(words) };
}

/** The revision, which is the first word of a head. */
export const toRevision = (head: string): number => Number.parseInt(head, 10);

/** A workspace as it is kept. Times are in base 36. */
export function toTexts(head: Omit<Head, 'key' | 'text'>): Omit<Kept, 'key'> {
  const { revision, seq, bytes, createdAt, expiresAt, lapsesAt, place, hash, counts, state, used } = head;
  const times = [createdAt, expiresAt, lapsesAt].map((time) => time.toString(36));
  const opener = hash === place ? '-' : hash;
  return {
    head: [revision, seq, bytes, ...times, opener, toWords(counts)].join(' ').trimEnd(),
    used,
    state: Object.keys(state).length > 0 ? JSON.stringify(state) : '',
  };
}

export function fromTexts(place: string, { key, head, used, state }: Kept): Head {
  const [revision, seq, bytes, createdAt, expiresAt, lapsesAt, opener, ...words] = head.split(' ');
  const toTime = (text: string | undefined) => Number.parseInt(text!, 36);
  return {
    key,
    place,
    text: head,
    hash: opener === '-' ? place : opener!,
    revision: Number(revision),
    seq: Number(seq),
    bytes: Number(bytes),
    createdAt: toTime(createdAt),
    expiresAt: toTime(expiresAt),
    lapsesAt: toTime(lapsesAt),
    counts: fromWords(words),
    state: state ? JSON.parse(state) : {},
    used,
  };
}

/** A record that is read again is the same object, so that what was made of it is found again. */
const toFact = keepByText((text): StoredRecord => JSON.parse(text));

export const toEntry = ({ kind, seq, text }: Row): StoreEntry => ({ kind, seq, fact: toFact(text) });

/** Kept replies are rows of this kind, named for it and their key. */
export const replyKind = '=';
export const toReplyName = (name: string) => replyKind + toShort(name);

/** A reply that is kept under a key, by the name of that, as long as its row does not expire. */
export interface KeptReply {
  expiresAt: number;
  name: string;
  fingerprint: string;
  reply: string;
}

export const toReplyText = ({ expiresAt, name, fingerprint, reply }: KeptReply) =>
  `${expiresAt.toString(36)} ${toShort(name)} ${toShort(fingerprint)} ${reply}`;

export function fromReplyText(text: string): KeptReply {
  const [time = '', name = '', fingerprint = ''] = text.split(' ', 3);
  const reply = text.slice(time.length + name.length + fingerprint.length + 3);
  return { expiresAt: Number.parseInt(time, 36), name, fingerprint, reply };
}

/** A door to a workspace, by the hash that it was made with, and to something in it. */
export const toDoor = (name: string, place: string, to: string, expiresAt: number) => ({
  name,
  text: `${expiresAt} ${place} ${to}`,
  expiresAt,
});

/** Where a door leads to; undefined where it is not there or has expired. */
export function fromDoorText(text: string | undefined, now: number) {
  const [, expiresAt, place, to] = /^(\d+) (\w+) (.*)$/s.exec(text ?? '') ?? [];
  return Number(expiresAt) > now ? { place: place!, to: to! } : undefined;
}

/** The doors that there are: of a workspace that was renamed, of a key that made one, of a name known without its id. */
export const doors = {
  hash: (hash: string) => `hash:${toShort(hash)}`,
  key: (name: string) => `key:${toShort(name)}`,
  pointer: (name: string) => `to:${toShort(name)}`,
};
