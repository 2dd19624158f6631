import { toEntityTag } from '../kernel/entity-tag.ts';
import type { Capability, Context, OpenedWorkspace, Outcome } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { toDay, toTime } from '../kernel/text.ts';
import type { Matcher } from '../matches/matcher.ts';
import { candidate } from '../records/candidate.ts';
import { jobOrder, toIssuedShortlist } from '../records/job-order.ts';
import type { Kind } from '../records/kind.ts';
import { followToken } from '../records/one-time-token.ts';
import { placement } from '../records/placement.ts';
import type { StoredRecord } from '../records/record.ts';
import type { RecordsInView } from '../records/records-in-view.ts';
import { readNear } from '../records/references.ts';
import { present } from '../records/view.ts';

export const ofShortlist = { purpose: 'shortlist', prefix: 'sl_', member: 'shortlist' } as const;

/** How the client's people show their token. */
export const shortlistToken: Capability = {
  header: 'X-Shortlist',
  argument: 'shortlist',
  hint: 'The token, `sl_…`, of a shortlist.',
  shape: /^sl_[0-9a-hjkmnp-tv-z]{32}$/,
  unknown: 'unknown_shortlist',
};

/** What a person may decide on a placement, and the status that it then has. */
export const decisions = { interview: 'interviewing', decline: 'declined' } as const;
export type Decision = keyof typeof decisions;

/** What is shown of a job order and of a candidate: no note, ref, pay or id. */
export const shown = {
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

/** Placements that are read at once, and shown at most: those to decide on first, then those decided last. */
const atOnce = 100;

const pick = (record: Readonly<Record<string, unknown>>, names: readonly string[]) =>
  Object.fromEntries(names.filter((name) => record[name] !== undefined).map((name) => [name, record[name]]));

/** The members of a kind that are shown, as a contract has them. */
export const pickEntries = ({ record }: Kind, names: readonly string[]) =>
  pick((record as unknown as { entries: Record<string, unknown> }).entries, names);

/** What was decided on a placement through a link, if anything. */
export function toDecision({ transitions = [] }: StoredRecord): Decision | undefined {
  const last = transitions.findLast(({ by }) => by === 'shortlist');
  return last && (Object.keys(decisions) as Decision[]).find((name) => decisions[name] === last.to);
}

const isShown = (fact: StoredRecord) =>
  fact.asked === 'proposed' || fact.asked === 'interviewing' || toDecision(fact) !== undefined;

const toRevision = ({ revision, createdAt }: StoredRecord) => revision ?? (createdAt === undefined ? 0 : 1);

interface Pairing {
  order: StoredRecord;
  near: RecordsInView;
  matcher: Matcher;
  today: string;
}

/** A placement as it is shown, or nothing where its candidate is gone. Its tag names all three records as they stand. */
export function toRow(fact: StoredRecord, { order, near, matcher, today }: Pairing) {
  const person = near.recordOf(candidate.name, fact.candidateId as string);
  if (!person) return undefined;
  const { score, reasons, met, unmet } = matcher.match(order, person);
  const decision = toDecision(fact);
  return {
    id: fact.id,
    status: present(placement, fact, near, today).status,
    tag: [fact, person, order].map(toRevision).join('.'),
    candidate: pick(person, shown.candidate),
    score,
    reasons,
    met,
    unmet,
    ...(decision && { decision }),
  };
}

/** The placements of an order that are shown: those nobody decided on first, then by what is unmet and by score. */
async function readRows(order: StoredRecord, context: Context) {
  const { store, platform, matcher } = context.service;
  const { key } = context.workspace!;
  const facts: StoredRecord[] = [];
  for (let after: number | undefined, isMore = true; isMore; ) {
    const slice = { kind: placement.name, order: 'oldest' as const, after, limit: atOnce };
    const entries = await store.read(key, slice);
    for (const { fact } of entries) if (fact.jobOrderId === order.id && isShown(fact)) facts.push(fact);
    after = entries.at(-1)?.seq;
    isMore = entries.length === atOnce;
    if (isMore) await platform.pause();
  }
  const decided = facts.filter((fact) => toDecision(fact)).reverse();
  const most = [...facts.filter((fact) => !toDecision(fact)), ...decided].slice(0, atOnce);
  const near = await readNear(placement, most, context);
  const pairing = { order, near, matcher: await matcher(), today: toDay(platform.now()) };
  const rows = most.flatMap((fact) => toRow(fact, pairing) ?? []);
  return rows.sort(
    (a, b) =>
      Number(a.decision !== undefined) - Number(b.decision !== undefined) ||
      Number(a.unmet.length > 0) - Number(b.unmet.length > 0) ||
      b.score - a.score,
  );
}

/** Whether the token with this hash is the one that an order was given last, and has not expired. */
export function knows(order: StoredRecord, hash: string, now: number): boolean {
  const issued = toIssuedShortlist(order);
  return issued?.token === hash && issued.expiresAt > now;
}

/** The job order that the token of a caller is for, in its workspace, without the id. */
export async function openShortlist(context: Context) {
  const opened = await followToken(context, ofShortlist, jobOrder, shortlistToken.unknown);
  const { hash, workspace, fact: order } = opened;
  if (!knows(order, hash, context.service.platform.now())) throw new Refusal(shortlistToken.unknown);
  const inside: Context & { workspace: OpenedWorkspace } = { ...context, workspace };
  return { hash, order, context: inside };
}

/** A job order as it is shown. */
export const toShownOrder = (order: StoredRecord, near: RecordsInView, today: string) =>
  pick(present(jobOrder, order, near, today), shown.jobOrder);

/** What the holder of a token is shown. Its entity tag is of the records alone: the time of expiry moves with any change. */
export async function getShortlist(context: Context): Promise<Outcome> {
  const { order, context: opened } = await openShortlist(context);
  const near = await readNear(jobOrder, [order], opened);
  const wanted = toShownOrder(order, near, toDay(opened.service.platform.now()));
  const placements = await readRows(order, opened);
  const expiresAt = Math.min(opened.workspace.expiresAt, toIssuedShortlist(order)!.expiresAt);
  return {
    status: 200,
    headers: { ETag: toEntityTag(JSON.stringify([wanted, placements])) },
    body: { type: 'OK', shortlist: { jobOrder: wanted, placements, expiresAt: toTime(expiresAt) } },
    watched: { key: opened.workspace.key, expiresAt },
  };
}
