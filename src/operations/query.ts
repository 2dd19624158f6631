import * as v from 'valibot';
import type { Call } from '../core/call.ts';
import type { Outcome } from '../core/operation.ts';
import {
  defaultLimit,
  longestCursor,
  maxLimit,
  mostPageBytes,
  type Page,
  toolLimit,
  toPageBody,
} from '../core/page.ts';
import { maxCharacters } from '../model/text.ts';

/** A value to compare with: any string of at most 200 characters. */
export function toFilter(title: string, description: string) {
  return v.optional(
    v.pipe(v.string('must be a string'), maxCharacters(200), v.title(title), v.description(description)),
  );
}

/** `occupation`: a whole O*NET-SOC code, a six-digit SOC code, or a two-digit major group. */
export const occupationFilter = toFilter(
  'Occupation',
  'O*NET-SOC code (15-1252.00), SOC code (15-1252) or SOC major group (15).',
);

/** Which records' codes fall under the `occupation` filter; all where there is none. */
export function toUnder(filter: string | undefined): (code: string) => boolean {
  if (filter === undefined) return () => true;
  if (!/^\d{2}(-\d{4}(\.\d{2})?)?$/.test(filter)) return () => false;
  const beginning = filter.length === 2 ? `${filter}-` : `${filter}.`;
  return (code) => code === filter || code.startsWith(beginning);
}

/** `limit` and `cursor` of every list. */
export const paging = {
  limit: v.optional(
    v.pipe(
      v.number('must be a whole number'),
      v.integer('must be a whole number'),
      v.minValue(1, 'must be at least 1'),
      v.maxValue(maxLimit, `must be at most ${maxLimit}`),
      v.title('Limit'),
      v.description(
        `Rows on a page, 1 to ${maxLimit}; ${defaultLimit} over HTTP and ${toolLimit} as a tool unless said. A page of large records ends early, at ${mostPageBytes / 1024} KiB.`,
      ),
    ),
  ),
  cursor: v.optional(
    v.pipe(
      v.string('must be a string'),
      maxCharacters(longestCursor),
      v.title('Cursor'),
      v.description('nextCursor of the page before, unchanged.'),
    ),
  ),
};

/**
 * The address of the next page: what was asked, with the new cursor, under `path` or, where the call came
 * by it, its public twin `path.json`.
 */
function toNextHref(path: string, input: object, cursor: string, call?: Call): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...input, cursor })) {
    if (value !== undefined) query.set(name, String(value));
  }
  return `${path}${call?.path.endsWith('.json') ? '.json' : ''}?${query}`;
}

/** A list, and what it says where nothing matches. */
export interface Listed {
  path: string;
  /** Of the envelope. */
  member: string;
  none: string;
}

/** The reply of a list: a page with a Link to the next, or EMPTY where it has no row. */
export function toListReply<T>(
  { path, member, none }: Listed,
  page: Page<T>,
  input: object,
  call?: Call,
): Outcome {
  const { entries, total, nextCursor } = page;
  if (entries.length === 0) {
    const pastEnd = `There is no row behind this cursor; all ${total} came before it. Leave cursor out to start again.`;
    return { status: 200, body: { type: 'EMPTY', message: total > 0 ? pastEnd : none, total } };
  }
  const reply = { status: 200, ...toPageBody(member, page) };
  if (nextCursor === undefined) return reply;
  return { ...reply, headers: { Link: `<${toNextHref(path, input, nextCursor, call)}>; rel="next"` } };
}
