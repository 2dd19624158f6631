import { isDeepStrictEqual } from 'node:util';
import type { Head } from '../workspace/head.ts';
import { RedisEnd, type RedisEndOptions } from './redis-end.ts';
import { SqliteEnd } from './sqlite-end.ts';
import { probeVersion } from './sqlite-probe.ts';
import type { StoredToken, TransferEnd, WholeWorkspace } from './transfer-end.ts';

/** How many workspaces are copied at once, and then made durable. All of them are in memory. */
const workspacesAtOnce = 16;
/** How many workspaces a refusal names. */
const mostNamed = 5;

/** Opens the store that a URL or a path names. Rejects with a plain message. */
export async function openEnd(
  place: string,
  role: 'source' | 'target',
  options: RedisEndOptions,
): Promise<TransferEnd> {
  if (/^rediss?(-\w+)?:/.test(place)) return RedisEnd.open(place, role, options);
  refuseOtherUrl(place);
  return new SqliteEnd(place, role);
}

/** Throws a plain message for what is meant as a URL of a server. The message never repeats it: it may have a login. */
function refuseOtherUrl(place: string): void {
  const isFileUrl = /^(sqlite|file):/.test(place);
  const isUrl = /^[a-z][\w+.-]+:\/\/|^\/\//i.test(place) || /^[^/:]*:[^/@]*@/.test(place);
  if (!isUrl || isFileUrl) return;
  throw new Error(
    'it is no folder, no file and no URL of a server. A URL begins with redis:// or rediss://.',
  );
}

/** What a transfer did. */
export interface TransferResult {
  /** Workspaces and records that were copied. */
  workspaces: number;
  records: number;
  /** Workspaces that an earlier transfer had copied. */
  copiedBefore: number;
  /** Workspaces that had expired. They are not copied. */
  expired: number;
  /** Tokens that lead to the workspaces. */
  tokens: number;
  /** Tokens that lead to no workspace. They are not copied. */
  looseTokens: number;
}

interface TransferRequest {
  source: TransferEnd;
  target: TransferEnd;
  now: number;
  onProgress?(done: number, all: number): void;
}

/** Names are compared by their first 128 bits, because Redis keeps no more of them. */
const shorten = (hex: string) => hex.slice(0, 32);

/** Returns a workspace as it is compared with a copy in another store. */
function toComparable({ head, records, replies, activity }: WholeWorkspace) {
  const { key: _, ...kept } = head;
  const names = replies.map((reply) => ({
    ...reply,
    name: shorten(reply.name),
    fingerprint: shorten(reply.fingerprint),
  }));
  names.sort((a, b) => (a.name < b.name ? -1 : 1));
  const toRecord = ({ seq, kind, text }: WholeWorkspace['records'][number]) => ({ seq, kind, text });
  return { head: kept, records: records.map(toRecord), replies: names, activity };
}

const isSame = (one: WholeWorkspace, other: WholeWorkspace) =>
  isDeepStrictEqual(toComparable(one), toComparable(other));

/** Returns the copy of a workspace in the target, if there is one. */
async function findCopy(target: TransferEnd, { hash }: Head): Promise<WholeWorkspace | undefined> {
  const head = await target.find(hash);
  return head && target.read(head.key);
}

/** Names a workspace as the log of the service does. */
const toLogName = ({ hash }: Head) => hash.slice(-8);

/** Whether the target lacks a workspace, has the same, or has another content of it, or the workspace has expired. */
type CopyState = 'missing' | 'copied' | 'conflict' | 'expired';

async function findCopyState({ source, target, now }: TransferRequest, head: Head): Promise<CopyState> {
  if (head.expiresAt <= now) return 'expired';
  const copied = await findCopy(target, head);
  if (!copied) return 'missing';
  return isSame((await source.read(head.key))!, copied) ? 'copied' : 'conflict';
}

/** Yields the keys of the workspaces of a store, a few at a time. */
async function* listParts(source: TransferEnd): AsyncGenerator<string[]> {
  for await (const keys of source.listKeys())
    for (let from = 0; from < keys.length; from += workspacesAtOnce)
      yield [...new Set(keys.slice(from, from + workspacesAtOnce))];
}

/** Counts the workspaces by their state before any is written. Rejects if the target has one with another content. */
async function compareStores(request: TransferRequest) {
  const counts: Record<CopyState, number> = { missing: 0, copied: 0, expired: 0, conflict: 0 };
  const conflicts: string[] = [];
  const look = async (key: string) => {
    const head = await request.source.readHead(key);
    if (!head || head.version === probeVersion) return;
    const state = await findCopyState(request, head);
    counts[state] += 1;
    if (state === 'conflict') conflicts.push(toLogName(head));
  };
  for await (const part of listParts(request.source)) await Promise.all(part.map(look));
  if (conflicts.length === 0) return counts;
  const named = conflicts.slice(0, mostNamed).join(', ');
  const more = conflicts.length > mostNamed ? ` and ${conflicts.length - mostNamed} more` : '';
  throw new Error(
    `Workspaces that the target has with another content: ${conflicts.length} (in the log: ${named}${more}). Nothing was written. The target or the source was used after an earlier transfer. Name an empty target.`,
  );
}

/** Copies one workspace and reads the copy back. Returns how many records it has, or undefined if it was there. */
async function copyWorkspace(
  { source, target, now }: TransferRequest,
  key: string,
): Promise<number | undefined> {
  const head = await source.readHead(key);
  if (!head || head.version === probeVersion || head.expiresAt <= now) return undefined;
  if (await target.find(head.hash)) return undefined;
  const whole = (await source.read(key))!;
  await target.add(whole);
  const written = await findCopy(target, head);
  if (!written || !isSame(whole, written))
    throw new Error(
      `The copy of a workspace differs from the workspace (in the log: ${toLogName(head)}). Stop every service that uses the source or the target, and run this again.`,
    );
  return whole.records.length;
}

async function copyWorkspaces(request: TransferRequest, all: number) {
  const { source, target, onProgress } = request;
  let [workspaces, records] = [0, 0];
  for await (const part of listParts(source)) {
    const counts = await Promise.all(part.map((key) => copyWorkspace(request, key)));
    await target.flush();
    for (const count of counts) {
      if (count === undefined) continue;
      workspaces += 1;
      records += count;
    }
    onProgress?.(workspaces, all);
  }
  return { workspaces, records };
}

/** Copies one token and reads it back. Returns false if it leads to no workspace of the target. */
async function copyToken({ source, target, now }: TransferRequest, token: StoredToken): Promise<boolean> {
  const head = await source.readHead(token.key);
  const copied = head && head.expiresAt > now ? await target.find(head.hash) : undefined;
  if (!copied) return false;
  const wanted = { ...token, key: copied.key };
  const there = await target.readToken(token.name);
  if (there && there.expiresAt > now && !isDeepStrictEqual(there, wanted))
    throw new Error('The target has a token that leads elsewhere: it was used. Name an empty target.');
  await target.writeToken(wanted);
  if (isDeepStrictEqual(await target.readToken(token.name), wanted)) return true;
  throw new Error(
    'The copy of a token differs from the token. Stop every service that uses the target, and run this again.',
  );
}

async function copyTokens(request: TransferRequest) {
  const { source, target, now } = request;
  let [tokens, looseTokens] = [0, 0];
  for await (const page of source.listTokens()) {
    const live = page.filter(({ expiresAt }) => expiresAt > now);
    const copied = await Promise.all(live.map((token) => copyToken(request, token)));
    await target.flush();
    const count = copied.filter(Boolean).length;
    tokens += count;
    looseTokens += live.length - count;
  }
  return { tokens, looseTokens };
}

/**
 * Copies all workspaces that have not expired from one store to another, with their records, kept replies, activity and tokens.
 * Owners are workspaces too. Each copy is read back and compared.
 *
 * After an interruption, another call copies the rest. Rejects before anything is written if the target has a workspace
 * of the same id with another content.
 */
export async function transfer(request: TransferRequest): Promise<TransferResult> {
  const { missing, copied: copiedBefore, expired } = await compareStores(request);
  const copied = await copyWorkspaces(request, missing);
  const tokens = await copyTokens(request);
  return { ...copied, ...tokens, copiedBefore, expired };
}
