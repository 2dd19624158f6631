import { hash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { createQueue } from '../kernel/queue.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Durability } from '../kernel/service.ts';
import type { Charge, Store } from '../records/store.ts';
import { addCharge } from './apply-change.ts';
import { fromUsedText, replyKind, toRevision, toUsedText, unused } from './codec.ts';
import { createStore } from './create-store.ts';
import type { Batch, Named, Row, Step } from './driver.ts';
import { hearChanges } from './redis-changes.ts';
import { connect } from './redis-connection.ts';
import { readUsedMemory, refuseForgetful } from './redis-durability.ts';
import * as scripts from './redis-scripts.ts';
import { createFaultCounts, type FaultWord, StoreFault, toRedisFault } from './store-fault.ts';
import { parseStoreUrl } from './store-url.ts';

/** What a check writes, and for how many milliseconds. */
const probeKey = 'careers:check';
const probeMs = 10_000;
/** Milliseconds from one check to the next where nobody asks for one. */
const watchMs = 60_000;
/** Milliseconds that a change waits for those of its workspace at most. */
const patienceMs = 5000;
/** How often a step is run, or charges are summed, where other instances change the same workspace in between. */
const mostTries = 50;
/** Milliseconds for which the server keeps what expired by its callers' clocks, so that its own may run ahead. */
const graceMs = 60_000;

/** A hash in hex, or the beginning of one, in fewer characters. */
const toShortText = (hex: string) => Buffer.from(hex.slice(0, 34), 'hex').toString('base64url').slice(0, 22);
/** The braces make each name one hash slot of a cluster: all of a workspace, a door, a caller. */
const toKey = (place: string) => `careers:1:{${toShortText(place)}}`;
const toListKey = (key: string, kind: string) => `${key}:${kind}`;
const toDoorKey = (name: string) => `careers:1:door:{${name}}`;
/** What is counted under a name, as a key that does not tell it: the name has the address of a caller. */
const toCountKey = (name: string) => `careers:1:rate:{${hash('sha256', name, 'base64url').slice(0, 22)}}`;

/** What replies have in common, the commonest last. What is kept is read with it: a change of it needs another format. */
const dictionary = Buffer.from(
  '"salt":"","status":201,"headers":{"Location":"/"},"body":{"type":"OK","id":"","name":"","title":"","onetCode":"","status":"available","createdAt":"2026-","updatedAt":"2026-","revision":1,"transitions":[],"example":false,"links":{"self":"/","occupation":"/occupations/","?status=open&occupation="}},"workspace":"","retention":{"policy":"ephemeral","expiresAt":"2026-","seconds":86400,"statement":"Kept in an ephemeral sandbox workspace for 24 h after its last write, then forgotten. The workspace id is all it takes to read it: keep it to yourself, and send no personal data."}}}',
);

/** A row as an entry of its list. Replies are deflated: they are the most of what a workspace takes, and rarely read. */
function toEntryText(kind: string, seq: number, text: string): string {
  if (kind !== replyKind) return `${seq} ${text}`;
  return `${seq} ${deflateRawSync(text, { dictionary, windowBits: 12, memLevel: 3 }).toString('base64')}`;
}

function fromEntryText(kind: string, entry: string): Row {
  const end = entry.indexOf(' ');
  const [seq, text] = [Number(entry.slice(0, end)), entry.slice(end + 1)];
  if (kind !== replyKind) return { kind, seq, text };
  return { kind, seq, text: inflateRawSync(Buffer.from(text, 'base64'), { dictionary }).toString() };
}

/** Thrown where another instance changed what a write was made from; nothing of it is written. */
const moved = new Error('moved');

type NamedTexts = [occupants: string, kind?: string, entry?: string];

const toNamed = ([occupants, kind, entry]: NamedTexts): Named => ({
  occupants: Number(occupants),
  ...(kind !== undefined && { row: fromEntryText(kind, entry!) }),
});

/** The steps of the script `commit`, each of three texts. */
function toSteps({ rows, links, occupies }: Batch): (string | number)[] {
  const steps: (string | number)[] = [];
  for (const { kind, seq, text, isNew } of rows)
    if (text === undefined) steps.push('remove', kind, seq);
    else steps.push(isNew ? 'add' : 'replace', kind, toEntryText(kind, seq, text));
  for (const [name, link] of links)
    if (link === undefined) steps.push('unlink', name, '');
    else steps.push('link', name, link);
  for (const [name, count] of Object.entries(occupies)) steps.push('occupy', name, count);
  return steps;
}

/**
 * Workspaces in Redis or Valkey 6.2 and later, for several instances of the service, at a URL as `parseStoreUrl` has
 * it. A write is answered once so many `replicas` have it; what a read is charged waits for none. `check` rejects where the
 * servers keep less through a crash than `durability` says, or evict.
 *
 * A change reads in one script, decides here and writes in one script, which does nothing where the workspace is another
 * by then; then all begins again. It is answered once the server has run it; `appendfsync always` on the server makes
 * that durable. A write is sent once: where the connection ends before the answer, the caller gets `store_unavailable`
 * and may repeat it under its Idempotency-Key. Doors are in slots of their own: those that lead to a workspace are
 * written before it, and the one of a key that made it after it; where another has that, the workspace goes again.
 */
export function openRedisStore(url: string, replicas = 0, durability: Durability = 'none'): Store {
  const address = parseStoreUrl(url);
  const server = connect(address, replicas);
  const stats = { commits: 0, creates: 0 };
  const faults = createFaultCounts();
  const watch = setInterval(() => void store.check().catch(() => {}), watchMs).unref();
  const inTurn = createQueue(Number.POSITIVE_INFINITY, { each: 1 });
  /** By key, the charges that wait for those under way. */
  const charging = new Map<string, { charges: Charge[]; answers: Promise<boolean[]> }>();
  let stopHearing = () => {};
  const toRefusal = (error: unknown) =>
    new Refusal('store_unavailable', { cause: faults.count(toRedisFault(error)) });

  const attempt = <T>(asked: Promise<T>): Promise<T> =>
    asked.catch((error) => {
      throw toRefusal(error);
    });

  const run = (script: scripts.Script, keys: string[], values: (string | number)[] = []) =>
    attempt(server.run(script, keys, values.map(String)));

  const crowd = 'one workspace is changed more often than the server can follow; send it less at once';
  const toCrowded = (word: FaultWord, said: string) => toRefusal(new StoreFault(word, crowd, said));

  /** Runs again what found its workspace `moved`. */
  async function untilUnmoved<T>(run: () => Promise<T>, said: string): Promise<T> {
    for (let count = 0; count < mostTries; count += 1) {
      try {
        return await run();
      } catch (error) {
        if (error !== moved) throw error;
      }
    }
    throw toCrowded('other', said);
  }

  async function see(key: string, names: readonly string[]) {
    const seen = (await run(scripts.see, [key], [...names])) as
      | [string, string, string, ...NamedTexts[]]
      | null;
    if (!seen) return undefined;
    const [head, used, state, ...named] = seen;
    return { key, head, used: fromUsedText(used), state, named: named.map(toNamed) };
  }

  const writeDoor = async ({ name, text, expiresAt, was = '*' }: Batch['doors'][number]) =>
    (await run(scripts.writeDoor, [toDoorKey(name)], [was, text ?? '', expiresAt + graceMs])) === 1;

  /** The keys of a workspace, with the lists of all its kinds. */
  function toKeys({ key, head }: NonNullable<Batch['before']>, after: { head: string }): string[] {
    const words = [head, after.head].flatMap((text) => text.split(' ').slice(7));
    const kinds = new Set([replyKind, ...words.filter((_, at) => at % 2 === 0)]);
    return [key, ...[...kinds].map((kind) => toListKey(key, kind))];
  }

  async function write(batch: Batch): Promise<boolean> {
    const gone = { key: toKey(batch.place), head: '', used: unused, state: '' };
    const { before = gone, after = gone, expiresAt, rows, doors } = batch;
    const keys = toKeys(before, after);
    const [was, used] = [toUsedText(before.used), toUsedText(after.used)];
    for (const door of doors) if (door.was === undefined && door.text !== undefined) await writeDoor(door);
    const values = [before.head, was, after.head, used, after.state, expiresAt + graceMs];
    if ((await run(scripts.commit, keys, [...values, ...toSteps(batch)])) !== 1) {
      if (batch.before) throw moved;
      return false;
    }
    for (const door of doors) {
      if (door.was === undefined && door.text !== undefined) continue;
      if (await writeDoor(door)) continue;
      await run(scripts.commit, keys, [after.head, used, '', '', '', 0]);
      throw moved;
    }
    stats.commits += 1;
    stats.creates += rows.filter(({ kind, isNew }) => isNew && kind !== replyKind).length;
    return true;
  }

  /** Makes charges that arrived together, in their order: the sum is made here, and written where it is not another by then. */
  async function chargeAll(key: string, charges: readonly Charge[]): Promise<boolean[]> {
    const kept = await see(key, []);
    if (!kept) return charges.map(() => true);
    const revision = toRevision(kept.head);
    let { used } = kept;
    const answers = charges.map((charge) => {
      const sum = addCharge({ revision, used }, charge);
      used = sum ?? used;
      return sum !== undefined;
    });
    const values = [kept.head, toUsedText(kept.used), toUsedText(used)];
    if (used !== kept.used && (await run(scripts.charge, [key], values)) !== 1) throw moved;
    return answers;
  }

  const step: Step = {
    see: (place, names) => see(toKey(place), names),
    names: async (key, names) => (await see(key, names))?.named ?? names.map(() => ({ occupants: 0 })),
    async rows(key, { kind, order, after, limit }) {
      const values = [order, after ?? '', limit];
      const entries = (await run(scripts.page, [toListKey(key, kind)], values)) as string[];
      const rows = entries.map((entry) => fromEntryText(kind, entry));
      return order === 'oldest' ? rows : rows.reverse();
    },
    door: async (name) => ((await run(scripts.readDoor, [toDoorKey(name)])) as string | null) ?? undefined,
    write,
  };

  const store = createStore({
    look: (use) => use(step),
    async step(workspace, take) {
      const decide = () => untilUnmoved(() => take(step), 'it changed whenever a change was decided');
      if (workspace === undefined) return decide();
      const from = performance.now();
      return inTurn(workspace, async () => {
        if (performance.now() - from > patienceMs) throw toCrowded('timeout', 'no turn in time');
        return decide();
      });
    },
    async confirm(place, door) {
      if (replicas === 0) return;
      const keys = [`${toKey(place)}:!`, ...(door === undefined ? [] : [`${toDoorKey(door)}:!`])];
      await attempt(server.writeFor(keys, probeMs));
    },
    async charge(key, charge) {
      const group = charging.get(key) ?? { charges: [], answers: Promise.resolve([]) };
      const at = group.charges.push(charge) - 1;
      if (at === 0) {
        charging.set(key, group);
        group.answers = inTurn(key, () => {
          charging.delete(key);
          return untilUnmoved(() => chargeAll(key, group.charges), 'it changed whenever reads were charged');
        });
      }
      return (await group.answers)[at]!;
    },
    async count(name, { windowMs, add, wanted, quota }) {
      const counted = await run(scripts.count, [toCountKey(name)], [windowMs, add, wanted, quota]);
      const [granted, age, count, before] = counted as [number, number, number, number];
      return { granted, age, count, before };
    },
    async check() {
      await attempt(server.writeFor([probeKey], probeMs));
      await attempt(server.look((node) => refuseForgetful(node, durability)));
    },
    async room() {
      const used: number[] = [];
      await server.look(async (node) => void used.push(await readUsedMemory(node)));
      if (used.length === 0) throw new Error('no master answers');
      return { used: used.reduce((sum, one) => sum + one), free: Number.POSITIVE_INFINITY };
    },
    onChange(heard) {
      stopHearing = hearChanges(address, () => step.door('') as Promise<unknown>, heard);
    },
    stats: () => ({ ...stats }),
    faults: faults.read,
    close: () => {
      clearInterval(watch);
      stopHearing();
      return server.close();
    },
  });
  return store;
}
