import { candidate } from '../candidates/candidate.ts';
import { jobOrder } from '../job-orders/job-order.ts';
import { Json } from '../kernel/json.ts';
import type { OperationReply } from '../kernel/operation.ts';
import { cutPageInSteps, decodeCursor, type PageEntry } from '../kernel/page.ts';
import { type Steps, wait } from '../kernel/steps.ts';
import type { ViewedRecord } from '../records/kind/record.ts';
import { cachedRead } from '../records/read/cached-read.ts';
import { readScope, type Scope } from '../records/read/scope.ts';
import {
  createEmptyReply,
  createHeldReader,
  createMatchReply,
  presentName,
  presentRanking,
  visitAll,
  type WorkspaceMatchInput,
} from './matched.ts';
import type { MatchContext } from './matcher.ts';
import { Profile } from './pairs.ts';

/** Matches of each order by default, and their least score, in the matches of a workspace. */
export const usualMatches = 3;
export const usualMinScore = 30;
/** The most orders on a page of the matches of a workspace. */
export const mostOrders = 20;
/** Names this page in its cursors, so that no list accepts them. */
export const ordersPage = 'workspace matches';

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
    const profile = new Profile(person.record);
    for (const { ranking } of orders) {
      ranking.add(person, profile);
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
