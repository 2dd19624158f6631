import * as v from 'valibot';
import { Amount } from './amount.ts';
import { toForms } from './forms.ts';
import { toMembers } from './members.ts';
import { toRuleAt } from './rule.ts';
import { toChoice, Words } from './words.ts';

const Compound = toMembers('A compound price', {
  fixed: v.optional(Amount),
  percent: v.optional(Amount),
  basis: v.optional(Words),
  cap: v.optional(Amount),
  floor: v.optional(Amount),
  min_fee: v.optional(Amount),
});
type Compound = v.InferOutput<typeof Compound>;

/**
 * A fixed sum, a percentage of `basis` (5 is five percent), or both together, held between `floor` and
 * `cap` and never below `min_fee`. Refuses one with neither `fixed` nor `percent`, and a floor above its cap.
 */
export const CompoundPrice = v.pipe(
  Compound,
  toRuleAt<Compound>(
    [],
    'A price object must say what is charged: write fixed, percent or both.',
    ({ fixed, percent }) => fixed !== undefined || percent !== undefined,
  ),
  toRuleAt<Compound>(
    ['floor'],
    'Write a floor that is not above cap.',
    ({ floor = 0, cap = Number.POSITIVE_INFINITY }) => floor <= cap,
  ),
  v.title('CompoundPrice'),
);

/** What `provider` asks, as told at `reference`, plus `markup` percent. Refuses one without a provider. */
export const PassthroughPrice = v.pipe(
  toMembers('A passthrough price', {
    provider: Words,
    reference: v.optional(Words),
    markup: v.optional(Amount),
  }),
  v.title('PassthroughPrice'),
);

/**
 * A price that a market finds: `discovery: "market"` tells this form from the others. `reference` says
 * where it is found; the buyer pays `buyer_cap` at the most.
 */
export const DiscoveryPrice = v.pipe(
  toMembers('A discovery price', {
    discovery: toChoice(['market']),
    reference: v.optional(Words),
    buyer_cap: v.optional(Amount),
  }),
  v.title('DiscoveryPrice'),
);

/**
 * A number of 0 or more in the row's unit, an object in exactly one of the forms compound, passthrough and
 * discovery, or null where the price is withheld. Refuses an object that mixes the forms.
 */
export const Price = toForms(
  [Amount, v.null(), CompoundPrice, PassthroughPrice, DiscoveryPrice],
  'Write a number that is 0 or more, null, or one price object: compound (fixed, percent), ' +
    'passthrough (provider) or discovery ("market").',
);

export type Price = v.InferOutput<typeof Price>;
