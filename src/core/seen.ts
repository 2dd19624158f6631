import type { Seen } from './call.ts';

/** What is seen of an answer with this body: the code of a BLOCKED envelope and the id of an OFFER are its code. */
export function toSeen(operation: string, door: Seen['door'], body: object | string): Seen {
  const { type, code, id } = body as { type?: string; code?: string; id?: string };
  if (type === 'BLOCKED') return { operation, door, code };
  return type === 'OFFER' ? { operation, door, code: id } : { operation, door };
}
