import * as v from 'valibot';
import { may, say } from '../kernel/text.ts';

const wordsRule = 'Write a text that holds more than white space.';
const addressRule = 'Write an http or https address, or one of this origin that begins with a single slash.';

export const RateText = v.pipe(v.string(wordsRule), v.regex(/\S/, wordsRule));

/** An `http:` or `https:` address, or a path on this origin, such as `/pricing.html#binding`. */
export const Address = v.pipe(
  v.string(addressRule),
  v.regex(/^(?:https?:\/\/[^\s/]\S*|\/(?:[^\s/]\S*)?)$/, addressRule),
);

export const Flag = v.boolean('Write true or false.');

export function createChoice<const T extends readonly string[]>(words: T) {
  return v.picklist(words, `Write one of ${words.map((word) => `"${word}"`).join(', ')}.`);
}

const amountRule = 'Write a number that is 0 or more.';
const positiveRule = 'Write a number above 0.';

/** A quantity or a sum of money, 0 or more, in the unit that its row or document names. */
export const Amount = v.pipe(v.number(amountRule), v.minValue(0, amountRule));

export const PositiveAmount = v.pipe(v.number(positiveRule), v.gtValue(0, positiveRule));

/** An object with only these members. Messages begin with `name`: "A meter has no such member; …". */
export function createStrictObject<const E extends v.ObjectEntries>(name: string, entries: E) {
  const members = Object.keys(entries).join(', ');
  return v.strictObject(entries, (issue) => {
    if (issue.expected === 'never') return `${name} has no such member; its members are ${members}.`;
    if (issue.expected === 'Object') return `${name} is an object with the members ${members}.`;
    return `${name} must have this member.`;
  });
}

/** Reports a broken rule: the path, such as `0.price` or '' for the whole value, and what to write instead. */
type Breach = (at: string, message: string) => void;

/** Returns a schema that also checks a rule over several members, which JSON Schema cannot express. */
export function withRule<S extends v.GenericSchema>(
  schema: S,
  find: (value: v.InferOutput<S>, breach: Breach) => void,
): S {
  const rule = v.rawCheck<unknown>(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    find(dataset.value, (at, message) => {
      const keys = at.split('.').filter(Boolean);
      const path = keys.map((key) => ({ type: 'unknown', origin: 'value', key, input: null, value: null }));
      addIssue({ message, ...(keys.length > 0 && { path: path as [v.IssuePathItem] }) });
    });
  });
  return v.pipe(schema as v.GenericSchema, rule) as unknown as S;
}

/** A union that checks an object by the form with the most members in common, so that issues have exact paths. */
function createUnion<const F extends v.UnionOptions>(forms: F, message: string) {
  const union = v.union(forms, message);
  const objects = forms.filter((form) => 'entries' in form) as (F[number] & { entries: v.ObjectEntries })[];
  const countSharedMembers = (form: { entries: v.ObjectEntries }, value: object) =>
    Object.keys(value).filter((key) => Object.hasOwn(form.entries, key)).length;

  const findNearest = (value: object) =>
    objects.reduce((best, form) =>
      countSharedMembers(form, value) > countSharedMembers(best, value) ? form : best,
    );
  const schema: v.GenericSchema<v.InferInput<typeof union>, v.InferOutput<typeof union>> = v.lazy((value) =>
    typeof value === 'object' && value !== null ? findNearest(value) : union,
  );
  return schema;
}

/** Refuses a price without `fixed` and `percent`, and a floor above the cap. */
const CompoundPrice = v.pipe(
  withRule(
    createStrictObject('A compound price', {
      fixed: may(Amount, 'A fixed sum.'),
      percent: may(Amount, 'Percent of the basis.'),
      basis: may(RateText, 'What the percentage is of.'),
      cap: may(Amount, 'Charged at the most.'),
      floor: may(Amount, 'Charged at the least, before `min_fee`.'),
      min_fee: may(Amount, 'Never charged less than this.'),
    }),
    ({ fixed, percent = fixed, floor = 0, cap = floor }, breach) => {
      if (percent === undefined)
        breach('', 'A price object must say what is charged: write fixed, percent or both.');
      if (floor > cap) breach('floor', 'Write a floor that is not above cap.');
    },
  ),
  v.title('CompoundPrice'),
);

const PassthroughPrice = v.pipe(
  createStrictObject('A passthrough price', {
    provider: say(RateText, 'Whose price is passed through.'),
    reference: may(RateText, 'Where that price is published.'),
    markup: may(Amount, 'Percent put on top.'),
  }),
  v.title('PassthroughPrice'),
);

/** `discovery: "market"` distinguishes this form from the others. */
const DiscoveryPrice = v.pipe(
  createStrictObject('A discovery price', {
    discovery: say(createChoice(['market']), 'A market finds the price.'),
    reference: may(RateText, 'Where it is found.'),
    buyer_cap: may(Amount, 'What the buyer pays at the most.'),
  }),
  v.title('DiscoveryPrice'),
);

/** A number, 0 or more, an object in one of three forms, or null if the price is withheld. */
const Price = createUnion(
  [Amount, v.null(), CompoundPrice, PassthroughPrice, DiscoveryPrice],
  'Write a number that is 0 or more, null, or one price object: compound (fixed, percent), ' +
    'passthrough (provider) or discovery ("market").',
);

/** What is included before the price counts: a quantity per month, `"unlimited"`, or an object with its own period. */
const Allowance = createUnion(
  [
    Amount,
    v.literal('unlimited'),
    createStrictObject('An allowance', {
      qty: say(Amount, 'The quantity included in a period.'),
      period: may(createChoice(['day', 'month', 'once']), 'When the quantity is renewed; once is never.'),
      rollover: may(Flag, 'Whether what is left is carried over.'),
      at_limit: may(RateText, 'What happens when it is used up.'),
    }),
  ],
  'Write a quantity that is 0 or more, "unlimited", or an object with qty and period.',
);

/** How a price is disclosed. Absent means `published`; the other three withhold the price. */
const Disclosure = createChoice(['published', 'calculator-only', 'quote-only', 'undisclosed']);

/** The range of a withheld price in the unit of the row, and its source. Refuses a low above the high. */
const Estimate = withRule(
  createStrictObject('An estimate', {
    low: say(Amount, 'The lower end.'),
    high: say(Amount, 'The upper end.'),
    provenance: say(RateText, 'Where the estimate comes from.'),
  }),
  ({ low, high }, breach) => {
    if (low > high) breach('low', 'Write a low that is not above high.');
  },
);

const Meter = createStrictObject('A meter', {
  aggregation: say(
    createChoice(['sum', 'distinct', 'high-watermark', 'gauge', 'peak']),
    'How readings become one figure.',
  ),
  basis: may(createChoice(['consumed', 'provisioned', 'standing']), 'What is read.'),
  reset_period: may(RateText, 'When the figure starts again from 0.'),
  definition_url: may(Address, 'Where the meter is defined.'),
});

const orderRule = 'Write a whole number that is 0 or more.';

/** A change to a price. It applies to this rate unless `scope` says otherwise. A value below 0 reduces the price. */
const Modifier = createStrictObject('A modifier', {
  op: say(
    createChoice(['multiply', 'add']),
    'Whether the price is multiplied by the value, or the value added.',
  ),
  value: say(v.number('Write a number.'), 'What is multiplied by or added.'),
  scope: may(
    createChoice(['rate', 'offer', 'card']),
    'What is changed: this rate, the offer or the whole card.',
  ),
  condition: may(RateText, 'When it holds.'),
  stacking_order: may(
    v.pipe(v.number(orderRule), v.integer(orderRule), v.minValue(0, orderRule)),
    'Lower goes first.',
  ),
});

const percentRule = 'Write a percentage from 0 to 100.';

/** Requires either a price or a percentage. */
const VolumeBreak = withRule(
  createStrictObject('A volume break', {
    from: say(Amount, 'From this much of the basis on.'),
    price: may(Amount, 'The price from there on.'),
    discount_percent: may(
      v.pipe(v.number(percentRule), v.minValue(0, percentRule), v.maxValue(100, percentRule)),
      'Percent off from there on.',
    ),
  }),
  ({ price, discount_percent }, breach) => {
    if ((price === undefined) === (discount_percent === undefined))
      breach('', 'A volume break must have exactly one of price and discount_percent.');
  },
);

const breaksRule = 'Write a list of at least one volume break.';

/** How the price changes with volume. Requires a mode, and breaks in rising order or a formula. */
const VolumeBreaks = withRule(
  createStrictObject('Volume pricing', {
    mode: say(createChoice(['graduated', 'retroactive', 'reprice-offer']), 'Which units a break applies to.'),
    basis: may(createChoice(['units', 'spend', 'instantaneous-rate']), 'What the breaks count.'),
    breaks: may(v.pipe(v.array(VolumeBreak, breaksRule), v.minLength(1, breaksRule)), 'In rising order.'),
    formula_url: may(Address, 'A formula that replaces the breaks.'),
    approximate: may(Flag, 'Whether the breaks only come near the formula.'),
  }),
  ({ breaks, formula_url }, breach) => {
    if (breaks === undefined && formula_url === undefined)
      breach('breaks', 'Write the breaks, or a formula_url that replaces them.');
    breaks?.forEach(({ from }, index, { [index - 1]: before }) => {
      if (before && before.from >= from)
        breach(`breaks.${index}.from`, `Write breaks in rising order: above ${before.from}.`);
    });
  },
);

/** What one operation costs. Refuses a missing price unless it is withheld, and `included` beside `freeQuota`. */
export const RateRow = v.pipe(
  withRule(
    createStrictObject('A rate', {
      operation: say(RateText, 'An operationId; one row an operation.'),
      price: may(Price, 'In `unit`: a number, a price object, or null where it is withheld.'),
      unit: may(RateText, 'What the price counts, such as `usd-per-call`.'),
      included: may(Allowance, 'What is included before the price counts.'),
      freeQuota: may(PositiveAmount, 'Shorthand for a monthly allowance.'),
      modifiers: may(
        v.array(Modifier, 'Write a list of modifiers.'),
        'Changes to the price, in their stacking order.',
      ),
      derived_from: may(RateText, 'The operation whose rate this one follows.'),
      meter: may(Meter, 'How use is measured.'),
      volume_breaks: may(VolumeBreaks, 'How the price changes with volume.'),
      disclosure: may(Disclosure, '`published` unless said.'),
      estimate: may(Estimate, 'The range in which a withheld price is thought to lie.'),
      note: may(RateText, 'What else there is to say.'),
    }),
    ({ price = null, disclosure = 'published', estimate, included, freeQuota }, breach) => {
      const isPublished = disclosure === 'published';
      if (price === null && isPublished)
        breach(
          'price',
          'Write the price, or a disclosure that withholds it: "calculator-only", "quote-only" or "undisclosed".',
        );
      if (estimate !== undefined && isPublished)
        breach(
          'estimate',
          'An estimate is for a withheld price: write the price, or a disclosure other than "published".',
        );
      if (included !== undefined && freeQuota !== undefined)
        breach('freeQuota', 'Write the allowance once: keep included and leave out freeQuota.');
    },
  ),
  v.title('RateRow'),
);

export type RateRow = v.InferOutput<typeof RateRow>;
