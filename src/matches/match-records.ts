import { jobOrder } from '../job-orders/job-order.ts';
import { type OperationReply, runSteps } from '../kernel/operation.ts';
import { checkCursor, cutPageInSteps, decodeCursor } from '../kernel/page.ts';
import { Refusal } from '../kernel/refusal.ts';
import { type Steps, wait } from '../kernel/steps.ts';
import type { Kind } from '../records/kind/kind.ts';
import type { ViewedRecord } from '../records/kind/record.ts';
import { warnOrRefuseStatus } from '../records/list/list.ts';
import { cachedRead } from '../records/read/cached-read.ts';
import { findRecord } from '../records/read/read.ts';
import { describeNoWorkspace, readScope, type Scope } from '../records/read/scope.ts';
import { replyNoRecord } from '../records/write/change.ts';
import {
  createEmptyReply,
  createHeldReader,
  createMatchReply,
  matchedWords,
  otherOf,
  presentRanking,
  visitAll,
  type WorkspaceMatchInput,
} from './matched.ts';
import type { MatchContext } from './matcher.ts';

export interface MatchInput extends WorkspaceMatchInput {
  id: string;
}

/** Matches on a page by default. */
export const usualLimit = 10;

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
