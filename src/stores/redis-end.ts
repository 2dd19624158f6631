import { setTimeout as pause } from 'node:timers/promises';
import type { Durability } from '../kernel/service.ts';
import { type ActivityEntry, mostActivity } from '../workspace/activity.ts';
import type { Head } from '../workspace/head.ts';
import { noChange, type StoredText } from '../workspace/store.ts';
import type { NodeClient } from './redis-client.ts';
import { RedisConnection } from './redis-connection.ts';
import { refuseForgetful } from './redis-durability.ts';
import * as fields from './redis-fields.ts';
import * as scripts from './redis-scripts.ts';
import { StoreFault } from './store-fault.ts';
import { parseStoreUrl } from './store-url.ts';
import type { StoredToken, TransferEnd, WholeWorkspace } from './transfer-end.ts';
import { upgradeWhole } from './upgrade-record.ts';

const fieldsAtOnce = 200;
/** Characters of values after which a part is written. */
const textAtOnce = 1_000_000;
/** Milliseconds that Redis keeps what has expired, because its clock may be ahead. */
const graceMs = 60_000;
const patienceMs = 5000;
const retryMs = 50;

/** A field and its value. */
type Pair = [name: string, value: string | Buffer];

export interface RedisEndOptions {
  replicas: number;
  durability: Durability;
}

/** Rejects if an instance of the service listens to the changes of a server. */
async function refuseInstances(node: NodeClient): Promise<void> {
  const [, count] = (await node.sendCommand(['PUBSUB', 'NUMSUB', fields.channel])) as [string, number];
  if (count === 0) return;
  const many = count === 1 ? 'One instance of the service uses' : `${count} instances of the service use`;
  throw new StoreFault('other', `${many} the server; stop the service, and run this again`, 'PUBSUB NUMSUB');
}

/** Redis or Valkey as one end of a transfer. */
export class RedisEnd implements TransferEnd {
  readonly #server: RedisConnection;

  private constructor(url: string, replicas: number) {
    this.#server = new RedisConnection(parseStoreUrl(url), replicas);
  }

  /**
   * Connects to a server. Rejects if it does not answer, if a service uses it, or if it is a target that keeps less than
   * promised.
   */
  static async open(url: string, role: 'source' | 'target', options: RedisEndOptions): Promise<RedisEnd> {
    const end = new RedisEnd(url, role === 'target' ? options.replicas : 0);
    try {
      await end.#connect();
      await end.#server.look(refuseInstances);
      if (role === 'target') await end.#server.look((node) => refuseForgetful(node, options.durability));
      return end;
    } catch (error) {
      await end.close();
      throw error;
    }
  }

  async #connect(): Promise<void> {
    const until = performance.now() + patienceMs;
    for (;;) {
      try {
        await this.#server.readText('careers:check');
        return;
      } catch (error) {
        if (performance.now() > until) throw error;
        await pause(retryMs);
      }
    }
  }

  listKeys(): AsyncGenerator<string[]> {
    return this.#server.listKeys(fields.workspaceKeys);
  }

  async readHead(key: string): Promise<Head | undefined> {
    return fields.decodeHeadFields(key, await this.#server.readFields(key, fields.headFields));
  }

  async find(hash: string): Promise<Head | undefined> {
    const head = await this.readHead(fields.toWorkspaceKey(hash));
    if (head?.hash === hash) return head;
    const alias = await this.#server.readText(fields.toAliasKey(hash));
    const renamed = alias ? await this.readHead(alias) : undefined;
    return renamed?.hash === hash ? renamed : undefined;
  }

  async read(key: string): Promise<WholeWorkspace | undefined> {
    const head = await this.readHead(key);
    if (!head) return undefined;
    const all = await this.#server.listFields(key);
    const names = all.filter((name) => !fields.decodeReplyField(name));
    const texts = await this.#readTexts(key, names);
    const replies = await this.#readReplies(key, all);
    const records: StoredText[] = [];
    const activity: ActivityEntry[] = [];
    for (const [at, name] of names.entries()) {
      const text = texts[at]!;
      if (fields.isRecordField(name)) records.push(fields.decodeRecord(Number(name), text));
      else if (/^a\d+$/.test(name)) activity.push(fields.decodeActivity(Number(name.slice(1)), text));
    }
    return upgradeWhole({
      head,
      records: records.sort((a, b) => a.seq - b.seq),
      replies: replies.sort((a, b) => (a.name < b.name ? -1 : 1)),
      activity: activity.sort((a, b) => a.revision - b.revision).slice(-mostActivity),
    });
  }

  async #readTexts(key: string, names: readonly string[]): Promise<(string | null)[]> {
    const texts: (string | null)[] = [];
    for (let from = 0; from < names.length; from += fieldsAtOnce)
      texts.push(...(await this.#server.readFields(key, names.slice(from, from + fieldsAtOnce))));
    return texts;
  }

  async #readReplies(key: string, names: readonly string[]): Promise<WholeWorkspace['replies']> {
    const replies: WholeWorkspace['replies'] = [];
    for (const name of names) {
      const reply = fields.decodeReplyField(name);
      const value = reply && (await this.#server.readBytes(key, name));
      if (value) replies.push({ ...reply, text: fields.decodeReply(value) });
    }
    return replies;
  }

  async add({ head, records, replies, activity }: WholeWorkspace): Promise<void> {
    const pairs: Pair[] = [
      ...toHeadPairs(head),
      ...records.map(({ seq, kind, text }) => [String(seq), `${kind} ${text}`] as Pair),
      ...replies.map((reply) => [fields.encodeReplyField(reply), fields.encodeReply(reply.text)] as Pair),
      ...activity.map(
        (entry) => [fields.toActivityField(entry.revision), fields.encodeActivity(entry)] as Pair,
      ),
    ];
    const draft = fields.toDraftKey(head.hash);
    let begins = '1';
    for (const part of toParts(pairs)) {
      await this.#server.run(scripts.addToDraft, [draft], [begins, ...part.flat()]);
      begins = '0';
    }
    const keys = [draft, fields.toWorkspaceKey(head.hash)];
    if ((await this.#server.run(scripts.placeDraft, keys, [String(head.expiresAt + graceMs)])) !== 1)
      throw new Error('The server has a workspace of the same id. Name an empty target.');
  }

  async *listTokens(): AsyncGenerator<StoredToken[]> {
    for await (const keys of this.#server.listKeys(fields.tokenKeys)) {
      const texts = await Promise.all(keys.map((key) => this.#server.readText(key)));
      yield keys.flatMap((key, at) => {
        const text = texts[at];
        return text ? { name: fields.toTokenName(key), ...fields.parseToken(text) } : [];
      });
    }
  }

  async readToken(name: string): Promise<StoredToken | undefined> {
    const text = await this.#server.readText(fields.toTokenKey(name));
    return text ? { name, ...fields.parseToken(text) } : undefined;
  }

  async writeToken({ name, key, to, expiresAt }: StoredToken): Promise<void> {
    const values = [fields.encodeToken(key, to, expiresAt), String(expiresAt + graceMs)];
    await this.#server.run(scripts.writeToken, [fields.toTokenKey(name)], values);
  }

  /** Does nothing: each write is as durable as the server makes it when it is answered. */
  async flush(): Promise<void> {}

  close(): Promise<void> {
    return this.#server.close();
  }
}

function toHeadPairs(head: Head): Pair[] {
  const { sets } = fields.listChanges({ ...noChange, before: undefined, after: head });
  const pairs: Pair[] = [];
  for (let at = 0; at < sets.length; at += 2) pairs.push([String(sets[at]), sets[at + 1]!]);
  return pairs;
}

/** Splits pairs into parts. Each part is written by one call. */
function toParts(pairs: readonly Pair[]): Pair[][] {
  const parts: Pair[][] = [[]];
  let length = 0;
  for (const pair of pairs) {
    const part = parts.at(-1)!;
    if (part.length >= fieldsAtOnce || length > textAtOnce) {
      parts.push([pair]);
      length = pair[1].length;
    } else {
      part.push(pair);
      length += pair[1].length;
    }
  }
  return parts;
}
