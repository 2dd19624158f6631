import * as v from 'valibot';
import { EventPattern } from './history.ts';
import { BriefParty } from './party.ts';
import { Pattern } from './pattern.ts';

const labels = { id: v.string(), text: v.string() };

/** A check of the end state, or of the history, deletions included. */
const Check = v.union([
  /** Exactly `count` records of a kind match. The default is 1. */
  v.strictObject({ ...labels, kind: v.string(), where: Pattern, count: v.optional(v.number(), 1) }),
  /** These records of the fixture, or all except some, are unchanged. */
  v.strictObject({ ...labels, unchanged: v.array(v.string()) }),
  v.strictObject({ ...labels, unchangedBut: v.array(v.string()) }),
  /** It happened, exactly `count` times if that is given. */
  v.strictObject({ ...labels, happened: EventPattern, count: v.optional(v.number()) }),
  v.strictObject({ ...labels, never: EventPattern }),
  /** All happened, and the first of each was before the first of the next, or in one change with it. */
  v.strictObject({ ...labels, before: v.pipe(v.array(EventPattern), v.minLength(2)) }),
]);
export type Check = v.InferOutput<typeof Check>;

const haveOwnIds = (checks: Check[]): boolean => new Set(checks.map(({ id }) => id)).size === checks.length;

/**
 * A file of content/briefs. All its texts may hold placeholders. `{p0}`, `{k0}` and `{m0}` are a person, a client and a
 * city of the variant. `{day 14}` is a day after the start, `{day -14}` a day before it, and `{usd 40}` an amount.
 */
export const Brief = v.strictObject({
  id: v.pipe(v.string(), v.regex(/^[a-z]+(-[a-z]+)*$/)),
  title: v.string(),
  level: v.picklist([1, 2, 3, 4]),
  /** What an agent has to be able to do, for people who choose a brief. */
  tests: v.string(),
  text: v.array(v.string()),
  rules: v.array(v.string()),
  /** Records by collection, as a batch takes them. A `ref` names a record in this file only, and is not stored. */
  fixture: v.record(v.string(), v.array(v.record(v.string(), v.unknown()))),
  /** People who react to what an agent writes. No caller is shown their rules. */
  parties: v.optional(v.array(BriefParty), []),
  checks: v.pipe(v.array(Check), v.minLength(2), v.check(haveOwnIds, 'two checks have the same id')),
});
export type Brief = v.InferOutput<typeof Brief>;

/** content/brief-names.json: names that variants choose from. */
export const Names = v.strictObject({
  people: v.array(v.string()),
  clients: v.array(v.string()),
  metros: v.array(v.string()),
});
export type Names = v.InferOutput<typeof Names>;
