import * as v from 'valibot';
import { may, say } from '../kernel/text.ts';

const wordsRule = 'Write a text that holds more than white space.';
const addressRule = 'Write an http or https address, or one of this origin that begins with a single slash.';
const flagRule = 'Write true or false.';

export const Words = v.pipe(v.string(wordsRule), v.regex(/\S/, wordsRule));

/** An `http:` or `https:` address, or an origin-relative one, such as `/pricing.html#binding`. */
export const Address = v.pipe(
  v.string(addressRule),
  v.regex(/^(?:https?:\/\/[^\s/]\S*|\/(?:[^\s/]\S*)?)$/, addressRule),
);

export const Flag = v.boolean(flagRule);

export function toChoice<const T extends readonly string[]>(words: T) {
  return v.picklist(words, `Write one of ${words.map((word) => `"${word}"`).join(', ')}.`);
}

const amountRule = 'Write a number that is 0 or more.';
const positiveRule = 'Write a number above 0.';

/** A quantity or a sum of money in the unit said beside it, 0 or more. */
export const Amount = v.pipe(v.number(amountRule), v.minValue(0, amountRule));

export const PositiveAmount = v.pipe(v.number(positiveRule), v.gtValue(0, positiveRule));

/** An object with these members and no others; `name` begins the messages: "A meter has no such member; …". */
export function toMembers<const E extends v.ObjectEntries>(name: string, entries: E) {
  const members = Object.keys(entries).join(', ');
  return v.strictObject(entries, (issue) => {
    if (issue.expected === 'never') return `${name} has no such member; its members are ${members}.`;
    if (issue.expected === 'Object') return `${name} is an object with the members ${members}.`;
    return `${name} must have this member.`;
  });
}

/** Where a rule over several members is broken, as `0.price` (empty for the whole), and what to write instead. */
export type Breach = readonly [at: string, message: string];

/** A schema whose values also keep a rule over several of its members, which JSON Schema has no words for. */
export function withRule<S extends v.GenericSchema>(
  schema: S,
  find: (value: v.InferOutput<S>) => readonly (Breach | false)[],
): S {
  const rule = v.rawCheck<unknown>(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    for (const breach of find(dataset.value)) {
      if (!breach) continue;
      const [at, message] = breach;
      const keys = at.split('.').filter(Boolean);
      const path = keys.map((key) => ({ type: 'unknown', origin: 'value', key, input: null, value: null }));
      addIssue({ message, ...(keys.length > 0 && { path: path as unknown as [v.IssuePathItem] }) });
    }
  });
  return v.pipe(schema as v.GenericSchema, rule) as unknown as S;
}

/** A union that judges an object by the form it shares the most members with, so that a problem has its own path. */
export function toForms<const F extends v.UnionOptions>(forms: F, message: string): v.UnionSchema<F, string> {
  const union = v.union(forms, message);
  const objects = forms.filter((form) => 'entries' in form) as (F[number] & { entries: v.ObjectEntries })[];
  const toLikeness = (form: { entries: v.ObjectEntries }, value: object) =>
    Object.keys(value).filter((key) => Object.hasOwn(form.entries, key)).length;

  return {
    ...union,
    '~run'(dataset, config) {
      const { value } = dataset;
      if (typeof value !== 'object' || value === null) return union['~run'](dataset, config);
      const nearest = objects.reduce((best, form) =>
        toLikeness(form, value) > toLikeness(best, value) ? form : best,
      );
      return nearest['~run'](dataset, config) as ReturnType<(typeof union)['~run']>;
    },
  };
}

/** Refuses one with neither `fixed` nor `percent`, and a floor above its cap. */
const CompoundPrice = v.pipe(
  withRule(
    toMembers('A compound price', {
      fixed: may(Amount, 'A fixed sum.'),
      percent: may(Amount, 'Percent of the basis.'),
      basis: may(Words, 'What the percentage is of.'),
      cap: may(Amount, 'Charged at the most.'),
      floor: may(Amount, 'Charged at the least, before `min_fee`.'),
      min_fee: may(Amount, 'Never charged less than this.'),
    }),
    ({ fixed, percent = fixed, floor = 0, cap = floor }) => [
      percent === undefined && ['', 'A price object must say what is charged: write fixed, percent or both.'],
      floor > cap && ['floor', 'Write a floor that is not above cap.'],
    ],
  ),
  v.title('CompoundPrice'),
);

const PassthroughPrice = v.pipe(
  toMembers('A passthrough price', {
    provider: say(Words, 'Whose price is passed through.'),
    reference: may(Words, 'Where that price is published.'),
    markup: may(Amount, 'Percent put on top.'),
  }),
  v.title('PassthroughPrice'),
);

/** `discovery: "market"` tells this form from the others. */
const DiscoveryPrice = v.pipe(
  toMembers('A discovery price', {
    discovery: say(toChoice(['market']), 'A market finds the price.'),
    reference: may(Words, 'Where it is found.'),
    buyer_cap: may(Amount, 'What the buyer pays at the most.'),
  }),
  v.title('DiscoveryPrice'),
);

/** A number of 0 or more, an object in exactly one of the three forms, or null where the price is withheld. */
export const Price = toForms(
  [Amount, v.null(), CompoundPrice, PassthroughPrice, DiscoveryPrice],
  'Write a number that is 0 or more, null, or one price object: compound (fixed, percent), ' +
    'passthrough (provider) or discovery ("market").',
);
