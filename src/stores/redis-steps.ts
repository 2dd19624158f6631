import type { Change } from '../records/store.ts';
import { type Decided, toNamings, toSize } from './decided.ts';
import { graceMs, toFirstKeys, toHeadText, toListKey, toShort, toText } from './redis-keys.ts';
import type { Seen } from './redis-read.ts';

type Step = readonly [what: string, one?: string | number, two?: string | number];

/** Each step is what, and two more. */
const toValues = (steps: readonly Step[]) => steps.flatMap(([what, one = '', two = '']) => [what, one, two]);

function toRecordSteps(decided: Decided<unknown>): Step[] {
  const { writing, puts } = decided;
  const { gone, given } = toNamings(decided);
  return [
    ...(writing.removes ?? []).map(({ kind, seq }) => ['remove', kind, seq] as const),
    ...puts.map(({ kind, seq, text, was }) => {
      return [was ? 'replace' : 'add', kind, `${seq} ${text}`] as const;
    }),
    ...gone.map((name) => ['unset', `:${name}`] as const),
    ...given.map(([name, { kind, seq, fact }]) => {
      return ['set', `:${name}`, name === fact.id ? `${kind} ${seq}` : `@${fact.id}`] as const;
    }),
    ...Object.entries(writing.holds ?? {}).map(([name, count]) => ['hold', name, count] as const),
  ];
}

/** Steps that keep the reply of a change: where it makes the workspace, only that another key does. */
function toReplySteps(
  { key, mint, expiresAt }: Pick<Change<unknown>, 'key' | 'mint' | 'expiresAt'>,
  reply?: string,
) {
  if (!key || reply === undefined) return [];
  const name = toShort(key.name);
  if (mint) return [['set', 'm', `${expiresAt} ${toSize(reply)} ${name}`] as const];
  return [['keep', name, `${expiresAt} ${name} ${toShort(key.fingerprint)} ${reply}`] as const];
}

/** The keys and steps of the script `write` for what was decided on what was seen. */
export function toSteps(
  place: string,
  change: Pick<Change<unknown>, 'workspace' | 'mint' | 'key' | 'expiresAt'>,
  decided: Decided<unknown>,
  seen?: Seen,
): { keys: string[]; values: (string | number)[] } {
  const { head, writing, reply } = decided;
  const kinds = new Set([...Object.keys(seen?.head?.counts ?? {}), ...Object.keys(head.counts)]);
  const keys = [...toFirstKeys(place), ...[...kinds].map((kind) => toListKey(place, kind))];
  if (writing.forget) return { keys, values: toValues([['forget', graceMs]]) };
  const hash = writing.rename ?? (change.mint ? change.workspace : undefined);
  const state = Object.keys(head.state).length > 0 ? JSON.stringify(head.state) : undefined;
  const steps: Step[] = [
    ['set', 'h', toHeadText(head)],
    ['set', 'c', JSON.stringify(head.counts)],
    state === undefined ? ['unset', 's'] : ['set', 's', state],
    ...(hash === undefined ? [] : [['set', 'o', toText(hash)] as const]),
    ...Array.from({ length: seen?.expired ?? 0 }, () => ['drop'] as const),
    ...(seen?.minted?.isOver ? [['unset', 'm'] as const] : []),
    ...toRecordSteps(decided),
    ...toReplySteps(change, reply),
  ];
  return { keys, values: toValues(steps) };
}
