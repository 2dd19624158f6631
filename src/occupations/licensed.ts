import * as v from 'valibot';
import content from '../../content/licensed.json' with { type: 'json' };
import { OnetCode } from './occupation.ts';

const text = v.pipe(v.string(), v.minLength(1));
const texts = v.pipe(v.array(text), v.minLength(1));

const Group = v.strictObject({
  /** What its people are, with an article, as a sentence says it. */
  name: v.pipe(text, v.regex(/^an? /, 'must begin with an article')),
  codes: v.pipe(v.array(OnetCode), v.minLength(1)),
  /** The groups whose work it may do as well. */
  covers: v.optional(texts),
  /** Names of the licence: a credential shows it that has all words of one. */
  credentials: texts,
});
type Group = v.InferOutput<typeof Group>;

/** content/licensed.json: the occupations that nearly every state of the United States licenses, in groups. */
export const LicensedFile = v.pipe(
  v.strictObject({
    /** Why these occupations are listed, and others are not. */
    basis: text,
    /** Words of credentials that say less than the licence: `assistant`. */
    lesserWords: texts,
    groups: v.record(text, Group),
  }),
  v.check(
    ({ groups }) => Object.values(groups).every(({ covers = [] }) => covers.every((name) => name in groups)),
    'covers must name groups of this file',
  ),
  v.check(({ groups }) => {
    const codes = Object.values(groups).flatMap((group) => group.codes);
    return new Set(codes).size === codes.length;
  }, 'a code must be in one group'),
);

const groups: Readonly<Record<string, Group>> = content.groups;
const groupByCode = new Map(
  Object.entries(groups).flatMap(([name, { codes }]) => codes.map((code) => [code, name] as const)),
);

/** The groups that a group covers, itself among them. */
function findCovered(name: string): string[] {
  return [name, ...(groups[name]!.covers ?? []).flatMap(findCovered)];
}
const covered = new Map(Object.keys(groups).map((name) => [name, new Set(findCovered(name))]));

/** Returns the licensed group of a code, or undefined if its work needs no licence nearly everywhere. */
export const findLicence = (code: string): string | undefined => groupByCode.get(code);

/** Whether one of these groups is `wanted`, or may do its work: a registered nurse may do a practical nurse's. */
export const isLicensedFor = (held: readonly string[], wanted: string): boolean =>
  held.some((name) => covered.get(name)?.has(wanted));

/** What the people of a group are, in words: `a registered nurse`. */
export const nameLicence = (name: string): string => groups[name]!.name;

/** Each name by which a credential shows a licence, and the group that the licence is of. */
export const licenceNames: readonly { group: string; name: string }[] = Object.entries(groups).flatMap(
  ([group, { credentials }]) => credentials.map((name) => ({ group, name })),
);

/** Words of a credential that say less than a licence whose name lacks them: a physical therapist assistant is no therapist. */
export const lesserWords: readonly string[] = content.lesserWords;
