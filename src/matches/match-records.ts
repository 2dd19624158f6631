import { candidate } from '../candidates/candidate.ts';
import { jobOrder } from '../job-orders/job-order.ts';
import { Json } from '../kernel/json.ts';
import { type OperationReply, runSteps } from '../kernel/operation.ts';
import { checkCursor, cutPageInSteps, decodeCursor, type Page, type PageEntry } from '../kernel/page.ts';
import { Refusal } from '../kernel/refusal.ts';
import { type Steps, wait } from '../kernel/steps.ts';
import { toIsoDate } from '../kernel/text.ts';
import { readHeld } from '../placements/holding.ts';
import type { CandidateHolds } from '../placements/period.ts';
import { cachedRead } from '../records/cached-read.ts';
import { replyNoRecord } from '../records/change.ts';
import { createTests, type RecordTest } from '../records/filters.ts';
import { openView, visitInView } from '../records/in-view.ts';
import type { Kind } from '../records/kind.ts';
import { type ListInput, warnOrRefuseStatus } from '../records/list.ts';
import { findRecord } from '../records/read.ts';
import type { ViewedRecord } from '../records/record.ts';
import { describeNoWorkspace, readScope, type Scope } from '../records/scope.ts';
import { statement } from './match.ts';
import { createMatchPicker, listPlacementsWith, presentHistory, presentMatch } from './match-row.ts';
import type { MatchContext } from './matcher.ts';
import type { Ranking } from './ranking.ts';

/** Returns the kind that records of this kind are matched with. */
export const otherOf = (kind: Kind) => (kind === jobOrder ? candidate : jobOrder);

export interface WorkspaceMatchInput extends ListInput {
  unstated?: 'unmet';
  minScore?: number;
}

export interface MatchInput extends WorkspaceMatchInput {
  id: string;
}

/** Matches on a page by default. */
export const usualLimit = 10;
/** Matches of each order by default, and their least score, in the matches of a workspace. */
export const usualMatches = 3;
export const usualMinScore = 30;
/** The most orders on a page of the matches of a workspace. */
export const mostOrders = 20;
/** Names this page in its cursors, so that no list accepts them. */
export const ordersPage = 'workspace matches';

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

/** The statuses that are matched unless a query names one. */
const matchedStatuses = (kind: Kind): readonly string[] =>
  kind === candidate ? ['available', 'placed'] : ['open'];

export const matchedWords = (kind: Kind): string => matchedStatuses(kind).join(' or ');

function listUsualTests(kind: Kind, { status }: ListInput): RecordTest[] {
  if (status !== undefined) return [];
  const statuses = matchedStatuses(kind);
  return [{ name: 'status', passes: (record) => statuses.includes(record.status()) }];
}

/** Returns a function that reads what holds a candidate, and remembers it. */
export function createHeldReader(context: MatchContext): (candidateId: string) => CandidateHolds {
  const view = openView(context);
  const today = toIsoDate(context.service.platform.now());
  const heldById = new Map<string, CandidateHolds>();
  return (candidateId) => {
    const held = heldById.get(candidateId) ?? readHeld(candidateId, view, today);
    heldById.set(candidateId, held);
    return held;
  };
}

interface VisitAll {
  query?: ListInput;
  scope: Scope;
  alone?: Set<string>;
  visit(record: ViewedRecord): void;
}

/**
 * Visits the records in a scope that pass a query.
 * If none passes, adds to `alone` each test that alone excluded a record.
 */
export function visitAll(
  kind: Kind,
  { query = {}, scope, alone, visit }: VisitAll,
  context: MatchContext,
): Steps<void> {
  const tests = [...createTests(kind.filters, query, openView(context)), ...listUsualTests(kind, query)];
  return visitInView(kind, { tests, scope, alone, visit }, context);
}

/** The record that others are matched with, and the members to show of a match. */
interface Matched {
  kind: Kind;
  id: string;
  fields: string | undefined;
}

/** Explains a ranking, best match first. Each step explains one match. */
function* presentRanking(
  ranking: Ranking<ViewedRecord>,
  { kind, id, fields }: Matched,
  context: MatchContext,
): Steps<PageEntry<object>[]> {
  const otherKind = otherOf(kind);
  const placements = listPlacementsWith(id, openView(context));
  const today = toIsoDate(context.service.platform.now());
  const pick = createMatchPicker(otherKind, fields);
  const rows: PageEntry<object>[] = [];
  for (const { match, other, position } of ranking.explain()) {
    const history = presentHistory(placements, other.record.id, today);
    const row = presentMatch(otherKind, { ...match, ...history }, other.row.value);
    rows.push({ row: Json.of(pick(row)), position });
    yield;
  }
  return rows;
}

/**
 * Says what to change if no record passes: each filter without which one would or, if there is none, all filters that were
 * sent.
 */
function replyNoRecords(
  other: Kind,
  { alone, scope }: { alone: ReadonlySet<string>; scope: Scope },
  input: MatchInput,
): OperationReply {
  const names = ['status', ...Object.keys(other.filters)];
  const useful = names.filter((name) => alone.has(name));
  const sentNames = ['scope', ...names].filter((name) => input[name] !== undefined);
  const changes = (useful.length > 0 ? useful : sentNames).map((name) =>
    input[name] === undefined ? `send another ${name}` : `drop or change ${name}`,
  );
  const advice =
    changes.length > 0 ? ` To widen, ${changes.join(useful.length > 0 ? ', or ' : ' and ')}.` : '';
  const ofWorkspace = scope === 'workspace';
  const where = ofWorkspace ? ' of your workspace' : '';
  const wider = ofWorkspace ? ' scope=all matches the public seed too.' : '';
  const message = `No ${other.plural}${where} to match (status is ${matchedWords(other)} unless said).${advice}${wider}`;
  return createEmptyReply(message, 0, { list: other.path });
}

/** Says why a page has no match. `total` is how many matches the query has. */
function explainNoMatch({ noun }: Kind, total: number, { meets, minScore }: MatchInput): string {
  if (total > 0)
    return `There is no match behind this cursor; all ${total} came before it. Leave cursor out to start again.`;
  if (meets) return `Every ${noun} has an unmet gate, or nothing to compare. Leave meets out to see them.`;
  if (minScore === undefined) return `No ${noun} fits at all: every score is 0.`;
  return `No ${noun} reaches minScore ${minScore}. Lower or drop minScore.`;
}

function* answer(kind: Kind, input: MatchInput, scope: Scope, context: MatchContext): Steps<OperationReply> {
  const other = otherOf(kind);
  const { matcher } = context.service;
  const { id, limit = usualLimit, cursor, minScore, meets, unstated, fields } = input;
  const record = findRecord(kind, id, context)?.value;
  if (!record) return replyNoRecord(kind, id, context);
  const links = { self: record.links.self };
  if (kind.lifecycle.stored.includes(record.status)) {
    const message = `This ${kind.noun} is ${record.status}, so nothing is matched with it; ask for another status of it first.`;
    return createEmptyReply(message, 0, links);
  }
  // A position is one in the ranking of this record, so the cursor names the record.
  const collection = `${other.collection} for ${record.id}`;
  const issues = checkCursor(collection, cursor);
  if (issues.length > 0) throw new Refusal('invalid_request', { issues });
  const { rankCandidates, rankOrders } = yield* wait(matcher());
  const startRanking = kind === jobOrder ? rankCandidates : rankOrders;
  const ranking = startRanking<ViewedRecord>(record, {
    limit: limit + 1,
    after: cursor === undefined ? undefined : decodeCursor(collection, cursor),
    minScore,
    onlyMeets: meets === true,
    isUnstatedUnmet: unstated === 'unmet',
    readHeld: createHeldReader(context),
  });
  const alone = new Set<string>();
  let hasRecords = false;
  const visit = (viewed: ViewedRecord) => {
    hasRecords = true;
    ranking.add(viewed);
  };
  yield* visitAll(other, { query: input, scope, alone, visit }, context);
  if (!hasRecords) return replyNoRecords(other, { alone, scope }, input);
  const rows = yield* presentRanking(ranking, { kind, id: record.id, fields }, context);
  const total = ranking.total();
  if (rows.length === 0) return createEmptyReply(explainNoMatch(other, total, input), total, links);
  return createMatchReply('matches', yield* cutPageInSteps(collection, rows, { limit, total }));
}

export function matchRecords(kind: Kind, input: MatchInput, context: MatchContext) {
  const scope = readScope(input, context);
  warnOrRefuseStatus(otherOf(kind), input, context);
  const { plural, path } = otherOf(kind);
  if (!context.workspace && scope === 'workspace')
    return createEmptyReply(describeNoWorkspace(plural), 0, { list: path });
  const read = () => answer(kind, input, scope, context);
  return context.workspace ? cachedRead(context, input, read) : runSteps(context, read());
}

/** Returns the open orders after a cursor, at most one more than a page holds, and how many are open in all. */
function* readOrders(cursor: string | undefined, context: MatchContext) {
  const start = cursor === undefined ? Number.NEGATIVE_INFINITY : decodeCursor(ordersPage, cursor)!;
  const following: ViewedRecord[] = [];
  let total = 0;
  const visit = (order: ViewedRecord) => {
    total += 1;
    if (order.position > start && following.length <= mostOrders) following.push(order);
  };
  yield* visitAll(jobOrder, { scope: 'workspace', visit }, context);
  return { following, total };
}

/** Presents a record in a reply that is about several: by its id, its ref if it has one, and one more member. */
export function presentName({ row }: ViewedRecord, member: 'title' | 'name'): object {
  const { id, ref, [member]: text } = row.value;
  return { id, ...(ref !== undefined && { ref }), [member]: text };
}

function presentOrder(order: ViewedRecord, matches: PageEntry<object>[]): PageEntry<object> {
  const row = { jobOrder: presentName(order, 'title'), matches: matches.map((match) => match.row.value) };
  return { row: Json.of(row), position: order.position };
}

function* answerWorkspace(
  input: WorkspaceMatchInput,
  scope: Scope,
  context: MatchContext,
): Steps<OperationReply> {
  const { limit = usualMatches, minScore = usualMinScore, meets, unstated, cursor, fields } = input;
  const { following, total } = yield* readOrders(cursor, context);
  if (following.length === 0) {
    const message =
      total > 0
        ? `There is no order behind this cursor; all ${total} came before it. Leave cursor out to start again.`
        : 'No job order of this workspace is open. Create one, or open one again.';
    return createEmptyReply(message, total, { list: jobOrder.path });
  }
  const { rankCandidates } = yield* wait(context.service.matcher());
  const readHeld = createHeldReader(context);
  const isUnstatedUnmet = unstated === 'unmet';
  const options = { limit, minScore, onlyMeets: meets === true, isUnstatedUnmet, readHeld };
  const orders = following.slice(0, mostOrders).map((order) => ({
    order,
    ranking: rankCandidates<ViewedRecord>(order.record, options),
  }));
  const people: ViewedRecord[] = [];
  yield* visitAll(candidate, { scope, visit: (person) => people.push(person) }, context);
  for (const person of people) {
    for (const { ranking } of orders) {
      ranking.add(person);
      yield;
    }
  }
  const rows: PageEntry<object>[] = [];
  for (const { order, ranking } of orders) {
    const matched = { kind: jobOrder, id: order.record.id, fields };
    rows.push(presentOrder(order, yield* presentRanking(ranking, matched, context)));
  }
  const all = [...rows, ...following.slice(mostOrders)];
  const page = yield* cutPageInSteps(ordersPage, all, { limit: mostOrders, total });
  return createMatchReply('orders', page);
}

export function matchWorkspace(input: WorkspaceMatchInput, context: MatchContext): Promise<OperationReply> {
  const scope = readScope(input, context);
  return cachedRead(context, input, () => answerWorkspace(input, scope, context));
}
