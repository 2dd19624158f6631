import * as fc from 'fast-check';
import type { Body } from '../http.ts';
import { check } from './check.ts';
import { type KindName, kindOf, type Target } from './members.ts';
import { type Change, send } from './send.ts';
import * as values from './values.ts';
import { addDays, current, isAlive, nowOf, type Space, toDay, type World } from './world.ts';

export type Command = fc.AsyncCommand<World, unknown>;

/** Commands made of these parameters; each takes a millisecond, and is left out where it has no place. */
export function toCommands<P>(
  name: string,
  params: fc.Arbitrary<P>,
  run: (world: World, params: P) => Promise<unknown>,
  hasPlace: (world: World, params: P) => boolean = () => true,
): fc.Arbitrary<Command> {
  return params.map((given) => ({
    check: (world) => hasPlace(world, given),
    run: async (world) => {
      world.subject.clock.now += 1;
      await run(world, given);
    },
    toString: () => `${name} ${JSON.stringify(given)}`,
  }));
}

export const hasSpace = (world: World) => world.spaces.length > 0;
/** Whether a target is not of a record that there is none of. */
export const isThere = (world: World, kind: KindName, { of }: Target) =>
  hasSpace(world) && (of !== 'own' || current(world)!.records.some((one) => one.kind === kind));
export const isHere = (world: World) => hasSpace(world) && isAlive(world, current(world)!);

/** The id that a target means now, or `#` and a ref. */
export function toId(world: World, kind: KindName, { of, pick }: Target, refs: string[] = []): string {
  const records = current(world)?.records ?? [];
  const own = records.filter((one) => one.kind === kind);
  const named = [...refs, ...own.flatMap(({ ref }) => (ref === undefined ? [] : [ref]))];
  const others = records.filter((one) => one.kind !== kind);
  const take = <T>(all: readonly T[]): T | undefined => all[pick % Math.max(all.length, 1)];
  const seed = (take(world.seed[kind]) as Body).id;
  const found: Record<Target['of'], string | undefined> = {
    own: take(own)?.id,
    ref: named.length > 0 ? `#${take(named)}` : undefined,
    seed,
    'other kind':
      take(others)?.id ?? (take(world.seed[kind === 'candidate' ? 'jobOrder' : 'candidate']) as Body).id,
    gone: take(world.gone.filter((id) => !records.some((one) => one.id === id))),
    nobody: `${kindOf[kind].prefix}nonesuch`,
    'no ref': '#nowhere',
  };
  return found[of] ?? seed;
}

/** The body as it is sent: targets as ids, days as dates. */
export function toBody(world: World, members: values.Members, refs?: Record<string, string[]>): Body {
  const today = toDay(nowOf(world));
  const entries = Object.entries(members).map(([name, value]) => {
    const of = ({ candidateId: 'candidate', jobOrderId: 'jobOrder' } as const)[name];
    if (of && value !== null) return [name, toId(world, of, value as Target, refs?.[of])];
    return [name, /(Date|From)$/.test(name) && typeof value === 'number' ? addDays(today, value) : value];
  });
  return Object.fromEntries(entries);
}

/** Makes a change, and holds the workspace that it is of to the model. Answers whether it was made. */
export async function change(world: World, one: Change): Promise<boolean> {
  const isMade = await send(world, one);
  const space = one.space ?? current(world);
  if (space) await check(world, space, isMade);
  return isMade;
}

/** How a change may be sent. */
export const how = {
  key: values.rarely(fc.nat({ max: 2 }), 3),
  isStrict: fc.oneof(
    { arbitrary: fc.constant(false), weight: 5 },
    { arbitrary: fc.constant(true), weight: 1 },
  ),
};
export const toKey = ({ name }: World, key: number | undefined) =>
  key === undefined ? undefined : `${name}-${key}`;

/** Where something is made: in the workspace, in the one that may be gone, or in a fresh one. */
export const place = fc.oneof(
  { arbitrary: fc.constant('here'), weight: 12 },
  fc.constantFrom('gone or here', 'fresh'),
);

export function toPlace(world: World, at: string): Space | undefined {
  if (at === 'fresh') return undefined;
  return at === 'here' && !isHere(world) ? undefined : current(world);
}

/** Keeps the ids of a workspace that is left. */
export function leave(world: World, to: Space | undefined): void {
  const left = current(world);
  if (left && left !== to) world.gone.push(...left.records.map(({ id }) => id));
}

export const ofKind = (toValue: (kind: KindName) => fc.Arbitrary<values.Members>) =>
  values.kind.chain((kind) => fc.record({ kind: fc.constant(kind), body: toValue(kind) }));
