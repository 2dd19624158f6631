import * as v from 'valibot';
import type { ReplySpec } from '../core/operation.ts';
import { type RefusalCode, toBlocked } from '../core/refusal.ts';
import { Blocked, Empty, type Issue } from '../model/envelope.ts';
import { type Ladder, Offer } from '../model/offer.ts';

/** A BLOCKED reply, with the boundary that a caller meets there most often as its example. */
export function blocked(code: RefusalCode, description: string, issues?: Issue[]): ReplySpec {
  return { description, schema: Blocked, example: () => toBlocked(code, { issues }) };
}

/** A 402: the offer made at a boundary. */
export function offer(boundary: keyof Ladder, description: string): ReplySpec {
  return { description, schema: Offer, example: ({ catalogue }) => catalogue.offers[boundary] };
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
