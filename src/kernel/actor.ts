import * as v from 'valibot';
import type { RequestOptions } from './call.ts';
import type { Issue } from './envelope.ts';
import { textSchema } from './text.ts';

const Actor = textSchema(80, 'Actor', 'Who asked for a change.');

/** Decodes a header whose value is UTF-8, percent-encoded. Returns undefined if it is not. */
function decodeHeader(field: string): string | undefined {
  if (!/^[\x20-\x7e]*$/.test(field)) return undefined;
  try {
    return decodeURIComponent(field);
  } catch {
    return undefined;
  }
}

/** Reads who asked for a change, as the caller says: from X-Actor, or from the argument of a tool. */
export function readActor({ actor: sent, isTool }: RequestOptions): { actor?: string; issues: Issue[] } {
  if (sent === undefined || sent.trim() === '') return { issues: [] };
  const path = isTool ? 'actor' : 'X-Actor';
  const text = isTool ? sent : decodeHeader(sent);
  if (text === undefined)
    return { issues: [{ path, message: 'must be UTF-8, percent-encoded, such as Zo%C3%AB%20Hart' }] };
  const parsed = v.safeParse(Actor, text);
  return parsed.success
    ? { actor: parsed.output, issues: [] }
    : { issues: [{ path, message: parsed.issues[0].message }] };
}
