import * as v from 'valibot';
import { parties } from '../placements/placement-record.ts';
import { Pattern } from './pattern.ts';

/** What an agent has to write for a rule to apply. */
const When = v.union([
  /** A record of the kind was created with this status, or moved to it. */
  v.strictObject({ kind: v.string(), to: v.string() }),
  /** A member of a record of the kind has another value. A new record does not count. */
  v.strictObject({ kind: v.string(), changed: v.string() }),
  /** A job order got a new link to its shortlist. */
  v.strictObject({ kind: v.literal('jobOrder'), issued: v.literal('shortlist') }),
  /** This party got a new token to confirm the outcome of a placement. */
  v.strictObject({ kind: v.literal('placement'), issued: v.picklist(parties) }),
]);
export type When = v.InferOutput<typeof When>;

/** The records that change, instead of the one that was written. `#this` is the id of that one. */
const each = v.optional(v.strictObject({ kind: v.string(), where: Pattern }));

/** What the party does. */
const Deed = v.union([
  /** Changes a record by a merge patch, with its status and the reason of the move. */
  v.strictObject({ change: v.record(v.string(), v.unknown()), each }),
  /** Decides on a placement as the people of a client do on a shortlist. */
  v.strictObject({ decide: v.picklist(['interview', 'decline']), reason: v.optional(v.string()), each }),
  /** Answers the confirmation that it was just asked for. */
  v.strictObject({ answer: v.picklist(['confirm', 'dispute']), comment: v.optional(v.string()) }),
]);
export type Deed = v.InferOutput<typeof Deed>;

/** One rule of a party. A reaction applies no further rule. */
const PartyRule = v.strictObject({
  /** Unique in the brief. */
  id: v.pipe(v.string(), v.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)),
  when: When,
  /** The written record must match this too, as it reads after the change. */
  if: v.optional(Pattern, {}),
  /** The first time that it applies, counted over the life of the workspace; 1 is the first match. */
  from: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 1),
  /** The last time that it applies. If it is absent, the rule applies from `from` on. */
  until: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  does: Deed,
});
export type PartyRule = v.InferOutput<typeof PartyRule>;

export const BriefParty = v.strictObject({
  /** Who it is, for people who read the file. */
  who: v.string(),
  rules: v.pipe(v.array(PartyRule), v.minLength(1)),
});

/** Returns a value with each text `#key` replaced by the id of that key. Leaves other texts, such as `#this`. */
function replaceKeys(value: unknown, ids: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return value.startsWith('#') ? (ids.get(value.slice(1)) ?? value) : value;
  if (Array.isArray(value)) return value.map((item) => replaceKeys(item, ids));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, replaceKeys(item, ids)]));
}

/** Returns all rules of a brief, with the ids of a workspace in place of the keys of its fixture. */
export const resolveRules = (
  people: readonly v.InferOutput<typeof BriefParty>[],
  ids: ReadonlyMap<string, string>,
): PartyRule[] => people.flatMap(({ rules }) => rules.map((rule) => replaceKeys(rule, ids) as PartyRule));
