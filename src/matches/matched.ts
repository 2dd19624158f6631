import { candidate } from '../candidates/candidate.ts';
import { jobOrder } from '../job-orders/job-order.ts';
import { Json } from '../kernel/json.ts';
import type { OperationReply } from '../kernel/operation.ts';
import { createPageBody, type Page, type PageEntry } from '../kernel/page.ts';
import type { Steps } from '../kernel/steps.ts';
import { toIsoDate } from '../kernel/text.ts';
import { readHeld } from '../placements/holding.ts';
import type { CandidateHolds } from '../placements/period.ts';
import { dayOf } from '../records/kind/day-of.ts';
import { createTests, type RecordTest } from '../records/kind/filters.ts';
import type { Kind } from '../records/kind/kind.ts';
import type { ViewedRecord } from '../records/kind/record.ts';
import type { ListInput } from '../records/list/list.ts';
import { openView, visitInView } from '../records/read/in-view.ts';
import type { Scope } from '../records/read/scope.ts';
import type { StoredRecord } from '../workspace/record.ts';
import { statement } from './match.ts';
import { createMatchPicker, createMatchPresenter, listPlacementsWith, presentHistory } from './match-row.ts';
import type { MatchContext } from './matcher.ts';
import type { Ranking } from './ranking.ts';

/** Returns the kind that records of this kind are matched with. */
export const otherOf = (kind: Kind) => (kind === jobOrder ? candidate : jobOrder);

export interface WorkspaceMatchInput extends ListInput {
  unstated?: 'unmet';
  minScore?: number;
}

export const createEmptyReply = (message: string, total: number, links: object): OperationReply => ({
  status: 200,
  body: { type: 'EMPTY', message, total, links },
});

export const createMatchReply = (member: string, page: Page<object>): OperationReply => ({
  status: 200,
  body: createPageBody(member, page, { statement }),
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
export function* presentRanking(
  ranking: Ranking<ViewedRecord>,
  { kind, id, fields }: Matched,
  context: MatchContext,
): Steps<PageEntry<object>[]> {
  const otherKind = otherOf(kind);
  const view = openView(context);
  const placements = listPlacementsWith(id, view);
  const today = toIsoDate(context.service.platform.now());
  const readDay = (placement: StoredRecord) => dayOf(placement, view, today);
  const present = createMatchPresenter(otherKind);
  const pick = createMatchPicker(otherKind, fields);
  const rows: PageEntry<object>[] = [];
  for (const { match, other, position } of ranking.explain()) {
    const history = presentHistory(placements, other.record.id, readDay);
    const row = present({ ...match, ...history }, { record: other.record, status: other.status() });
    rows.push({ row: Json.of(pick(row)), position });
    yield;
  }
  return rows;
}

/** Presents a record in a reply that is about several: by its id, its ref if it has one, and one more member. */
export function presentName({ row }: ViewedRecord, member: 'title' | 'name'): object {
  const { id, ref, [member]: text } = row.value;
  return { id, ...(ref !== undefined && { ref }), [member]: text };
}
