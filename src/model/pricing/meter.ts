import * as v from 'valibot';
import { toMembers } from './members.ts';
import { Address, toChoice, Words } from './words.ts';

/**
 * How use is measured: how readings become one figure (`aggregation`), what is read (`basis`), when the
 * figure starts anew (`reset_period`) and where that is defined. Refuses one without `aggregation`.
 */
export const Meter = toMembers('A meter', {
  aggregation: toChoice(['sum', 'distinct', 'high-watermark', 'gauge', 'peak']),
  basis: v.optional(toChoice(['consumed', 'provisioned', 'standing'])),
  reset_period: v.optional(Words),
  definition_url: v.optional(Address),
});

export type Meter = v.InferOutput<typeof Meter>;
