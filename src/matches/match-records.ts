import { Json } from '../kernel/json.ts';
import type { Context, Outcome } from '../kernel/operation.ts';
import { checkCursor, cutPage, type Page, type Positioned, toPosition } from '../kernel/page.ts';
import { Refusal } from '../kernel/refusal.ts';
import { cachedRead } from '../records/cached-read.ts';
import { candidate } from '../records/candidate.ts';
import { toNoRecord } from '../records/change.ts';
import { toTests } from '../records/filters.ts';
import { jobOrder } from '../records/job-order.ts';
import type { Kind } from '../records/kind.ts';
import { checkScope, type ListInput } from '../records/list.ts';
import { findRecord } from '../records/read.ts';
import type { PresentedRecord, ViewedRecord } from '../records/record.ts';
import { sift } from '../records/scan.ts';
import { type Match, statement } from './match.ts';

/** What a record of a kind is matched with. */
export const otherOf = (kind: Kind) => (kind === jobOrder ? candidate : jobOrder);

export interface MatchInput extends ListInput {
  id: string;
  minScore?: number;
}

/** Matches on a page where a caller does not say; of an order, in those of a workspace. */
export const usualLimit = 10;
export const usualMatches = 3;
/** Orders on a page of the matches of a workspace, and what tells its cursors from those of lists. */
export const mostOrders = 20;
export const ordersPage = 'workspace matches';

/** What a match tells of a record: the rest is behind its link. */
const summarized = ['id', 'ref', 'onetCode', 'status', 'example'];
export const summaryOf = ({ summary = [] }: Kind) => [...summarized, ...summary];

/** A match as it is answered: with the record of a kind that it is of, in short. */
export function toMatchRow(kind: Kind, match: Match, record: PresentedRecord) {
  const told = summaryOf(kind);
  const members = Object.entries(record).filter(([name]) => told.includes(name));
  return { ...match, [kind.name]: { ...Object.fromEntries(members), links: { self: record.links.self } } };
}

const toEmpty = (message: string, total: number, links: object): Outcome => ({
  status: 200,
  body: { type: 'EMPTY', message, total, links },
});

const toReply = (member: string, { entries, total, nextCursor }: Page<object>): Outcome => ({
  status: 200,
  body: Json.of({
    type: 'OK',
    [member]: entries.map(({ row }) => row.value),
    statement,
    total,
    ...(nextCursor !== undefined && { nextCursor }),
  }),
});

/** The records that pass a query; where none does, in `alone` what each of some failed alone. */
async function readAll(kind: Kind, input: ListInput, context: Context, alone?: Set<string>) {
  const { status = kind.statuses[0]!, scope } = input;
  const read: ViewedRecord[] = [];
  const tests = toTests(kind.filters, { ...input, status });
  for await (const kept of sift(kind, tests, { scope }, context, alone)) read.push(...kept);
  return read;
}

/** What to change where nothing passes: each filter without which something would, else all that was asked for. */
function toNothing(other: Kind, alone: ReadonlySet<string>, input: MatchInput): Outcome {
  const names = ['status', ...Object.keys(other.filters)];
  const useful = names.filter((name) => alone.has(name));
  const asked = ['scope', ...names].filter((name) => input[name] !== undefined);
  const what = (useful.length > 0 ? useful : asked).map((name) =>
    input[name] === undefined ? `send another ${name}` : `drop or change ${name}`,
  );
  const advice = what.length > 0 ? ` To widen, ${what.join(useful.length > 0 ? ', or ' : ' and ')}.` : '';
  const message = `No ${other.plural} to match (status is ${other.statuses[0]} unless said).${advice}`;
  return toEmpty(message, 0, { list: other.path });
}

/** Why no match is on a page: `total` have the score that was asked for. */
function toNoMatch({ noun }: Kind, total: number, { meets, minScore }: MatchInput): string {
  if (total > 0)
    return `There is no match behind this cursor; all ${total} came before it. Leave cursor out to start again.`;
  if (meets === 'true')
    return `No ${noun} meets all that the order must have. Drop meets to see who comes near.`;
  if (minScore === undefined) return `No ${noun} fits at all: every score is 0.`;
  return `No ${noun} reaches minScore ${minScore}. Lower or drop minScore.`;
}

async function answer(kind: Kind, input: MatchInput, context: Context): Promise<Outcome> {
  const other = otherOf(kind);
  const { matcher, platform } = context.service;
  const { id, limit = usualLimit, cursor, minScore, meets } = input;
  const one = (await findRecord(kind, id, context))?.value;
  if (!one) return toNoRecord(kind, id, context);
  const links = { self: one.links.self };
  if (kind.kept.includes(one.status)) {
    const message = `This ${kind.noun} is ${one.status}, so nothing is matched with it; ask for another status of it first.`;
    return toEmpty(message, 0, links);
  }
  const alone = new Set<string>();
  const read = await readAll(other, input, context, alone);
  if (read.length === 0) return toNothing(other, alone, input);
  // A position means something for one record alone.
  const collection = `${other.collection} for ${one.id}`;
  const issues = checkCursor(collection, cursor);
  if (issues.length > 0) throw new Refusal('invalid_request', { issues });
  const { rankCandidates, rankOrders } = await matcher();
  const { matches, total } = await (kind === jobOrder ? rankCandidates : rankOrders)(one, read, {
    limit: limit + 1,
    after: cursor === undefined ? undefined : toPosition(collection, cursor),
    minScore,
    onlyMeets: meets === 'true',
    pause: platform.pause,
  });
  if (matches.length === 0) return toEmpty(toNoMatch(other, total, input), total, links);
  const rows = matches.map(({ match, other: { row }, position }) => ({
    row: Json.of(toMatchRow(other, match, row.value)),
    position,
  }));
  return toReply('matches', cutPage<object>(collection, rows, { limit, total }));
}

export function matchRecords(kind: Kind, input: MatchInput, context: Context) {
  checkScope(input, context);
  const make = () => answer(kind, input, context);
  return context.workspace ? cachedRead(context, input, make) : make();
}

async function answerWorkspace(input: ListInput, context: Context): Promise<Outcome> {
  const { limit = usualMatches, meets, scope, cursor } = input;
  const { matcher, platform } = context.service;
  const orders = await readAll(jobOrder, { scope: 'workspace' }, context);
  const start = cursor === undefined ? Number.NEGATIVE_INFINITY : toPosition(ordersPage, cursor)!;
  const behind = orders.filter(({ position }) => position > start);
  if (behind.length === 0) {
    const message =
      orders.length > 0
        ? `There is no order behind this cursor; all ${orders.length} came before it. Leave cursor out to start again.`
        : 'No job order of this workspace is open. Create one, or open one again.';
    return toEmpty(message, orders.length, { list: jobOrder.path });
  }
  const people = await readAll(candidate, { scope }, context);
  const { rankCandidates } = await matcher();
  const rows: Positioned<object>[] = [];
  for (const { record, row, position } of behind.slice(0, mostOrders)) {
    const options = { limit, onlyMeets: meets === 'true', pause: platform.pause };
    const { matches } = await rankCandidates(record, people, options);
    const told = matches.map(({ match, other }) => toMatchRow(candidate, match, other.row.value));
    const { id, ref, title } = row.value;
    const named = { id, ...(ref !== undefined && { ref }), title };
    rows.push({ row: Json.of({ jobOrder: named, matches: told }), position });
  }
  const page = cutPage(ordersPage, [...rows, ...behind.slice(mostOrders)], {
    limit: mostOrders,
    total: orders.length,
  });
  return toReply('orders', page);
}

export function matchWorkspace(input: ListInput, context: Context): Promise<Outcome> {
  checkScope(input, context);
  return cachedRead(context, input, () => answerWorkspace(input, context));
}
