import type { KeptHead } from './decided.ts';

/** Milliseconds for which the server keeps what expired, so that its clock may run ahead of its callers'. */
export const graceMs = 60_000;

/** A hash in hex, written shorter. */
export const toText = (hex: string) => Buffer.from(hex, 'hex').toString('base64url');

/** As much of a hash as sets it apart from all others: 132 bits. */
export const toShort = (hex: string) => toText(hex).slice(0, 22);

/** What the keys of a workspace are named for: the beginning of the hash that it was made with. */
export const toPlace = toShort;

/**
 * The braces make each name one hash slot of a cluster: a workspace, and a key that makes one (by its short name) apart
 * from it.
 */
export const toHeadKey = (place: string) => `careers:2:{${place}}`;
export const toListKey = (place: string, kind: string) => `${toHeadKey(place)}:${kind}`;
/** The two that a script is given first. */
export const toFirstKeys = (place: string) => [toHeadKey(place), `${toHeadKey(place)}:=`];
export const toKeylessKey = (name: string) => `careers:2:key:{${name}}`;
/** What the version before kept of a workspace, in a slot of its own. */
export const toKeysBefore = (hash: string) => [`careers:{${hash}}`, `careers:{${hash}}:places`];

/** A head as one short text, which begins with what the scripts read of it: its expiry, and its revision. */
export function toHeadText({
  expiresAt,
  revision,
  createdAt,
  seq,
  records,
  bytes,
}: Omit<KeptHead, 'key'>): string {
  return [expiresAt, revision, createdAt, seq, records, bytes].join(' ');
}

export function fromHeadText(place: string, text: string, counts: string, state: string): KeptHead {
  const numbers = text.split(' ').map(Number) as [number, number, number, number, number, number];
  const [expiresAt, revision, createdAt, seq, records, bytes] = numbers;
  return {
    key: place,
    expiresAt,
    revision,
    createdAt,
    seq,
    records,
    bytes,
    counts: JSON.parse(counts),
    state: JSON.parse(state || '{}'),
  };
}

/** What is kept under a key, as `fingerprint reply`. */
export interface KeptReply {
  fingerprint: string;
  reply: string;
}

export function fromReplyText(text: string): KeptReply {
  const end = text.indexOf(' ');
  return { fingerprint: text.slice(0, end), reply: text.slice(end + 1) };
}
