import * as v from 'valibot';
import { toMembers } from './members.ts';
import { toChoice, Words } from './words.ts';

const numberRule = 'Write a number.';
const orderRule = 'Write a whole number that is 0 or more.';

/**
 * A change to a price: multiply by `value` or add it (below 0 it takes off), to this rate, the whole offer or
 * the whole card (`scope`, `rate` unless said), when `condition` holds; lower `stacking_order` goes first.
 * Refuses one without `op` or `value`.
 */
export const Modifier = toMembers('A modifier', {
  op: toChoice(['multiply', 'add']),
  value: v.number(numberRule),
  scope: v.optional(toChoice(['rate', 'offer', 'card'])),
  condition: v.optional(Words),
  stacking_order: v.optional(v.pipe(v.number(orderRule), v.integer(orderRule), v.minValue(0, orderRule))),
});

export type Modifier = v.InferOutput<typeof Modifier>;
