import type { Change, Changed, Writing } from '../records/store.ts';
import { type Decided, decideOn } from './decided.ts';
import {
  fromReplyText,
  graceMs,
  type KeptReply,
  toHeadKey,
  toMintKey,
  toPlace,
  toPointerKey,
  toShort,
} from './redis-keys.ts';
import type { createReader, Run, Seen } from './redis-read.ts';
import { toKeptText } from './redis-reply.ts';
import type { Script } from './redis-script.ts';
import { forget, forgetKeys, point, readKey, takeKey, write } from './redis-scripts.ts';
import { toKeys, toValues } from './redis-steps.ts';

/** How often a change is decided where other instances change the same workspace in between. */
const mostDecisions = 50;

/** What a change under a key is answered where that was used. */
function toRepeated({ key }: Change<unknown>, kept: KeptReply | undefined): Changed<never> | undefined {
  if (!key || !kept) return undefined;
  const isSame = toShort(key.fingerprint) === kept.fingerprint;
  return isSame ? { result: 'replay', reply: kept.reply } : { result: 'mismatch' };
}

interface Parts {
  run: Run;
  reader: ReturnType<typeof createReader>;
  /** Settles once nothing is lost any more of what was ever written in the slot of a key. */
  keep(key: string): Promise<void>;
  /** Told of every change that was done. */
  onDone(decided: Decided<unknown>): void;
  /** Gives up: throws what says that others were quicker, again and again. */
  giveUp(): never;
}

/** What changes a server. It rejects with what `run` does, and with what a decision throws. */
export function createChanger({ run, reader, keep, onDone, giveUp }: Parts) {
  /** Writes what was decided, unless what it was decided on is no longer so, or others were charged in between. */
  async function tryWrite<T>(
    change: Change<T>,
    decided: Decided<T>,
    seen?: Seen,
  ): Promise<'done' | 'moved' | 'over'> {
    const place = seen?.head?.key ?? toPlace(change.workspace);
    const revision = seen?.head?.revision ?? '';
    const keys = toKeys(place, seen?.head, decided.head);
    const isDone = decided.writing.forget
      ? await run(forget, keys, [revision, graceMs])
      : await run(write, keys, [revision, ...toValues(change, decided, seen)]);
    if (isDone === 1) return 'done';
    return isDone === 0 ? 'moved' : 'over';
  }

  /** Makes the hash of a workspace that was renamed lead to its place, for as long as it lives. */
  async function lead(hash: string, place: string, expiresAt: number): Promise<void> {
    if (toPlace(hash) !== place) await run(point, [toHeadKey(toPlace(hash))], [place, expiresAt + graceMs]);
  }

  /** Makes names lead to a place, before what knows them is written. */
  async function pointTo(place: string, points: Writing['points'] = {}): Promise<void> {
    for (const [name, { to, expiresAt }] of Object.entries(points))
      await run(point, [toPointerKey(name)], [`${expiresAt} ${place} ${to}`, expiresAt + graceMs]);
  }

  async function tryChange<T>(change: Change<T>): Promise<Changed<T> | undefined> {
    const { workspace, now, needs, key } = change;
    const seen = await reader.see(workspace, now, needs, key?.name);
    const repeated = toRepeated(change, seen.kept);
    if (repeated) {
      await keep(toHeadKey(seen.head?.key ?? toPlace(workspace)));
      return repeated;
    }
    if (!seen.head) return { result: 'unknown' };
    const decided = decideOn(change, seen.found, seen.head);
    if (typeof decided === 'string') return { result: decided };
    const place = seen.head.key;
    const { writing, head, answer } = decided;
    await pointTo(place, writing.points);
    if (!writing.forget) await lead(writing.rename ?? workspace, place, head.expiresAt);
    else if (seen.minted && !seen.minted.isOver) await run(forgetKeys, [toMintKey(seen.minted.name)], []);
    const written = await tryWrite(change, decided, seen);
    if (written !== 'done') return undefined;
    for (const name of writing.unpoints ?? []) await run(forgetKeys, [toPointerKey(name)], []);
    onDone(decided);
    return { result: 'done', answer };
  }

  /** What a key that makes a workspace was used for, once that is not lost any more. */
  async function ask(script: Script, name: string, values: (string | number)[]) {
    const key = toMintKey(toShort(name));
    const text = (await run(script, [key], values)) as string | null;
    if (text === null) return undefined;
    await keep(key);
    return fromReplyText(text);
  }

  /** Takes a key for a workspace that was made under it, or answers what it was taken with. */
  function take({ key, now, expiresAt }: Change<unknown>, reply: string): Promise<KeptReply | undefined> {
    const text = `${expiresAt} ${toShort(key!.fingerprint)} ${toKeptText(reply)}`;
    return ask(takeKey, key!.name, [now, text, expiresAt + graceMs]);
  }

  return {
    /** Changes a workspace that exists: reads, decides and writes, again where it changed in between. */
    async change<T>(change: Change<T>): Promise<Changed<T>> {
      for (let count = 0; count < mostDecisions; count += 1) {
        const changed = await tryChange(change);
        if (changed) return changed;
      }
      return giveUp();
    },

    /**
     * Makes a workspace, whose id nobody knows yet, and then takes its key. Where another has that, the workspace goes
     * again; where it is cut short in between, it is left to expire, unknown to anybody.
     */
    async mint<T>(change: Change<T>): Promise<Changed<T>> {
      const { workspace, key, now, needs } = change;
      if (key) {
        const repeated = toRepeated(change, await ask(readKey, key.name, [now]));
        if (repeated) return repeated;
      }
      const found = needs.map(() => ({ occupants: 0 }));
      const decided = decideOn(change, found, undefined);
      if (typeof decided === 'string') return { result: decided };
      await pointTo(toPlace(workspace), decided.writing.points);
      const written = await tryWrite(change, decided);
      if (written !== 'done') return { result: written === 'over' ? 'over' : 'unknown' };
      const { reply, answer } = decided;
      const taken = key && reply !== undefined ? await take(change, reply) : undefined;
      if (taken) await run(forgetKeys, toKeys(toPlace(workspace), decided.head), []);
      else onDone(decided);
      return toRepeated(change, taken) ?? { result: 'done', answer };
    },
  };
}
