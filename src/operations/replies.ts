import * as v from 'valibot';
import type { ReplySpec } from '../core/operation.ts';
import { Blocked, Empty } from '../model/envelope.ts';
import { Offer } from '../model/offer.ts';

export function blocked(description: string): ReplySpec {
  return { description, schema: Blocked };
}

export function offer(description: string): ReplySpec {
  return { description, schema: Offer };
}

export function emptyRecord(description: string): ReplySpec {
  return { description, schema: Empty };
}

/** A collection's 200: a page, or a truthful EMPTY. */
export function emptyList(description: string, page: v.GenericSchema): ReplySpec {
  return { description, schema: v.union([page, Empty]) };
}
