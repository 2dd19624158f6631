import * as v from 'valibot';
import { countBytes } from './json.ts';
import { withoutDeceiving } from './plain-text.ts';
import { may, NonNegativeInteger, named, say } from './text.ts';
import { formatWording, type Wording, type WordPart } from './wording.ts';

/** Places that one answer names at most, and the bytes of JSON that they may take; the rest are counted. */
export const mostPlaces = 20;
const mostBytes = 3000;

const Code = v.pipe(v.string(), v.regex(/^[a-z_]+$/));

/** A list of places, of which the last may count those that it leaves out. */
/* @__NO_SIDE_EFFECTS__ */
const placesSchema = <T extends v.GenericSchema>(one: T, text: string) =>
  may(v.pipe(v.array(one), v.maxLength(mostPlaces + 1)), text);

const path = say(v.string(), 'The member or query name; empty where it is the whole.');
const message = say(v.string(), 'What is wrong, and what to send instead.');

export const Issue = named(
  v.object({ code: may(Code, 'That of the warning, where strict handling refuses one.'), path, message }),
  'Issue',
  'What is wrong in the request, and what to send instead.',
);
export type Issue = v.InferOutput<typeof Issue>;

export const Warning = named(
  v.object({
    code: say(Code, 'Stable name, for programs.'),
    path,
    message,
    advice: may(v.literal(true), 'Strict handling does not refuse it.'),
  }),
  'Warning',
  'What was accepted though it may not be what the caller meant.',
);
export type Warning = v.InferOutput<typeof Warning>;

/** An issue before a protocol words it. Few paths differ by protocol. */
export interface WordedIssue<Path extends Wording = string> extends Omit<Issue, 'path' | 'message'> {
  path: Path;
  message: Wording;
}

/** A warning, as long as it is not known whether strict handling refuses the call. */
export interface Finding extends Omit<Warning, 'message'> {
  message: Wording;
  /** Its message where the call is refused, and so nothing was ignored or accepted; the same if absent. */
  refusal?: Wording;
}

/** The issues of those that strict handling refuses. */
export const pickRefusable = (found: readonly Finding[]): WordedIssue[] =>
  found.flatMap(({ code, path, message, refusal = message, advice }) =>
    advice ? [] : [{ code, path, message: refusal }],
  );

/** The warnings of a call that is not refused. They say to every caller what HTTP says. */
export const pickWarnings = (found: readonly Finding[]): Warning[] =>
  found.map(({ refusal: _, ...warning }) => ({ ...warning, message: formatWording(warning.message) }));

/** The issues as a protocol says them. */
export const wordIssues = (issues: readonly WordedIssue<Wording>[], wordPart: WordPart): Issue[] =>
  issues.map((issue) => {
    const { path, message } = issue;
    if (typeof path === 'string' && typeof message === 'string') return issue as Issue;
    return { ...issue, path: formatWording(path, wordPart), message: formatWording(message, wordPart) };
  });

/** First of all members after `type`, since a reader may stop early. */
export const warnings = placesSchema(Warning, 'What was accepted but ignored or could not be resolved.');

/** 200 for a collection, 404 for a single record or an unknown address. */
export const Empty = named(
  v.object({
    type: v.literal('EMPTY'),
    warnings,
    message: say(v.string(), 'Why there is nothing, and where to look.'),
    total: may(NonNegativeInteger, 'How many there are.'),
    links: may(v.record(v.string(), v.string()), 'Related addresses.'),
  }),
  'Empty',
  'A truthful empty result, never a bare empty array.',
);

export const Blocked = named(
  v.object({
    type: v.literal('BLOCKED'),
    code: say(Code, 'Stable name of the boundary, for programs.'),
    reason: say(v.string(), 'What was refused and what to send instead.'),
    issues: placesSchema(Issue, 'Each place in the request that is wrong.'),
  }),
  'Blocked',
  'A boundary with a worded reason; nothing was acknowledged.',
);

/** The envelope of substantive content: `type: "OK"`, warnings if there are any, and the given members. */
/* @__NO_SIDE_EFFECTS__ */
export function okSchema<E extends v.ObjectEntries>(entries: E) {
  return v.object({ type: v.literal('OK'), warnings, ...entries });
}

/** Places that a reason names at most, and the characters of each. */
const mostInReason = 5;
const longestInReason = 60;

const groupDigits = (count: number) => count.toLocaleString('en-US');

/**
 * The first characters of what a caller wrote, safe to repeat: half of a surrogate pair, controls and what changes the
 * direction of text are replaced.
 */
export const cutExcerpt = (text: string, longest = 100): string =>
  withoutDeceiving(text.slice(0, longest).toWellFormed());

/** At most 20 of the places at fault, in their order, and then how many more there are: `and 31,980 more`. */
export function limitIssues<T extends Issue>(issues: readonly T[]): T[] {
  let left = mostBytes;
  const named = issues.slice(0, mostPlaces).filter((issue) => {
    left -= left < 0 ? 0 : countBytes(JSON.stringify(issue));
    return left >= 0;
  });
  const more = issues.length - named.length;
  return more === 0
    ? named
    : [...named, { ...issues[0]!, path: '', message: `and ${groupDigits(more)} more` }];
}

const nameIssue = ({ path }: Issue) => cutExcerpt(path, longestInReason) || 'the whole';

/** One place with what to send instead, or how many there are and the first of them. */
export function explainIssues(issues: readonly Issue[]): string {
  const [one] = issues as [Issue];
  if (issues.length === 1) {
    const text = `${nameIssue(one)} ${cutExcerpt(one.message, 1000)}`;
    return /[\w"')]$/.test(text) ? `${text}.` : text;
  }
  const names = issues.slice(0, mostInReason).map(nameIssue);
  const list = [...new Set(names)].join(', ') + (issues.length > names.length ? ', …' : '');
  return `${groupDigits(issues.length)} members are not valid: ${list}; issues names each place.`;
}
