import { isDeepStrictEqual } from 'node:util';
import * as assert from 'uvu/assert';
import type { Store } from '../../../src/workspace/store.ts';
import { type Kind, kinds } from '../../../tests/support/doors.ts';
import type { Body, Reply } from '../../../tests/support/http.ts';
import { until } from '../../../tests/support/redis.ts';
import { World } from '../../../tests/support/world.ts';
import type { Members, Target } from './steps.ts';

/** The most records in a workspace, and its life in seconds. */
const recordCeiling = 12;
export const retentionSeconds = 100 * 86_400;

export type Rows = Record<Kind, Body[]>;
export const toNoRows = (): Rows => ({ candidate: [], jobOrder: [], placement: [] });

/** One call, as a side makes it. */
export interface Call {
  method: string;
  target: string;
  headers?: Record<string, string>;
  body?: Body;
}

/** The service over one store, and what a caller of it knows. */
export interface Side {
  world: World;
  workspace: string | undefined;
  /** What the lists of the workspace showed last. */
  rows: Rows;
  /** Every id that the lists ever showed. */
  ids: Set<string>;
  links: { workspace: string | undefined; token: string }[];
  /** What lists showed, by workspace and address. */
  lists: Map<string, { tag: string; text: string }>;
  /** Ids and tokens, by the names that make sides comparable. */
  names: Map<string, string>;
}

/** Opens the service over each store. */
export async function openWorlds(stores: readonly Store[]) {
  const worlds = stores.map((store) => new World({ store, settings: { recordCeiling, retentionSeconds } }));
  // The first match of a service builds its tables. Between two commands that would exceed the time limit of Redis.
  for (const world of worlds) await world.ask('GET', '/job-orders/job_001/matches');
  // All sides together may have taken seconds on a busy machine, after which a connection is opened again.
  const hasAnswered = async (store: Store) => {
    await store.check();
    return true;
  };
  for (const store of stores) await until(() => hasAnswered(store).catch(() => false), 'the store answers');
  return worlds;
}

export const toSide = (world: World): Side => ({
  world,
  workspace: undefined,
  rows: toNoRows(),
  ids: new Set(),
  links: [],
  lists: new Map(),
  names: new Map(),
});

/** Returns a reply in words that are the same on every side. */
function toAlike({ names }: Side, { status, headers, text }: Reply) {
  const plain = text
    .replace(/\b(cand|job|plc|ws|sl)_[0-9a-hjkmnp-tv-z]{16,}/g, (id, prefix) => {
      if (!names.has(id)) names.set(id, `${prefix}_${names.size}`);
      return names.get(id)!;
    })
    .replace(/"(tag|nextCursor)":"[^"]*"/g, '"$1":""');
  return [status, headers.get('idempotency-replayed'), headers.get('preference-applied'), plain];
}

/** Makes a call on every side. All must answer alike and as the contract says. */
export async function askAll(sides: readonly Side[], calls: readonly Call[]): Promise<Reply[]> {
  const replies = await Promise.all(
    sides.map(({ world }, at) => {
      const { method, target, body, headers } = calls[at]!;
      return world.ask(method, target, body, headers);
    }),
  );
  const { status, text, body: told } = replies[0]!;
  const { method, target, body } = calls[0]!;
  const what = `${method} ${target} ${JSON.stringify(body)} answered ${status} ${text.slice(0, 900)}`;
  if (told?.warnings) assert.match(text, /^\{"type":"[A-Z]+","warnings":\[/, what);
  const [first, ...others] = sides.map((side, at) => toAlike(side, replies[at]!));
  for (const other of others) {
    if (!isDeepStrictEqual(other, first))
      assert.unreachable(`${what}\nas:  ${JSON.stringify(first)}\nnot: ${JSON.stringify(other)}`);
  }
  return replies;
}

const prefixes: Record<Kind, string> = { candidate: 'cand_', jobOrder: 'job_', placement: 'plc_' };

/** Returns the id that a target means now, or `#` and a ref. */
export function toId({ rows, ids }: Side, kind: Kind, { of, pick }: Target, refs: string[] = []): string {
  const take = <T>(all: readonly T[]): T | undefined => all[pick % Math.max(all.length, 1)];
  const toSeed = (one: Kind) => `${prefixes[one]}00${1 + (pick % 9)}`;
  const others = kinds.filter((one) => one !== kind);
  const present = kinds.flatMap((one) => rows[one].map(({ id }) => id));
  const named = take([...refs, ...rows[kind].flatMap(({ ref }) => ref ?? [])]);
  const found = {
    own: take(rows[kind])?.id,
    ref: named && `#${named}`,
    seed: toSeed(kind),
    'other kind': take(others.flatMap((one) => rows[one]))?.id ?? toSeed(others[0]!),
    gone: take([...ids].filter((id) => !present.includes(id))),
    nobody: `${prefixes[kind]}nonesuch`,
  };
  return found[of] ?? found.own ?? toSeed(kind);
}

/** Returns a body as it is sent: targets as ids, days as dates. */
export function toBody(side: Side, members: Members, refs?: Partial<Record<Kind, string[]>>): Body {
  const toDay = (days: number) =>
    new Date(side.world.clock.now + days * 86_400_000).toISOString().slice(0, 10);
  const entries = Object.entries(members).map(([name, value]) => {
    const of = ({ candidateId: 'candidate', jobOrderId: 'jobOrder' } as const)[name];
    if (of && value !== null) return [name, toId(side, of, value as Target, refs?.[of])];
    return [name, /(Date|From)$/.test(name) && typeof value === 'number' ? toDay(value) : value];
  });
  return Object.fromEntries(entries);
}
