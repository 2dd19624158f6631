import * as v from 'valibot';
import { Blocked, Empty, type Issue } from './envelope.ts';
import type { ReplySpec } from './operation.ts';
import { type RefusalCode, toBlocked } from './refusal.ts';

/** A BLOCKED reply, with the boundary that a caller meets there most often as its example. */
export function blocked(code: RefusalCode, description: string, issues?: Issue[]): ReplySpec {
  return { description, schema: Blocked, example: () => toBlocked(code, { issues }) };
}

/** A single record's 404. */
export function emptyRecord(description: string): ReplySpec {
  return { description, schema: Empty, example: () => ({ type: 'EMPTY', message: description }) };
}

/** A collection's 200: a page, or a truthful EMPTY. */
export function emptyList(
  description: string,
  page: v.GenericSchema,
  example: ReplySpec['example'],
): ReplySpec {
  return { description, schema: v.union([page, Empty]), example };
}
