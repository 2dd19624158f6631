import * as v from 'valibot';
import { countJsonBytes } from './json.ts';
import { withoutDeceiving } from './plain-text.ts';
import { may, NonNegativeInteger, named, say } from './text.ts';
import { formatWording, type Wording, type WordPart } from './wording.ts';

/** How many places an answer names at most, and how many bytes of JSON they may take. Further places are counted. */
export const mostPlaces = 20;
const mostBytes = 3000;

const Code = v.pipe(v.string(), v.regex(/^[a-z_]+$/));

/** A list of places. The last entry may count the places that were left out. */
/* @__NO_SIDE_EFFECTS__ */
const placesSchema = <T extends v.GenericSchema>(one: T, text: string) =>
  may(v.pipe(v.array(one), v.maxLength(mostPlaces + 1)), text);

/** A text that is not empty. */
const Sentence = v.pipe(v.string(), v.minLength(1));

const path = say(v.string(), 'The member or query name; empty where it is the whole.');
const message = say(Sentence, 'What is wrong, and what to send instead.');

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
    rows: may(v.pipe(v.array(v.number()), v.maxLength(mostPlaces)), 'Of a file: the first rows.'),
    more: may(v.number(), 'How many more rows.'),
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

/** A warning of which it is not known yet whether strict handling turns it into a refusal. */
export interface Finding extends Omit<Warning, 'message'> {
  message: Wording;
  /** The message if the call is refused. The same as `message` if absent. */
  refusal?: Wording;
}

/** The findings that strict handling refuses, as issues. */
export const pickRefusable = (findings: readonly Finding[]): WordedIssue[] =>
  findings.flatMap(({ code, path, message, refusal = message, advice }) =>
    advice ? [] : [{ code, path, message: refusal }],
  );

/** The findings of a call that is not refused, as warnings. Every caller gets the words of HTTP. */
export const pickWarnings = (findings: readonly Finding[]): Warning[] =>
  findings.map(({ refusal: _, ...warning }) => ({ ...warning, message: formatWording(warning.message) }));

/** The issues as a protocol says them. */
export const wordIssues = (issues: readonly WordedIssue<Wording>[], wordPart: WordPart): Issue[] =>
  issues.map((issue) => {
    const { path, message } = issue;
    if (typeof path === 'string' && typeof message === 'string') return issue as Issue;
    return { ...issue, path: formatWording(path, wordPart), message: formatWording(message, wordPart) };
  });

/** Comes right after `type`, because a reader may stop early. */
export const warnings = placesSchema(Warning, 'What was accepted but ignored or could not be resolved.');

/** The body of a 200 for an empty collection, and of a 404 for a missing record or an unknown address. */
export const Empty = named(
  v.object({
    type: v.literal('EMPTY'),
    warnings,
    message: say(Sentence, 'Why there is nothing, and where to look.'),
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
    reason: say(Sentence, 'What was refused and what to send instead.'),
    issues: placesSchema(Issue, 'Each place in the request that is wrong.'),
  }),
  'Blocked',
  'A boundary with a worded reason; nothing was acknowledged.',
);

/** The envelope of content: `type: "OK"`, warnings if there are any, and the given members. */
/* @__NO_SIDE_EFFECTS__ */
export function okSchema<E extends v.ObjectEntries>(entries: E) {
  return v.object({ type: v.literal('OK'), warnings, ...entries });
}

/** How many places a reason names at most, and how many characters of each. */
const mostInReason = 5;
const longestInReason = 60;

const groupDigits = (count: number) => count.toLocaleString('en-US');

/**
 * Returns the first `longest` characters of what a caller wrote, safe to repeat. Replaces lone surrogates, controls and
 * characters that change the direction of text.
 */
export const cutExcerpt = (text: string, longest = 100): string =>
  withoutDeceiving(text.slice(0, longest).toWellFormed());

/**
 * The first issues, at most 20 and 3,000 bytes, and then how many more were found: `and at least 31,980 more`. A check
 * may have stopped before it found all of them.
 */
export function limitIssues<T extends Issue>(issues: readonly T[]): T[] {
  let left = mostBytes;
  const shown = issues.slice(0, mostPlaces).filter((issue) => {
    left -= left < 0 ? 0 : countJsonBytes(issue);
    return left >= 0;
  });
  const more = issues.length - shown.length;
  return more === 0
    ? shown
    : [...shown, { ...issues[0]!, path: '', message: `and at least ${groupDigits(more)} more` }];
}

const nameIssue = ({ path }: Issue) => cutExcerpt(path, longestInReason) || 'the whole';

/** One issue with what to send instead, or the number of issues and the names of the first ones. */
export function explainIssues(issues: readonly Issue[]): string {
  const [first] = issues as [Issue];
  if (issues.length === 1) {
    const text = `${nameIssue(first)} ${cutExcerpt(first.message, 1000)}`;
    return /[\w"')]$/.test(text) ? `${text}.` : text;
  }
  const names = issues.slice(0, mostInReason).map(nameIssue);
  const list = [...new Set(names)].join(', ') + (issues.length > names.length ? ', …' : '');
  const count = `${issues.length > mostPlaces ? 'At least ' : ''}${groupDigits(issues.length)}`;
  return `${count} members are not valid: ${list}; issues names each place.`;
}
