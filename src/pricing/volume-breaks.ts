import * as v from 'valibot';
import { type Breach, toRule, toRuleAt } from '../kernel/json-schema.ts';
import { Address, Amount, Flag, toChoice, toMembers } from './price.ts';

const percentRule = 'Write a percentage from 0 to 100.';

const BreakMembers = toMembers('A volume break', {
  from: Amount,
  price: v.optional(Amount),
  discount_percent: v.optional(
    v.pipe(v.number(percentRule), v.minValue(0, percentRule), v.maxValue(100, percentRule)),
  ),
});
type Break = v.InferOutput<typeof BreakMembers>;

/** From `from` of the basis on, this price or that many percent off. Refuses both together, and neither. */
const VolumeBreak = v.pipe(
  BreakMembers,
  toRuleAt<Break>(
    [],
    'A volume break must have exactly one of price and discount_percent.',
    (row) => (row.price === undefined) !== (row.discount_percent === undefined),
  ),
);

function findDescents(breaks: readonly Break[]): Breach[] {
  return breaks.flatMap((row, index) => {
    const before = breaks[index - 1];
    if (!before || before.from < row.from) return [];
    return [{ path: [index, 'from'], message: `Write breaks in rising order: above ${before.from}.` }];
  });
}

const breaksRule = 'Write a list of at least one volume break.';

const Members = toMembers('Volume pricing', {
  mode: toChoice(['graduated', 'retroactive', 'reprice-offer']),
  basis: v.optional(toChoice(['units', 'spend', 'instantaneous-rate'])),
  breaks: v.optional(
    v.pipe(v.array(VolumeBreak, breaksRule), v.minLength(1, breaksRule), toRule<Break[]>(findDescents)),
  ),
  formula_url: v.optional(Address),
  approximate: v.optional(Flag),
});
type Members = v.InferOutput<typeof Members>;

/**
 * How the price changes with volume: `graduated` (each unit at its own break), `retroactive` (all units at
 * the last break reached) or `reprice-offer`. The breaks rise; a formula may stand in for them, and
 * `approximate` says that they only approximate it. Refuses one without a mode, and one with neither.
 */
export const VolumeBreaks = v.pipe(
  Members,
  toRuleAt<Members>(
    ['breaks'],
    'Write the breaks, or a formula_url that stands in for them.',
    ({ breaks, formula_url }) => breaks !== undefined || formula_url !== undefined,
  ),
);
