import type { ObjectEntries } from 'valibot';
import { candidate } from '../candidates/candidate.ts';
import { jobOrder, readIssuedShortlist } from '../job-orders/job-order.ts';
import { explainClosed } from '../job-orders/openings.ts';
import { createEntityTag } from '../kernel/entity-tag.ts';
import type { OperationReply } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { dayMs, toIsoDate, toIsoTime } from '../kernel/text.ts';
import { defineTokenKind } from '../kernel/token.ts';
import type { MatchContext, Matcher } from '../matches/matcher.ts';
import { countProposals, readHeld } from '../placements/holding.ts';
import { placement } from '../placements/placement.ts';
import { bumpRevision, changeOne, move, replaceRecord } from '../records/change.ts';
import { dayOf } from '../records/day-of.ts';
import { openView } from '../records/in-view.ts';
import type { Kind } from '../records/kind.ts';
import { followToRecord, makeOneTimeToken } from '../records/one-time-token.ts';
import { takeTurn } from '../records/reading-turns.ts';
import { presentRecord } from '../records/view.ts';
import type { StoredRecord } from '../workspace/record.ts';
import type { View } from '../workspace/view.ts';
import { shortlistRefusals } from './refusals.ts';

export const shortlistToken = defineTokenKind(
  'shortlist',
  'sl_',
  'The token, `sl_…`, of a shortlist.',
  shortlistRefusals.unknown_shortlist,
);

/** What a person may decide on a placement, and the status that it then has. */
export const decisions = { interview: 'interviewing', decline: 'declined' } as const;
export type ShortlistDecision = keyof typeof decisions;

/** What is shown of a job order and of a candidate: no note, ref, pay or id. */
export const shortlistMembers = {
  jobOrder: [
    'client',
    'title',
    'onetCode',
    'metro',
    'openings',
    'openingsLeft',
    'skills',
    'requires',
    'shift',
    'startDate',
    'endDate',
    'status',
  ],
  candidate: ['name', 'title', 'onetCode', 'metro', 'skills', 'credentials', 'shifts', 'availableFrom'],
};

/** Placements that are shown at most: those to decide on first, then those decided last. */
const mostShown = 100;

const pick = (record: Readonly<Record<string, unknown>>, names: readonly string[]) =>
  Object.fromEntries(names.filter((name) => record[name] !== undefined).map((name) => [name, record[name]]));

/** The members of a kind that are shown, as a contract has them. */
export const pickEntries = ({ record }: Kind, names: readonly string[]) =>
  pick(record.entries, names) as ObjectEntries;

/** What was decided on a placement through a link, if anything. */
function findDecision({ transitions = [] }: StoredRecord): ShortlistDecision | undefined {
  const last = transitions.findLast(({ by }) => by === 'shortlist');
  return last && (Object.keys(decisions) as ShortlistDecision[]).find((name) => decisions[name] === last.to);
}

const isShortlisted = (fact: StoredRecord) =>
  fact.asked === 'proposed' || fact.asked === 'interviewing' || findDecision(fact) !== undefined;

const readRevision = ({ revision, createdAt }: StoredRecord) => revision ?? (createdAt === undefined ? 0 : 1);

interface Pairing {
  order: StoredRecord;
  view: View;
  matcher: Matcher;
  today: string;
}

/**
 * A placement as it is shown. Its tag names all three records as they stand. Returns undefined if its candidate is gone,
 * or has withdrawn before anything was decided.
 */
export function presentShortlistRow(fact: StoredRecord, { order, view, matcher, today }: Pairing) {
  const person = view.find(candidate.name, fact.candidateId as string);
  const decision = findDecision(fact);
  if (!person || (person.asked === 'withdrawn' && !decision)) return undefined;
  const held = readHeld(person.id, view, today, fact.id);
  const { score, reasons, met, unmet } = matcher.match(order, person, held);
  return {
    id: fact.id,
    status: presentRecord(placement, fact, view, today).status,
    tag: [fact, person, order].map(readRevision).join('.'),
    candidate: pick(person, shortlistMembers.candidate),
    score,
    reasons,
    met,
    unmet,
    ...(decision && { decision }),
  };
}

type ShortlistRow = NonNullable<ReturnType<typeof presentShortlistRow>>;

/** Leaves out what was declined if its candidate is shown again: later, or in a placement that was not declined. */
function withoutRepeated(shown: readonly StoredRecord[]): StoredRecord[] {
  const newest = new Map<unknown, StoredRecord>();
  for (const one of shown) {
    const before = newest.get(one.candidateId);
    const isNewer = !before || before.asked === 'declined' || one.asked !== 'declined';
    if (isNewer) newest.set(one.candidateId, one);
  }
  return shown.filter((one) => one.asked !== 'declined' || newest.get(one.candidateId) === one);
}

/** The placements of an order that are shown: those nobody decided on first, then by what is unmet and by score. */
async function readRows(order: StoredRecord, context: MatchContext) {
  const { platform, matcher } = context.service;
  const view = openView(context);
  const all = view.listReferring(placement.name, order.id);
  const shortlisted = withoutRepeated(all.filter((one) => one.jobOrderId === order.id && isShortlisted(one)));
  const decided = shortlisted.filter((one) => findDecision(one)).reverse();
  const most = [...shortlisted.filter((one) => !findDecision(one)), ...decided].slice(0, mostShown);
  const pairing = { order, view, matcher: await matcher(), today: toIsoDate(platform.now()) };
  const rows: ShortlistRow[] = [];
  for (const fact of most) {
    const row = presentShortlistRow(fact, pairing);
    if (row) rows.push(row);
    await platform.pause(context.call.client);
  }
  return rows.sort(
    (a, b) =>
      Number(a.decision !== undefined) - Number(b.decision !== undefined) ||
      Number(a.unmet.length > 0) - Number(b.unmet.length > 0) ||
      b.score - a.score,
  );
}

/** Whether the token with this hash is the one that an order was given last, and has not expired. */
function hasToken(order: StoredRecord, hash: string, now: number): boolean {
  const issued = readIssuedShortlist(order);
  return issued?.token === hash && issued.expiresAt > now;
}

/** The job order that the token of a caller is for, in its workspace. If-Match and strict handling do not count there. */
async function openShortlist(context: MatchContext) {
  const { hash, workspace, fact: order } = await followToRecord(context, shortlistToken, jobOrder);
  if (!hasToken(order, hash, context.service.platform.now())) throw new Refusal(shortlistToken.unknown);
  const options = { ...context.options, isStrict: false, ifMatch: undefined, revision: undefined };
  return { hash, order, context: { ...context, workspace, options } };
}

export const presentShortlistOrder = (order: StoredRecord, view: View, today: string) =>
  pick(presentRecord(jobOrder, order, view, today), shortlistMembers.jobOrder);

/** What the holder of a token is shown. Its entity tag is of the records alone: the time of expiry moves with any change. */
export async function getShortlist(context: MatchContext): Promise<OperationReply> {
  const { order, context: opened } = await openShortlist(context);
  const wanted = presentShortlistOrder(order, openView(opened), toIsoDate(opened.service.platform.now()));
  const count = opened.workspace.contents.listReferring(order.id).size;
  const placements = await takeTurn(opened, count, () => readRows(order, opened));
  const expiresAt = Math.min(opened.workspace.expiresAt, readIssuedShortlist(order)!.expiresAt);
  return {
    status: 200,
    headers: { ETag: createEntityTag(JSON.stringify([wanted, placements])) },
    body: { type: 'OK', shortlist: { jobOrder: wanted, placements, expiresAt: toIsoTime(expiresAt) } },
    watched: { key: opened.workspace.key, expiresAt },
  };
}

const lifeMs = 14 * dayMs;

/** Makes a link to the placements that are proposed on a job order. One that is out is replaced only where that is asked. */
export async function createShortlist(
  id: string,
  replaces: boolean,
  context: MatchContext,
): Promise<OperationReply> {
  const { baseUrl } = context.service.settings;
  const presentLink = (token: string) => ({ token, url: `${baseUrl}/shortlist.html#${token}` });
  const { hash, ...token } = await makeOneTimeToken(context, shortlistToken, presentLink, id);
  return changeOne(
    { kind: jobOrder, id },
    context,
    (was, _, { now, view, head }) => {
      const before = readIssuedShortlist(was.record);
      if (countProposals(view, id) === 0) throw new Refusal(shortlistRefusals.nothing_proposed);
      if (before && before.expiresAt > now && !replaces) throw new Refusal(shortlistRefusals.pending);
      const expiresAt = now + lifeMs;
      const evidence = { shortlist: { token: hash, expiresAt } };
      const linkExpiresAt = toIsoTime(Math.min(expiresAt, head!.expiresAt));
      view.put(jobOrder.name, bumpRevision({ ...was.record, evidence }, was, now), was);
      return {
        addedTokens: { [hash]: { to: id, expiresAt } },
        removedTokens: before ? [before.token] : [],
        outcome: {
          status: 201,
          body: { type: 'OK', shortlist: { token: '', url: '', expiresAt: linkExpiresAt } },
        },
      };
    },
    token,
  );
}

const notListed: OperationReply = {
  status: 404,
  body: {
    type: 'EMPTY',
    message: 'No placement with this id is on the shortlist. Read GET /shortlist for those that are.',
  },
};

interface SentDecision {
  placementId: string;
  decision: ShortlistDecision;
  reason?: string | undefined;
  tag: string;
}

/**
 * Moves a placement as the client's people decided it, and answers it as the shortlist then shows it. The same decision
 * again is answered the same; any other is for the placement as its `tag` names it.
 */
export async function decideShortlist(sent: SentDecision, context: MatchContext): Promise<OperationReply> {
  const { hash, order, context: opened } = await openShortlist(context);
  const { service } = opened;
  const matcher = await service.matcher();
  const { placementId: id, decision, reason, tag } = sent;
  if (service.seed.byId.has(id)) return notListed;
  const outcome = await changeOne(
    { kind: placement, id },
    opened,
    (was, { status }, moment) => {
      const { now, view } = moment;
      const current = view.findOwn(jobOrder.name, order.id)?.record;
      if (!current || !hasToken(current, hash, now)) throw new Refusal(shortlistToken.unknown);
      const pairing = { order: current, view, matcher, today: toIsoDate(now) };
      const row = was.record.jobOrderId === order.id ? presentShortlistRow(was.record, pairing) : undefined;
      if (!row || !isShortlisted(was.record)) return { outcome: notListed, isUnchanged: true };
      if (row.decision === decision)
        return { outcome: { status: 200, body: { type: 'OK', placement: row } }, isUnchanged: true };
      if (row.tag !== tag)
        throw new Refusal('changed', { reason: 'It changed since you read it. Read it again, then decide.' });
      if (row.decision !== undefined || status === decisions[decision])
        throw new Refusal(shortlistRefusals.already_decided);
      const closed = explainClosed(current, dayOf(current, view, pairing.today));
      if (closed) throw new Refusal(shortlistRefusals.order_closed);
      const how = { to: decisions[decision], reason, by: 'shortlist' as const };
      const moved = move(placement, { record: was.record, from: status, view, now }, how);
      const declined = decision === 'decline' && { declineReason: 'client' };
      const change = { patch: declined || {}, to: how.to };
      replaceRecord(placement, was, { record: { ...moved, ...declined }, change }, moment);
      const next = view.find(placement.name, id)!;
      return {
        outcome: { status: 200, body: { type: 'OK', placement: presentShortlistRow(next, pairing) } },
      };
    },
    { id: hash },
  );
  return outcome.status === 404 ? notListed : outcome;
}
