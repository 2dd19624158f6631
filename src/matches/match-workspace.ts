import { Json } from '../kernel/json.ts';
import type { Context, Outcome } from '../kernel/operation.ts';
import { cutPage, type Positioned, toPosition } from '../kernel/page.ts';
import { cachedRead } from '../records/cached-read.ts';
import { candidate } from '../records/candidate.ts';
import { jobOrder } from '../records/job-order.ts';
import { checkScope } from '../records/list.ts';
import type { PresentedRecord } from '../records/record.ts';
import { createPacer, scan } from '../records/scan.ts';
import { statement } from './match.ts';
import { sift, toSummary } from './match-records.ts';

export interface WorkspaceMatchInput {
  limit?: number;
  cursor?: string;
  meets?: string;
  scope?: string;
}

/** The name of these pages where a cursor is told from those of lists. */
export const collection = 'workspace matches';
/** Orders on a page at most. */
export const mostOrders = 20;
/** Matches of an order, where a caller does not say. */
export const usualMatches = 3;

/** The open orders of a workspace behind a cursor, newest first, and how many there are in all. */
async function readOrders({ cursor }: WorkspaceMatchInput, context: Context) {
  const start = cursor === undefined ? undefined : toPosition(collection, cursor);
  const pace = createPacer(context.service.platform);
  const orders: { row: PresentedRecord; position: number }[] = [];
  let total = 0;
  for await (const batch of scan(jobOrder, { scope: 'workspace' }, context)) {
    for (const { position, present } of batch) {
      const paused = pace();
      if (paused) await paused;
      const row = present().value;
      if (row.status !== jobOrder.statuses[0]) continue;
      total += 1;
      const isBehind = start === undefined || position > start;
      if (isBehind && orders.length <= mostOrders) orders.push({ row, position });
    }
  }
  return { orders, total };
}

async function answer(input: WorkspaceMatchInput, context: Context): Promise<Outcome> {
  const { limit = usualMatches, meets, scope } = input;
  const { platform } = context.service;
  const { orders, total } = await readOrders(input, context);
  if (orders.length === 0) {
    const message =
      total > 0
        ? `There is no order behind this cursor; all ${total} came before it. Leave cursor out to start again.`
        : 'No job order of this workspace is open. Create one, or open one again.';
    return { status: 200, body: { type: 'EMPTY', message, total, links: { list: jobOrder.path } } };
  }
  const { wanted } = await sift(candidate, { scope }, context);
  const matcher = await context.service.matcher();
  const rows: Positioned<object>[] = [];
  for (const { row: order, position } of orders.slice(0, mostOrders)) {
    const options = { limit, onlyMeets: meets === 'true', pause: platform.pause };
    const { matches } = await matcher.rankCandidates(order, wanted, options);
    const told = matches.map(({ match, record }) => ({ ...match, candidate: toSummary(candidate, record) }));
    const { id, ref, title } = order;
    const named = { id, ...(ref !== undefined && { ref }), title };
    rows.push({ row: Json.of({ jobOrder: named, matches: told }), position });
  }
  const rest = orders.slice(mostOrders).map(({ position }) => ({ row: Json.of({}), position }));
  const page = cutPage(collection, [...rows, ...rest], { limit: mostOrders, total });
  const { entries, nextCursor } = page;
  return {
    status: 200,
    body: Json.of({
      type: 'OK',
      orders: entries.map(({ row }) => row.value),
      statement,
      total,
      ...(nextCursor !== undefined && { nextCursor }),
    }),
  };
}

/** For each open order of a workspace those who fit it best. */
export function matchWorkspace(input: WorkspaceMatchInput, context: Context): Promise<Outcome> {
  checkScope(input, context);
  return cachedRead(context, input, () => answer(input, context));
}
