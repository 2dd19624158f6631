import * as v from 'valibot';
import { countBytes } from './json.ts';
import { Count } from './text.ts';

/** Places that one answer names at most, and the bytes of JSON that they may take; the rest are counted. */
export const mostPlaces = 20;
const mostBytes = 3000;

const Code = v.pipe(v.string(), v.regex(/^[a-z_]+$/));

/** A list of places, of which the last may count those that it leaves out. */
const toPlaces = <T extends v.GenericSchema>(one: T, text: string) =>
  v.optional(v.pipe(v.array(one), v.maxLength(mostPlaces + 1), v.description(text)));

const place = {
  path: v.pipe(v.string(), v.description('The member or query name; empty where it is the whole.')),
  message: v.pipe(v.string(), v.description('What is wrong, and what to send instead.')),
};

/** What is wrong in the request, and what to send instead. */
export const Issue = v.pipe(
  v.object({
    code: v.optional(v.pipe(Code, v.description('That of the warning, where strict handling refuses one.'))),
    ...place,
  }),
  v.title('Issue'),
  v.description('What is wrong in the request, and what to send instead.'),
);
export type Issue = v.InferOutput<typeof Issue>;

/** What was accepted though something about it may not be what the caller meant. */
export const Warning = v.pipe(
  v.object({
    code: v.pipe(Code, v.description('Stable name, for programs.')),
    ...place,
    advice: v.optional(v.pipe(v.literal(true), v.description('Strict handling does not refuse it.'))),
  }),
  v.title('Warning'),
  v.description('What was accepted though it may not be what the caller meant.'),
);
export type Warning = v.InferOutput<typeof Warning>;

/** The warnings that strict handling refuses: all but advice. */
export const toRefusable = (found: readonly Warning[]) => found.filter(({ advice }) => !advice);

/** First of all members after `type`, since a reader may stop early. */
export const warnings = toPlaces(Warning, 'What was accepted but ignored or could not be resolved.');

/** A truthful empty result: 200 for a collection, 404 for a single record or an unknown address. */
export const Empty = v.pipe(
  v.object({
    type: v.literal('EMPTY'),
    warnings,
    message: v.pipe(v.string(), v.description('Why there is nothing, and where to look.')),
    total: v.optional(v.pipe(Count, v.description('How many there are.'))),
    links: v.optional(v.pipe(v.record(v.string(), v.string()), v.description('Related addresses.'))),
  }),
  v.title('Empty'),
  v.description('A truthful empty result, never a bare empty array.'),
);

/** A permission, validation or availability boundary with a worded reason. */
export const Blocked = v.pipe(
  v.object({
    type: v.literal('BLOCKED'),
    code: v.pipe(Code, v.description('Stable name of the boundary, for programs.')),
    reason: v.pipe(v.string(), v.description('What was refused and what to send instead.')),
    issues: toPlaces(Issue, 'Each place in the request that is wrong.'),
  }),
  v.title('Blocked'),
  v.description('A boundary with a worded reason; nothing was acknowledged.'),
);

/** The envelope of substantive content: `type: "OK"`, warnings if there are any, and the given members. */
/* @__NO_SIDE_EFFECTS__ */
export function toOkSchema<E extends v.ObjectEntries>(entries: E) {
  return v.object({ type: v.literal('OK'), warnings, ...entries });
}

/** Places that a reason names at most, and the characters of each. */
const mostInReason = 5;
const longestInReason = 60;

const toCount = (count: number) => count.toLocaleString('en-US');

/** The first characters of what a caller wrote, safe to repeat: a surrogate pair that was cut is replaced. */
export const toExcerpt = (text: string, longest = 100): string => text.slice(0, longest).toWellFormed();

/** At most 20 of the places at fault, in their order, and then how many more there are: `and 31,980 more`. */
export function limitIssues<T extends Issue>(issues: readonly T[]): T[] {
  let left = mostBytes;
  const named = issues.slice(0, mostPlaces).filter((issue) => {
    left -= left < 0 ? 0 : countBytes(JSON.stringify(issue));
    return left >= 0;
  });
  const more = issues.length - named.length;
  return more === 0 ? named : [...named, { ...issues[0]!, path: '', message: `and ${toCount(more)} more` }];
}

const toName = ({ path }: Issue) => toExcerpt(path, longestInReason) || 'the whole';

/** One place with what to send instead, or how many there are and the first of them. */
export function toReason(issues: readonly Issue[]): string {
  const [one] = issues as [Issue];
  if (issues.length === 1) {
    const text = `${toName(one)} ${toExcerpt(one.message, 1000)}`;
    return /[\w"')]$/.test(text) ? `${text}.` : text;
  }
  const names = issues.slice(0, mostInReason).map(toName);
  const list = [...new Set(names)].join(', ') + (issues.length > names.length ? ', …' : '');
  return `${toCount(issues.length)} members are not valid: ${list}; issues names each place.`;
}
