import type { Charge } from '../records/store.ts';
import type { KeptHead } from './decided.ts';
import { fromKeptText } from './redis-reply.ts';
import { fromCountsText, fromUsedText } from './used-text.ts';

/** Milliseconds for which the server keeps what expired, so that its clock may run ahead of its callers'. */
export const graceMs = 60_000;

/** A hash in hex, written shorter, and back. */
export const toText = (hex: string) => Buffer.from(hex, 'hex').toString('base64url');
export const toHex = (text: string) => Buffer.from(text, 'base64url').toString('hex');

/** As much of a hash as sets it apart from all others: 132 bits. */
export const toShort = (hex: string) => toText(hex).slice(0, 22);

/** What the keys of a workspace are named for: the beginning of the hash that it was made with. */
export const toPlace = toShort;

/** The hash that opens the workspace at a place, without that where it begins with it. */
export function toOpener(hash: string, place: string): string {
  const text = toText(hash);
  return text.startsWith(place) ? text.slice(place.length) : text;
}

/**
 * The braces make each name one hash slot of a cluster: a workspace, and a key that makes one (by its short name) apart
 * from it.
 */
export const toHeadKey = (place: string) => `careers:2:{${place}}`;
export const toListKey = (place: string, kind: string) => `${toHeadKey(place)}:${kind}`;
/** The two that a script is given first. */
export const toFirstKeys = (place: string) => [toHeadKey(place), `${toHeadKey(place)}:=`];
export const toMintKey = (name: string) => `careers:2:key:{${name}}`;
/** What leads to a workspace without its hash, in a slot of its own. */
export const toPointerKey = (name: string) => `careers:2:to:{${toShort(name)}}`;
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

/** A charge as a script takes it: month, calls and, where there is a limit, its rates and what is authorised. */
export function toChargeText({ period, calls, limit }: Charge): string {
  if (!limit) return JSON.stringify([period, calls]);
  const rates = Object.entries(limit.rates).map(([name, { price, included }]) => [name, [price, included]]);
  return JSON.stringify([period, calls, Object.fromEntries(rates), limit.authorised]);
}

/** The texts of a workspace, as they are kept: its head, its counts, its state and what was used. */
export type HeadTexts = [head: string, counts: string, state: string, used: string];

export function fromHeadTexts(place: string, [text, counts, state, used]: HeadTexts): KeptHead {
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
    counts: fromCountsText(counts),
    state: JSON.parse(state || '{}'),
    used: fromUsedText(used),
  };
}

/** What is kept under a key, as `fingerprint reply`. */
export interface KeptReply {
  fingerprint: string;
  reply: string;
}

export function fromReplyText(text: string): KeptReply {
  const end = text.indexOf(' ');
  return { fingerprint: text.slice(0, end), reply: fromKeptText(text.slice(end + 1)) };
}
