import { isObject } from '../../kernel/json.ts';
import type { OperationReply } from '../../kernel/operation.ts';
import type { Kind } from '../kind/kind.ts';

/** Leaves only the id, the ref and the status of each record in a value. */
function shorten(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shorten);
  if (!isObject(value)) return value;
  const { id, ref, status } = value;
  if (typeof id === 'string') return { id, ...(ref !== undefined && { ref }), status };
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shorten(member)]));
}

/**
 * Shortens the reply to a change for `Prefer: return=minimal` (RFC 7240 section 4.2): of each record its id, ref and
 * status, and nothing of other records.
 */
export function shortenReply(
  { body, headers, ...rest }: OperationReply,
  kinds: readonly Kind[],
): OperationReply {
  const holders = new Set(['changes', ...kinds.flatMap(({ name, collection }) => [name, collection])]);
  const { affected: _, statement: __, ...members } = body as Record<string, unknown>;
  const shortened = Object.entries(members).map(([name, value]) => [
    name,
    holders.has(name) ? shorten(value) : value,
  ]);
  return {
    ...rest,
    headers: { ...headers, 'Preference-Applied': 'return=minimal' },
    body: Object.fromEntries(shortened),
  };
}
