import type { Change } from '../records/store.ts';
import { type Decided, type KeptHead, toNamings, toSize } from './decided.ts';
import {
  graceMs,
  toChargeText,
  toFirstKeys,
  toHeadText,
  toListKey,
  toOpener,
  toPlace,
  toShort,
} from './redis-keys.ts';
import type { Seen } from './redis-read.ts';
import { toCountsText } from './used-text.ts';

type Value = string | number;
type Field = readonly [name: string, value: Value];
type Step = readonly [what: string, one?: Value, two?: Value];

function toRecordSteps({ writing, puts }: Decided<unknown>): Step[] {
  return [
    ...(writing.removes ?? []).map(({ kind, seq }) => ['remove', kind, seq] as const),
    ...puts.map(({ kind, seq, text, was }) => {
      return [was ? 'replace' : 'add', kind, `${seq} ${text}`] as const;
    }),
    ...Object.entries(writing.occupies ?? {}).map(([name, count]) => ['hold', name, count] as const),
  ];
}

/** The names that lead elsewhere from now on, as fields to set, and those that lead nowhere. */
function toNameFields(decided: Decided<unknown>): { set: Field[]; unset: string[] } {
  const { gone, given } = toNamings(decided);
  const set = given.map(([name, { kind, seq, fact }]) => {
    return [`:${name}`, name === fact.id ? `${kind} ${seq}` : `@${fact.id}`] as const;
  });
  const names = new Set<string>(set.map(([name]) => name));
  return { set, unset: gone.map((name) => `:${name}`).filter((name) => !names.has(name)) };
}

/** The keys of a workspace, with the lists of all its kinds. */
export function toKeys(place: string, ...heads: (Pick<KeptHead, 'counts'> | undefined)[]): string[] {
  const kinds = new Set(heads.flatMap((head) => Object.keys(head?.counts ?? {})));
  return [...toFirstKeys(place), ...[...kinds].map((kind) => toListKey(place, kind))];
}

/** What the script `write` is told, after the revision, for what was decided on what was seen. */
export function toValues(
  { workspace, mint, key, expiresAt }: Pick<Change<unknown>, 'workspace' | 'mint' | 'key' | 'expiresAt'>,
  decided: Decided<unknown>,
  seen?: Seen,
): Value[] {
  const { head, writing, reply, charge } = decided;
  const names = toNameFields(decided);
  const hash = writing.rename ?? (mint ? workspace : undefined);
  const hasState = Object.keys(head.state).length > 0;
  const kept = key && reply !== undefined ? { name: toShort(key.name), reply } : undefined;
  const fields: (Field | undefined)[] = [
    ['h', toHeadText(head)],
    ['c', toCountsText(head.counts)],
    hasState ? ['s', JSON.stringify(head.state)] : undefined,
    hash === undefined ? undefined : ['o', toOpener(hash, seen?.head?.key ?? toPlace(workspace))],
    kept && mint ? ['m', `${expiresAt} ${toSize(kept.reply)} ${kept.name}`] : undefined,
    ...names.set,
  ];
  const unset = [...names.unset, ...(hasState ? [] : ['s']), ...(seen?.minted?.isOver ? ['m'] : [])];
  const steps: Step[] = [
    ...unset.map((name) => ['unset', name] as const),
    ...Array.from({ length: seen?.expired ?? 0 }, () => ['drop'] as const),
    ...toRecordSteps(decided),
  ];
  if (kept && !mint)
    steps.push(['keep', kept.name, `${expiresAt} ${kept.name} ${toShort(key!.fingerprint)} ${kept.reply}`]);
  const set = fields.filter((field) => field !== undefined);
  const goneAt = head.expiresAt + graceMs;
  return [
    goneAt,
    charge ? toChargeText(charge) : '',
    set.length,
    ...set.flat(),
    ...steps.flatMap(([what, one = '', two = '']) => [what, one, two]),
  ];
}
