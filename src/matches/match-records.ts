import { candidate } from '../candidates/candidate.ts';
import type { CandidateHolds } from '../job-orders/gate.ts';
import { jobOrder } from '../job-orders/job-order.ts';
import { Json } from '../kernel/json.ts';
import type { OperationReply } from '../kernel/operation.ts';
import { checkCursor, cutPage, decodeCursor, type Page, type PageEntry } from '../kernel/page.ts';
import { Refusal } from '../kernel/refusal.ts';
import { toIsoDate } from '../kernel/text.ts';
import { readHeld } from '../placements/holding.ts';
import { cachedRead } from '../records/cached-read.ts';
import { replyNoRecord } from '../records/change.ts';
import { createTests, type RecordTest } from '../records/filters.ts';
import { openView, visitInView } from '../records/in-view.ts';
import type { Kind } from '../records/kind.ts';
import { type ListInput, warnOrRefuseScope } from '../records/list.ts';
import { findRecord } from '../records/read.ts';
import type { PresentedRecord, ViewedRecord } from '../records/record.ts';
import { type Match, statement } from './match.ts';
import type { MatchContext, Ranking } from './matcher.ts';

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
export function presentMatch(kind: Kind, match: Match, record: PresentedRecord) {
  const summary = summaryOf(kind);
  const members = Object.entries(record).filter(([name]) => summary.includes(name));
  return { ...match, [kind.name]: { ...Object.fromEntries(members), links: { self: record.links.self } } };
}

const createEmptyReply = (message: string, total: number, links: object): OperationReply => ({
  status: 200,
  body: { type: 'EMPTY', message, total, links },
});

const createMatchReply = (member: string, { entries, total, nextCursor }: Page<object>): OperationReply => ({
  status: 200,
  body: Json.of({
    type: 'OK',
    [member]: entries.map(({ row }) => row.value),
    statement,
    total,
    ...(nextCursor !== undefined && { nextCursor }),
  }),
});

/** The statuses of a record that is matched, unless a query asks for another. */
const matchedStatuses = (kind: Kind): readonly string[] =>
  kind === candidate ? ['available', 'placed'] : ['open'];

export const matchedWords = (kind: Kind): string => matchedStatuses(kind).join(' or ');

function listUsualTests(kind: Kind, { status }: ListInput): RecordTest[] {
  if (status !== undefined) return [];
  const statuses = matchedStatuses(kind);
  return [{ name: 'status', passes: (one) => statuses.includes(one.status()) }];
}

/** Returns a function that reads what holds a candidate, each of them once. */
function createHeldReader(context: MatchContext): (candidateId: string) => CandidateHolds {
  const view = openView(context);
  const today = toIsoDate(context.service.platform.now());
  const known = new Map<string, CandidateHolds>();
  return (candidateId) => {
    const held = known.get(candidateId) ?? readHeld(candidateId, view, today);
    known.set(candidateId, held);
    return held;
  };
}

/** Visits the records that pass a query. If none does, `alone` then has what each of some failed alone. */
function visitAll(
  kind: Kind,
  { query, alone, visit }: { query: ListInput; alone?: Set<string>; visit(one: ViewedRecord): void },
  context: MatchContext,
): Promise<void> {
  const { scope } = query;
  const tests = [...createTests(kind.filters, query), ...listUsualTests(kind, query)];
  return visitInView(kind, { tests, scope, alone, visit }, context);
}

/** Lets other clients have their turn. Call it after each pair that is explained. */
const pause = ({ service, call }: MatchContext) => service.platform.pause(call.client);

/** The rows of a ranking, best first. */
async function presentRanking(
  kind: Kind,
  { explain }: Ranking<ViewedRecord>,
  context: MatchContext,
): Promise<PageEntry<object>[]> {
  const rows: PageEntry<object>[] = [];
  for (const { match, other, position } of explain()) {
    rows.push({ row: Json.of(presentMatch(kind, match, other.row.value)), position });
    await pause(context);
  }
  return rows;
}

/** What to change where nothing passes: each filter without which something would, else all that was asked for. */
function replyNoRecords(other: Kind, alone: ReadonlySet<string>, input: MatchInput): OperationReply {
  const names = ['status', ...Object.keys(other.filters)];
  const useful = names.filter((name) => alone.has(name));
  const sentNames = ['scope', ...names].filter((name) => input[name] !== undefined);
  const what = (useful.length > 0 ? useful : sentNames).map((name) =>
    input[name] === undefined ? `send another ${name}` : `drop or change ${name}`,
  );
  const advice = what.length > 0 ? ` To widen, ${what.join(useful.length > 0 ? ', or ' : ' and ')}.` : '';
  const message = `No ${other.plural} to match (status is ${matchedWords(other)} unless said).${advice}`;
  return createEmptyReply(message, 0, { list: other.path });
}

/** Why no match is on a page: `total` have the score that was asked for. */
function explainNoMatch({ noun }: Kind, total: number, { meets, minScore }: MatchInput): string {
  if (total > 0)
    return `There is no match behind this cursor; all ${total} came before it. Leave cursor out to start again.`;
  if (meets) return `No ${noun} meets all that the order must have. Drop meets to see who comes near.`;
  if (minScore === undefined) return `No ${noun} fits at all: every score is 0.`;
  return `No ${noun} reaches minScore ${minScore}. Lower or drop minScore.`;
}

async function answer(kind: Kind, input: MatchInput, context: MatchContext): Promise<OperationReply> {
  const other = otherOf(kind);
  const { matcher } = context.service;
  const { id, limit = usualLimit, cursor, minScore, meets } = input;
  const one = findRecord(kind, id, context)?.value;
  if (!one) return replyNoRecord(kind, id, context);
  const links = { self: one.links.self };
  if (kind.lifecycle.stored.includes(one.status)) {
    const message = `This ${kind.noun} is ${one.status}, so nothing is matched with it; ask for another status of it first.`;
    return createEmptyReply(message, 0, links);
  }
  // A position means something for one record alone.
  const collection = `${other.collection} for ${one.id}`;
  const issues = checkCursor(collection, cursor);
  if (issues.length > 0) throw new Refusal('invalid_request', { issues });
  const { rankCandidates, rankOrders } = await matcher();
  const begin = kind === jobOrder ? rankCandidates : rankOrders;
  const ranking = begin<ViewedRecord>(one, {
    limit: limit + 1,
    after: cursor === undefined ? undefined : decodeCursor(collection, cursor),
    minScore,
    onlyMeets: meets === true,
    readHeld: createHeldReader(context),
  });
  const alone = new Set<string>();
  let isAny = false;
  const visit = (record: ViewedRecord) => {
    isAny = true;
    ranking.add(record);
  };
  await visitAll(other, { query: input, alone, visit }, context);
  if (!isAny) return replyNoRecords(other, alone, input);
  const rows = await presentRanking(other, ranking, context);
  const total = ranking.total();
  if (rows.length === 0) return createEmptyReply(explainNoMatch(other, total, input), total, links);
  return createMatchReply('matches', cutPage(collection, rows, { limit, total }));
}

/** How many records of a kind a read goes through in a workspace. */
const countOf = ({ workspace }: MatchContext, { name }: Kind, scope?: string) =>
  scope === 'public' ? 0 : workspace!.contents.count(name);

export function matchRecords(kind: Kind, input: MatchInput, context: MatchContext) {
  warnOrRefuseScope(input, context);
  const read = () => answer(kind, input, context);
  if (!context.workspace) return read();
  return cachedRead(context, input, countOf(context, otherOf(kind), input.scope), read);
}

/** The open orders of a workspace behind a cursor, as many as a page has and one more, and how many are open in all. */
async function readOrders(cursor: string | undefined, context: MatchContext) {
  const start = cursor === undefined ? Number.NEGATIVE_INFINITY : decodeCursor(ordersPage, cursor)!;
  const behind: ViewedRecord[] = [];
  let total = 0;
  const visit = (order: ViewedRecord) => {
    total += 1;
    if (order.position > start && behind.length <= mostOrders) behind.push(order);
  };
  await visitAll(jobOrder, { query: { scope: 'workspace' }, visit }, context);
  return { behind, total };
}

/** An order as its matches are told. */
function presentOrder({ row, position }: ViewedRecord, matches: PageEntry<object>[]): PageEntry<object> {
  const { id, ref, title } = row.value;
  const named = { id, ...(ref !== undefined && { ref }), title };
  return { row: Json.of({ jobOrder: named, matches: matches.map((one) => one.row.value) }), position };
}

async function answerWorkspace(input: ListInput, context: MatchContext): Promise<OperationReply> {
  const { limit = usualMatches, meets, scope, cursor } = input;
  const { behind, total } = await readOrders(cursor, context);
  if (behind.length === 0) {
    const message =
      total > 0
        ? `There is no order behind this cursor; all ${total} came before it. Leave cursor out to start again.`
        : 'No job order of this workspace is open. Create one, or open one again.';
    return createEmptyReply(message, total, { list: jobOrder.path });
  }
  const { rankCandidates } = await context.service.matcher();
  const readHeld = createHeldReader(context);
  const orders = behind.slice(0, mostOrders).map((order) => ({
    order,
    ranking: rankCandidates<ViewedRecord>(order.record, { limit, onlyMeets: meets === true, readHeld }),
  }));
  const visit = (person: ViewedRecord) => {
    for (const { ranking } of orders) ranking.add(person);
  };
  await visitAll(candidate, { query: { scope }, visit }, context);
  const rows: PageEntry<object>[] = [];
  for (const { order, ranking } of orders)
    rows.push(presentOrder(order, await presentRanking(candidate, ranking, context)));
  const page = cutPage(ordersPage, [...rows, ...behind.slice(mostOrders)], { limit: mostOrders, total });
  return createMatchReply('orders', page);
}

export function matchWorkspace(input: ListInput, context: MatchContext): Promise<OperationReply> {
  warnOrRefuseScope(input, context);
  const orders = countOf(context, jobOrder);
  const pairs = countOf(context, candidate, input.scope) * Math.min(orders, mostOrders);
  return cachedRead(context, input, Math.max(orders, pairs), () => answerWorkspace(input, context));
}
