import { candidate } from '../candidates/candidate.ts';
import { type GateOptions, meets } from '../job-orders/gate/gate.ts';
import { readNeed } from '../job-orders/gate/need.ts';
import { readOffer } from '../job-orders/gate/offer.ts';
import { jobOrder } from '../job-orders/job-order.ts';
import { Json } from '../kernel/json.ts';
import type { OperationReply } from '../kernel/operation.ts';
import { type Steps, wait } from '../kernel/steps.ts';
import { toIsoDate } from '../kernel/text.ts';
import { listExcludedCandidates } from '../placements/holding.ts';
import type { CandidateHolds } from '../placements/period.ts';
import type { ViewedRecord } from '../records/kind/record.ts';
import { cachedRead } from '../records/read/cached-read.ts';
import { openView } from '../records/read/in-view.ts';
import { usualMinScore } from './match-workspace.ts';
import { createHeldReader, presentName, visitAll } from './matched.ts';
import type { MatchContext, Matcher } from './matcher.ts';
import { Profile } from './pairs.ts';
import { createProposer } from './plan-placement.ts';
import { assignInRounds } from './plan-rounds.ts';
import { mostOpenings, PlanSize } from './plan-size.ts';

export interface PlanInput {
  minScore?: number;
  unstated?: 'unmet';
}

/** The most quarters of a point in a score. */
const mostQuarters = 400;
/** Orders compared at once, so that the cache of phrases holds those of all of them. See the guide to speed. */
const ordersAtOnce = 20;

/** Why an opening stays empty, by how near the best candidate came. */
export const emptyReasons = [
  'The workspace has no candidate who can be planned.',
  'No candidate reaches the score.',
  'No candidate who reaches the score meets the gates.',
  'Each candidate who fits was declined for this order, left it, or is placed in it.',
  'Each candidate who fits is planned already.',
] as const;
/** The places of `emptyReasons`. The candidate of a later one came nearer. */
const [noCandidate, lowScore, unmetGate, excluded, alreadyPlanned] = [0, 1, 2, 3, 4] as const;

const planStatement =
  'A plan fills the most openings, then has the fewest credentials that end during the work, then the highest total score. Then it gives what is left to people who have days and hours left. A pair that the client or the candidate declined, or whose placement ended early, is left out unless it is proposed again. ' +
  'It proposes nothing: send the `placement` of each row that a person approves to POST /batch, together as `placements`. See /guides/matching.html.';

interface OrderToPlan {
  order: ViewedRecord;
  openings: number;
  /** The ids of the candidates who cannot be planned for it. */
  excludedIds: ReadonlySet<string>;
  /** The place of the reason why an opening of it stays empty, as far as its candidates were compared. */
  nearest: number;
}

interface Planning {
  orders: OrderToPlan[];
  people: ViewedRecord[];
  leastQuarters: number;
  isStrict: boolean;
  readHeld(candidateId: string): CandidateHolds;
}

function* listAll(kind: typeof candidate | typeof jobOrder, context: MatchContext): Steps<ViewedRecord[]> {
  const records: ViewedRecord[] = [];
  const visit = (record: ViewedRecord) => records.push(record);
  yield* visitAll(kind, { scope: 'workspace', visit }, context);
  return records;
}

/** Takes orders, newest first, until the next one would be more than one plan has. */
function* takeOrders(
  open: readonly ViewedRecord[],
  people: readonly ViewedRecord[],
  context: MatchContext,
): Steps<OrderToPlan[]> {
  const view = openView(context);
  const today = toIsoDate(context.service.platform.now());
  const size = new PlanSize();
  for (const person of people) {
    size.addPerson(person.record);
    yield;
  }
  const taken: OrderToPlan[] = [];
  for (const order of open) {
    const openings = order.row.value.openingsLeft as number;
    if (!size.addOrder(openings, order.record)) break;
    const excludedIds = listExcludedCandidates(order.record.id, view, today);
    yield;
    taken.push({ order, openings, excludedIds, nearest: people.length > 0 ? lowScore : noCandidate });
  }
  return taken;
}

/** The pairs of a plan, order by order. */
interface RatedPairs {
  /** The score of each in quarters of a point, and 0 for a pair that must not be planned. */
  scores: Uint16Array;
  /** How many credentials of each end during the work. Of all pairs, at most this many do. */
  ending: Uint8Array;
  mostEnding: number;
}

/** Rates the pairs. Notes in `nearest` of each order how near the best person came. */
function* ratePairs({ compareWith }: Matcher, planning: Planning): Steps<RatedPairs> {
  const { orders, people, leastQuarters, isStrict, readHeld } = planning;
  const scores = new Uint16Array(orders.length * people.length);
  const ending = new Uint8Array(scores.length);
  let mostEnding = 0;
  const note = (order: OrderToPlan, reason: number) => {
    order.nearest = Math.max(order.nearest, reason);
  };
  for (let first = 0; first < orders.length; first += ordersAtOnce) {
    const block = orders
      .slice(first, first + ordersAtOnce)
      .map((order) => ({ order, comparer: compareWith(order.order.record) }));
    for (const [at, { record }] of people.entries()) {
      const profile = new Profile(record);
      const options: GateOptions = { held: readHeld(record.id), isUnstatedUnmet: isStrict };
      for (const [place, { order, comparer }] of block.entries()) {
        yield;
        const quarters = comparer.rate(profile);
        if (quarters < leastQuarters) continue;
        note(order, unmetGate);
        // An order without gates has nothing that a person fails.
        if (comparer.meets(profile, options) === false) continue;
        const isExcluded = order.excludedIds.has(record.id);
        note(order, isExcluded ? excluded : alreadyPlanned);
        if (isExcluded) continue;
        const pair = (first + place) * people.length + at;
        scores[pair] = quarters;
        const count = comparer.countEnding(profile, options);
        ending[pair] = count;
        mostEnding = Math.max(mostEnding, count);
      }
    }
  }
  return { scores, ending, mostEnding };
}

/**
 * Returns what each pair is worth to a plan, and 0 for a pair that must not be planned: one credential less that ends
 * during the work is worth more than all scores together.
 */
function weighPairs({ scores, ending, mostEnding }: RatedPairs): Uint16Array | Uint32Array {
  if (mostEnding === 0) return scores;
  const unit = mostQuarters * mostOpenings + 1;
  const weights = new Uint32Array(scores.length);
  for (let pair = 0; pair < scores.length; pair += 1) {
    const score = scores[pair]!;
    if (score > 0) weights[pair] = score + (mostEnding - ending[pair]!) * unit;
  }
  return weights;
}

/** Presents the plan: the orders newest first, and the people of each by score. */
function* presentPlan(
  { compareWith }: Matcher,
  { orders, people, isStrict, readHeld }: Planning,
  { scores, planned }: { scores: Uint16Array; planned: readonly (readonly number[])[] },
  context: MatchContext,
) {
  const view = openView(context);
  const today = toIsoDate(context.service.platform.now());
  const rows: object[] = [];
  const unfilled: object[] = [];
  for (const [at, { order, openings, nearest }] of orders.entries()) {
    const orderName = presentName(order, 'title');
    const scoreOf = (place: number) => scores[at * people.length + place]!;
    const places = planned[at]!.toSorted((a, b) => scoreOf(b) - scoreOf(a));
    const comparer = places.length > 0 ? compareWith(order.record) : undefined;
    const propose = createProposer(order, view, today);
    for (const place of places) {
      const person = people[place]!;
      const options = { held: readHeld(person.record.id), isUnstatedUnmet: isStrict };
      const explained = comparer!.explain(new Profile(person.record), options);
      const personName = presentName(person, 'name');
      const proposal = propose(person.record.id);
      rows.push({
        jobOrder: orderName,
        candidate: personName,
        score: scoreOf(place) / 4,
        ...explained,
        ...proposal,
      });
      yield;
    }
    const empty = openings - places.length;
    if (empty > 0) unfilled.push({ jobOrder: orderName, openings: empty, reason: emptyReasons[nearest]! });
  }
  return { plan: rows, unfilled };
}

function* answerPlan(
  { minScore = usualMinScore, unstated }: PlanInput,
  context: MatchContext,
): Steps<OperationReply> {
  const open = yield* listAll(jobOrder, context);
  if (open.length === 0) {
    const message = 'No job order of this workspace is open. Create one, or open one again.';
    return { status: 200, body: { type: 'EMPTY', message, total: 0, links: { list: jobOrder.path } } };
  }
  const people = yield* listAll(candidate, context);
  const planning: Planning = {
    orders: yield* takeOrders(open, people, context),
    people,
    // A score of 0 is no fit.
    leastQuarters: Math.max(1, Math.ceil(minScore * 4)),
    isStrict: unstated === 'unmet',
    readHeld: createHeldReader(context),
  };
  const matcher = yield* wait(context.service.matcher());
  const rated = yield* ratePairs(matcher, planning);
  const planned = yield* assignInRounds({
    ...planning,
    scores: weighPairs(rated),
    today: toIsoDate(context.service.platform.now()),
    canWork: (order, { record }, held) =>
      meets(readNeed(order.record), readOffer(record), { held }) !== false,
  });
  const plan = yield* presentPlan(matcher, planning, { scores: rated.scores, planned }, context);
  const more = open.length - planning.orders.length;
  const body = { type: 'OK', ...plan, ...(more > 0 && { more }), statement: planStatement };
  return { status: 200, body: Json.of(body) };
}

/** Plans who fills the open orders of a workspace. It writes nothing. */
export function planWorkspace(input: PlanInput, context: MatchContext): Promise<OperationReply> {
  return cachedRead(context, input, () => answerPlan(input, context));
}
