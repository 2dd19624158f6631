import { Json } from '../kernel/json.ts';
import type { Context, Outcome } from '../kernel/operation.ts';
import { checkCursor, mostPageBytes, toCursor, toPosition } from '../kernel/page.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Row } from '../records/fact.ts';
import type { Kind } from '../records/kind.ts';
import { checkScope, unlessKept } from '../records/list.ts';
import { toNoRecord } from '../records/on-record.ts';
import { findRow } from '../records/read.ts';
import { readRows } from '../records/sources.ts';
import type { Matchable } from './profile.ts';
import type { Ranking } from './rank.ts';
import { toStatement } from './weights.ts';

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

type Test = (row: Row) => boolean;

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

const passes = (row: Row, tests: Iterable<Test>) => [...tests].every((test) => test(row));

/** What to change where nothing passes: each filter without which something would, else all that was asked for. */
function toNothing(
  { other }: Direction,
  rows: readonly Row[],
  tests: Map<string, Test>,
  input: MatchInput,
): Outcome {
  const useful = [...tests.keys()].filter((name) => {
    const others = [...tests].filter(([one]) => one !== name).map(([, test]) => test);
    return rows.some((row) => passes(row, others));
  });
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
function toEntries(direction: Direction, { matches, more }: Ranking<Row & Matchable>) {
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
  const wanted = rows.filter((row) => passes(row, tests.values()));
  if (wanted.length === 0) return toNothing(direction, rows, tests, input);
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
    body: {
      type: 'OK',
      matches: page,
      weights: service.catalogue.matching.points,
      statement: toStatement(service.catalogue.matching),
      total: ranking.total,
      ...(nextCursor && { nextCursor }),
    },
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
  return context.workspace ? unlessKept(context, make) : make();
}
