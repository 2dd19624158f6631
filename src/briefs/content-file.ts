import * as v from 'valibot';

/**
 * What one member of a record has to be: this value (letters alike in both cases), one of several, or what an object
 * says. `min` is a number or a day; `has` are words of a text or of one item of a list; `record` is a pattern
 * of the record that is referred to. A text `#key` is the id of a record of the fixture.
 */
export type Condition =
  | string
  | number
  | boolean
  | Condition[]
  | { min: number | string }
  | { has: string }
  | { absent: true }
  | { not: Condition }
  | { record: Pattern };
export type Pattern = { [member: string]: Condition };
const Pattern = v.record(
  v.string(),
  v.custom<Condition>((value) => value !== undefined && value !== null),
);

const said = { id: v.string(), text: v.string() };

/** One thing that must be so in the end. */
const Check = v.union([
  /** So many records of a kind match: 1 unless said. */
  v.strictObject({ ...said, kind: v.string(), where: Pattern, count: v.optional(v.number(), 1) }),
  /** These records of the fixture, or all of them but some, are as they were. */
  v.strictObject({ ...said, unchanged: v.array(v.string()) }),
  v.strictObject({ ...said, unchangedBut: v.array(v.string()) }),
]);
export type Check = v.InferOutput<typeof Check>;

/**
 * A file of content/briefs. In its text, rules, fixture and checks, `{p0}`, `{k0}` and `{m0}` are a person, a client
 * and a city of the variant, `{day 14}` a day after the start, `{day -14}` one before it, and `{usd 40}` an amount.
 */
export const Brief = v.strictObject({
  id: v.pipe(v.string(), v.regex(/^[a-z]+(-[a-z]+)*$/)),
  title: v.string(),
  level: v.picklist([1, 2, 3]),
  text: v.array(v.string()),
  rules: v.array(v.string()),
  /** Records by collection, as a batch takes them. A `ref` names one within its brief, and is not kept. */
  fixture: v.record(v.string(), v.array(v.record(v.string(), v.unknown()))),
  checks: v.pipe(v.array(Check), v.minLength(2)),
});
export type Brief = v.InferOutput<typeof Brief>;

/** What variants choose from: content/briefs-names.json. */
export const Names = v.strictObject({
  people: v.array(v.string()),
  clients: v.array(v.string()),
  metros: v.array(v.string()),
});
export type Names = v.InferOutput<typeof Names>;
