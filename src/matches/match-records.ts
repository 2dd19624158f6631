import { Json } from '../kernel/json.ts';
import type { Context, Outcome } from '../kernel/operation.ts';
import { checkCursor, mostPageBytes, toCursor, toPosition } from '../kernel/page.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Platform } from '../kernel/service.ts';
import { cachedRead } from '../records/cached-read.ts';
import { toNoRecord } from '../records/change-one.ts';
import type { Kind } from '../records/kind.ts';
import { checkScope, mostMs } from '../records/list.ts';
import { findRow } from '../records/read.ts';
import type { PresentedRecord } from '../records/record.ts';
import { readRows } from '../records/sources.ts';
import { toStatement } from './match.ts';
import type { Matchable } from './profile.ts';
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
  metro?: string;
  skill?: string;
  limit?: number;
  cursor?: string;
}

/** Matches on a page where a caller does not say. */
export const usualLimit = 10;

type Test = (row: PresentedRecord) => boolean;

/** What the ranked must pass, by the name of the filter that says so. */
function toTests({ other }: Direction, input: MatchInput): Map<string, Test> {
  const { status = other.statuses[0]! } = input;
  const tests = new Map<string, Test>([['status', (row) => row.status === status]]);
  for (const [name, { toTest }] of Object.entries(other.filters)) {
    const value = input[name as 'metro' | 'skill'];
    if (value !== undefined) tests.set(name, toTest(value) as unknown as Test);
  }
  return tests;
}

/**
 * The rows that pass every test; where there is none, the names of tests without which there would be one. Goes
 * through them a slice at a time: a test may read fifty skills of each.
 */
async function sift(
  rows: readonly PresentedRecord[],
  tests: ReadonlyMap<string, Test>,
  { now, pause }: Platform,
) {
  const wanted: PresentedRecord[] = [];
  const alone = new Set<string>();
  let since = now();
  for (const row of rows) {
    if (now() - since >= mostMs) {
      await pause();
      since = now();
    }
    const failed: string[] = [];
    for (const [name, test] of tests) {
      if (!test(row)) failed.push(name);
      if (failed.length > (wanted.length > 0 ? 0 : 1)) break;
    }
    if (failed.length === 0) wanted.push(row);
    else if (failed.length === 1) alone.add(failed[0]!);
  }
  return { wanted, useful: [...tests.keys()].filter((name) => alone.has(name)) };
}

/** What to change where nothing passes: each filter without which something would, else all that was asked for. */
function toNothing(
  { other }: Direction,
  useful: readonly string[],
  tests: Map<string, Test>,
  input: MatchInput,
): Outcome {
  const asked = ['scope', ...tests.keys()].filter((name) => input[name as keyof MatchInput] !== undefined);
  const what = useful.length > 0 ? useful : asked;
  const toAdvice = (name: string) =>
    input[name as keyof MatchInput] === undefined ? `send another ${name}` : `drop or change ${name}`;
  const advice =
    what.length > 0 ? ` To widen, ${what.map(toAdvice).join(useful.length > 0 ? ', or ' : ' and ')}.` : '';
  const usual = `status is ${other.statuses[0]} unless said`;
  const message = `No ${other.plural} to match (${usual}).${advice}`;
  return { status: 200, body: { type: 'EMPTY', message, total: 0, links: { list: other.path } } };
}

/** The matches that make a page: the first, and those after it within 256 KiB. */
function toEntries(direction: Direction, { matches, more }: Ranking<PresentedRecord & Matchable>) {
  const entries = matches.map(({ match, record, position }) => ({
    position,
    entry: Json.of({ ...match, [direction.other.name]: record }),
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
  const { id, limit = usualLimit, cursor, minScore, ...filters } = input;
  const one = await findRow(kind, id, context);
  if (!one) return toNoRecord(kind);
  if (kind.kept.includes(one.status)) {
    const message = `This ${kind.noun} is ${one.status}, so nothing is matched with it; ask for another status of it first.`;
    return { status: 200, body: { type: 'EMPTY', message, total: 0, links: { self: one.links.self } } };
  }
  const rows = await readRows(other, filters.scope, context);
  const tests = toTests(direction, input);
  const { wanted, useful } = await sift(rows, tests, service.platform);
  if (wanted.length === 0) return toNothing(direction, useful, tests, input);
  const matcher = await service.matcher();
  // A position means something for one record alone.
  const collection = `${other.collection} for ${one.id}`;
  const after = cursor === undefined ? undefined : toPosition(collection, cursor);
  const issues = checkCursor(collection, cursor);
  if (issues.length > 0) throw new Refusal('invalid_request', { issues });
  const { pause } = service.platform;
  const ranking = await matcher[rank](one, wanted, { limit, after, minScore, pause });
  if (ranking.matches.length === 0) {
    const message =
      ranking.total > 0
        ? `There is no match behind this cursor; all ${ranking.total} came before it. Leave cursor out to start again.`
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
      weights: service.catalogue.matching.points,
      statement: toStatement(service.catalogue.matching),
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
