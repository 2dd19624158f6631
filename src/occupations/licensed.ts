import * as v from 'valibot';
import content from '../../content/licensed.json' with { type: 'json' };
import { OnetCode } from './occupation.ts';

const text = v.pipe(v.string(), v.minLength(1));
const texts = v.pipe(v.array(text), v.minLength(1));

const Group = v.strictObject({
  /** What a member of the group is called, with an article: `a registered nurse`. */
  name: v.pipe(text, v.regex(/^an? /, 'must begin with an article')),
  codes: v.pipe(v.array(OnetCode), v.minLength(1)),
  /** Other groups whose work this group may do. */
  covers: v.optional(texts),
  /** Names of the licence. A credential shows the licence if it has all words of one name. */
  credentials: texts,
});
type Group = v.InferOutput<typeof Group>;

/** content/licensed.json: the occupations that nearly every state of the United States licenses, in groups. */
export const LicensedFile = v.pipe(
  v.strictObject({
    /** Why these occupations are listed. */
    basis: text,
    /** Words that make a credential less than the licence: `assistant`. */
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

/** Returns the groups that a group covers, including itself. */
function findCovered(name: string): string[] {
  return [name, ...(groups[name]!.covers ?? []).flatMap(findCovered)];
}
const covered = new Map(Object.keys(groups).map((name) => [name, new Set(findCovered(name))]));

/** Returns the licensed group of a code, or undefined if its work needs no licence nearly everywhere. */
export const findLicence = (code: string): string | undefined => groupByCode.get(code);

/** Whether one of the groups is `wanted` or may do its work. A registered nurse may do a practical nurse's work. */
export const isLicensedFor = (held: readonly string[], wanted: string): boolean =>
  held.some((name) => covered.get(name)?.has(wanted));

/** Returns what a member of a group is called: `a registered nurse`. */
export const nameLicence = (name: string): string => groups[name]!.name;

/** Every name of every licence, with the group that holds the licence. */
export const licenceNames: readonly { group: string; name: string }[] = Object.entries(groups).flatMap(
  ([group, { credentials }]) => credentials.map((name) => ({ group, name })),
);

/** Words that make a credential less than a licence without them: a physical therapist assistant is not a therapist. */
export const lesserWords: readonly string[] = content.lesserWords;
