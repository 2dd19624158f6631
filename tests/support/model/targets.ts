import type { Body } from '../http.ts';
import { type KindName, kindOf } from './members.ts';
import type { Target } from './values.ts';
import { current, type World } from './world.ts';

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
