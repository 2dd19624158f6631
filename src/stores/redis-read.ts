import type { FollowedHead, Found, Slice, StoreEntry } from '../records/store.ts';
import type { KeptHead } from './decided.ts';
import {
  fromHeadTexts,
  fromReplyText,
  type HeadTexts,
  type KeptReply,
  toFirstKeys,
  toHex,
  toKeysBefore,
  toListKey,
  toPlace,
  toPointerKey,
  toShort,
  toText,
} from './redis-keys.ts';
import type { Script } from './redis-script.ts';
import { forgetKeys, look, page, readKey, readList, write } from './redis-scripts.ts';
import { toKeys, toValues } from './redis-steps.ts';
import { toBroughtOver } from './version-before.ts';

/** Runs a script; rejects with the Refusal `store_unavailable`. */
export type Run = (script: Script, keys: string[], values: (string | number)[]) => Promise<unknown>;

/** What was seen of a workspace in one step. */
export interface Seen {
  /** What is kept under the key that was asked for. */
  kept?: KeptReply | undefined;
  /** Undefined where the workspace is not open to the hash that was asked for. Expired replies are not in its bytes. */
  head?: KeptHead | undefined;
  /** The hash that opens it now, in hex. */
  hash?: string;
  /** How many of its oldest replies have expired. */
  expired: number;
  /** The short name of the key that made it, and whether what was kept under that has expired. */
  minted?: { name: string; isOver: boolean } | undefined;
  found: Found[];
}

type Looked = [
  kept: [string?],
  head?: [...HeadTexts, minted: string, opensBy: string],
  expired?: [bytes: number, count: number],
  ...found: [held: string, kind?: string, entry?: string][],
];

const nothing: Seen = { expired: 0, found: [] };

function toRecord(kind: string, entry: string): StoreEntry {
  const end = entry.indexOf(' ');
  return { kind, seq: Number(entry.slice(0, end)), fact: JSON.parse(entry.slice(end + 1)) };
}

function toSeen(place: string, now: number, [kept, texts, expired, ...rows]: Looked): Seen {
  const found = rows.map(([held, kind, entry]): Found => {
    const record = kind === undefined ? undefined : toRecord(kind, entry!);
    return { ...(record && { record }), occupants: Number(held) };
  });
  const reply = kept[0] === undefined ? undefined : fromReplyText(kept[0]);
  if (!texts || !expired) return { kept: reply, expired: 0, found };
  const [head, counts, state, used, mintedText, opensBy] = texts;
  const read = fromHeadTexts(place, [head, counts, state, used]);
  const [expiry, size, name] = mintedText.split(' ');
  const minted = name === undefined ? undefined : { name, isOver: Number(expiry) <= now };
  const bytes = read.bytes - expired[0] - (minted?.isOver ? Number(size) : 0);
  return { kept: reply, head: { ...read, bytes }, hash: toHex(opensBy), expired: expired[1], minted, found };
}

/** What is read of a server. */
export function createReader(run: Run) {
  /** Writes anew what the version before kept under a hash, unless another has; false where there is none. */
  async function bringOver(hash: string, now: number): Promise<boolean> {
    const before = toKeysBefore(hash);
    const [expiry, ...texts] = (await run(readList, before.slice(0, 1), [])) as string[];
    if (expiry === undefined || Number(expiry) <= now) return false;
    const records = texts.map((text) => JSON.parse(text));
    const decided = toBroughtOver(hash, { expiresAt: Number(expiry), records }, now);
    const change = { workspace: hash, mint: true, expiresAt: Number(expiry) };
    await run(write, toKeys(toPlace(hash), decided.head), ['', ...toValues(change, decided)]);
    await run(forgetKeys, before, []);
    return true;
  }

  /** The workspace that a hash opens, or that stands at a place, with what is under a key and under names. */
  async function see(
    { hash, place }: { hash?: string; place: string },
    now: number,
    names: readonly string[],
    key = '',
  ): Promise<Seen> {
    const values = [hash === undefined ? '' : toText(hash), now, key && toShort(key), ...names];
    const answer = (await run(look, toFirstKeys(place), values)) as Looked | string | null;
    if (answer === null && hash !== undefined && (await bringOver(hash, now)))
      return see({ hash, place }, now, names, key);
    if (answer === null || answer === '') return nothing;
    return typeof answer === 'string'
      ? see({ ...(hash !== undefined && { hash }), place: answer }, now, names, key)
      : toSeen(place, now, answer);
  }

  return {
    see: (hash: string, now: number, names: readonly string[] = [], key?: string) =>
      see({ hash, place: toPlace(hash) }, now, names, key),
    async follow(name: string, now: number): Promise<FollowedHead | undefined> {
      const text = (await run(readKey, [toPointerKey(name)], [now])) as string | null;
      if (text === null) return undefined;
      const end = text.indexOf(' ');
      const { head, hash } = await see({ place: text.slice(0, end) }, now, []);
      return head && { ...head, hash: hash!, to: text.slice(end + 1) };
    },
    async find(place: string, names: readonly string[]): Promise<Found[]> {
      const { found } = await see({ place }, 0, names);
      return names.map((_, at) => found[at] ?? { occupants: 0 });
    },
    async read(place: string, { kind, order, after, limit }: Slice): Promise<StoreEntry[]> {
      const values = [order, after ?? '', limit];
      const entries = (await run(page, [toListKey(place, kind)], values)) as string[];
      const records = entries.map((entry) => toRecord(kind, entry));
      return order === 'oldest' ? records : records.reverse();
    },
  };
}
