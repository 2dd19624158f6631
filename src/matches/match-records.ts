import { Json } from '../kernel/json.ts';
import type { Context, Outcome } from '../kernel/operation.ts';
import { checkCursor, mostPageBytes, toCursor, toPosition } from '../kernel/page.ts';
import { Refusal } from '../kernel/refusal.ts';
import { cachedRead } from '../records/cached-read.ts';
import { toNoRecord } from '../records/change-one.ts';
import { toFilterTests } from '../records/filters.ts';
import type { Kind } from '../records/kind.ts';
import { checkScope } from '../records/list.ts';
import { findRecord } from '../records/read.ts';
import type { PresentedRecord } from '../records/record.ts';
import { createPacer, scan } from '../records/scan.ts';
import { statement } from './match.ts';
import type { Ranking } from './rank.ts';

/** Which of two kinds a record is matched with. */
export interface Direction {
  /** Of the record that is matched. */
  kind: Kind;
  /** Of those that are ranked for it. */
  other: Kind;
  rank: 'rankCandidates' | 'rankOrders';
}

export interface MatchInput {
  id: string;
  scope?: string;
  status?: string;
  minScore?: number;
  meets?: string;
  limit?: number;
  cursor?: string;
  [filter: string]: unknown;
}

/** Matches on a page where a caller does not say. */
export const usualLimit = 10;

/**
 * The records that pass the filters, as they read; where none does, the names of filters without which one would.
 */
export async function sift(
  other: Kind,
  input: Pick<MatchInput, 'scope' | 'status'> & Record<string, unknown>,
  context: Context,
) {
  const { status = other.statuses[0]! } = input;
  const tests = toFilterTests(other.filters, input);
  const pace = createPacer(context.service.platform);
  const wanted: PresentedRecord[] = [];
  const alone = new Set<string>();
  for await (const batch of scan(other, { scope: input.scope }, context)) {
    for (const { record, present } of batch) {
      const paused = pace();
      if (paused) await paused;
      // One that fails two filters tells nothing, and once one passed, nor does one that fails one.
      const most = wanted.length > 0 ? 0 : 1;
      const failed: string[] = [];
      for (const { name, passes } of tests) {
        if (!passes(record)) failed.push(name);
        if (failed.length > most) break;
      }
      if (failed.length > most) continue;
      const row = present().value;
      if (row.status !== status) failed.push('status');
      if (failed.length === 0) wanted.push(row);
      else if (failed.length === 1) alone.add(failed[0]!);
    }
  }
  const names = ['status', ...tests.map(({ name }) => name)];
  return { wanted, names, useful: names.filter((name) => alone.has(name)) };
}

/** What to change where nothing passes: each filter without which something would, else all that was asked for. */
function toNothing(
  { other }: Direction,
  { useful, names }: { useful: readonly string[]; names: readonly string[] },
  input: MatchInput,
): Outcome {
  const asked = ['scope', ...names].filter((name) => input[name] !== undefined);
  const what = useful.length > 0 ? useful : asked;
  const toAdvice = (name: string) =>
    input[name] === undefined ? `send another ${name}` : `drop or change ${name}`;
  const advice =
    what.length > 0 ? ` To widen, ${what.map(toAdvice).join(useful.length > 0 ? ', or ' : ' and ')}.` : '';
  const usual = `status is ${other.statuses[0]} unless said`;
  const message = `No ${other.plural} to match (${usual}).${advice}`;
  return { status: 200, body: { type: 'EMPTY', message, total: 0, links: { list: other.path } } };
}

/** What a match tells of a record: the rest is behind its link. */
export function toSummary({ summary = [] }: Kind, record: PresentedRecord) {
  const told = ['id', 'ref', 'onetCode', 'status', 'example', ...summary];
  const members = Object.entries(record).filter(([name]) => told.includes(name));
  return { ...Object.fromEntries(members), links: { self: record.links.self } };
}

/** The matches that make a page: the first, and those after it within 256 KiB. */
function toEntries(direction: Direction, { matches, more }: Ranking<PresentedRecord>) {
  const { other } = direction;
  const entries = matches.map(({ match, record, position }) => ({
    position,
    entry: Json.of({ ...match, [other.name]: toSummary(other, record) }),
  }));
  let bytes = 0;
  const end = entries.findIndex(({ entry }, index) => {
    bytes += entry.bytes;
    return index > 0 && bytes > mostPageBytes;
  });
  const page = end < 0 ? entries : entries.slice(0, end);
  const last = page.at(-1);
  const isMore = more || page.length < entries.length;
  return { page: page.map(({ entry }) => entry.value), next: isMore && last ? last.position : undefined };
}

async function answer(direction: Direction, input: MatchInput, context: Context): Promise<Outcome> {
  const { kind, other, rank } = direction;
  const { service } = context;
  const { id, limit = usualLimit, cursor, minScore, meets } = input;
  const one = (await findRecord(kind, id, context))?.value;
  if (!one) return toNoRecord(kind, input.id, context);
  if (kind.kept.includes(one.status)) {
    const message = `This ${kind.noun} is ${one.status}, so nothing is matched with it; ask for another status of it first.`;
    return { status: 200, body: { type: 'EMPTY', message, total: 0, links: { self: one.links.self } } };
  }
  const { wanted, ...nothing } = await sift(other, input, context);
  if (wanted.length === 0) return toNothing(direction, nothing, input);
  const matcher = await service.matcher();
  // A position means something for one record alone.
  const collection = `${other.collection} for ${one.id}`;
  const after = cursor === undefined ? undefined : toPosition(collection, cursor);
  const issues = checkCursor(collection, cursor);
  if (issues.length > 0) throw new Refusal('invalid_request', { issues });
  const { pause } = service.platform;
  const ranking = await matcher[rank](one, wanted, {
    limit,
    after,
    minScore,
    onlyMeets: meets === 'true',
    pause,
  });
  if (ranking.matches.length === 0) {
    const message =
      ranking.total > 0
        ? `There is no match behind this cursor; all ${ranking.total} came before it. Leave cursor out to start again.`
        : meets === 'true'
          ? `No ${other.noun} meets all that the order must have. Drop meets to see who comes near.`
          : minScore === undefined
            ? `No ${other.noun} fits at all: every score is 0.`
            : `No ${other.noun} reaches minScore ${minScore}. Lower or drop minScore.`;
    const links = { self: one.links.self };
    return { status: 200, body: { type: 'EMPTY', message, total: ranking.total, links } };
  }
  const { page, next } = toEntries(direction, ranking);
  const nextCursor = next === undefined ? undefined : toCursor(collection, next);
  return {
    status: 200,
    body: Json.of({
      type: 'OK',
      matches: page,
      statement,
      total: ranking.total,
      ...(nextCursor && { nextCursor }),
    }),
  };
}

/** Ranks the records of one kind for one of another, best first. */
export function matchRecords(
  direction: Direction,
  input: MatchInput,
  context: Context,
): Outcome | Promise<Outcome> {
  checkScope(input, context);
  const make = () => answer(direction, input, context);
  return context.workspace ? cachedRead(context, input, make) : make();
}
