import * as v from 'valibot';
import { Refusal } from '../kernel/refusal.ts';
import {
  addDays,
  CalendarDate,
  Count,
  countDays,
  dayMs,
  may,
  say,
  Time,
  toDay,
  toTime,
} from '../kernel/text.ts';
import type { StoredRecord } from '../workspace/record.ts';
import type { View } from '../workspace/view.ts';
import type { Filters } from './filters.ts';

/** A placement that is not accepted yet: it holds neither candidate nor opening, and has no outcome. */
const open = ['proposed', 'interviewing', 'offered'];

export const stages = [...open, 'declined'] as const;

/** Every move, and what may be sent with it. `scheduled` is to accept: from then on the status follows the dates. */
export const moves = [
  { from: ['proposed'], to: 'interviewing' },
  { from: ['proposed', 'interviewing'], to: 'offered' },
  { from: open, to: 'scheduled' },
  { from: open, to: 'declined', takes: ['declineReason'] },
  { from: ['scheduled', 'active'], to: 'ended-early', takes: ['endDate', 'endReason'] },
];

export const mostProposals = 50;

export const isOpen = ({ asked }: StoredRecord) => asked !== undefined && open.includes(asked);
/** Whether it was accepted, so that it holds its candidate and an opening until it ends. */
export const isAccepted = ({ asked }: StoredRecord) => asked === undefined || asked === 'ended-early';

/** Whether it ended early, as asked or because its candidate left, as stated. */
export const isEnded = (record: StoredRecord) =>
  record.asked === 'ended-early' || toOutcome(record as PlacementRecord).result === 'attrited';

/** Whether it holds its candidate and an opening of its job order. */
export const isHolding = (record: StoredRecord) => isAccepted(record) && !isEnded(record);

/** Counts the placements that hold a candidate, or openings of a job order, apart from the one with the id `but`. */
export const countPlacements = (view: View, id: string, but?: string): number =>
  view.countReferring('placement', id, (one) => one.id !== but && isHolding(one));

/** Counts the open proposals of a candidate, or for a job order, apart from the one with the id `but`. */
export const countProposals = (view: View, id: string, but?: string): number =>
  view.countReferring('placement', id, (one) => one.id !== but && isOpen(one));

/** Days after the start by which a placement's outcome is to be validated: its guarantee period. */
export const outcomeDays = 90;

export const statedResults = ['retained', 'converted', 'attrited'] as const;
export const OutcomeResult = say(v.picklist(['pending', ...statedResults]), 'How the first 90 days went.');

export const parties = ['client', 'candidate'] as const;
export type Party = (typeof parties)[number];

/** Yes or no to a statement, in milliseconds since the epoch. */
export interface Answer {
  agrees: boolean;
  at: number;
  comment?: string;
}

/** A token that was issued to a party, by its hash, and what was answered with it to the statement as it is. */
export interface Confirmation {
  party: Party;
  token: string;
  expiresAt: number;
  answer?: Answer;
}

/** What was stated of an outcome; `at` in milliseconds since the epoch. */
export interface Statement {
  result: (typeof statedResults)[number];
  asOf: string;
  at: number;
  note?: string;
  /** The job order as it was then, null where that was gone. */
  order: StatedOrder | null;
}

interface StatedOrder {
  title: string;
  client: string;
}

/** What a caller's own placement keeps of its outcome. */
export interface Evidence {
  stated?: Statement;
  confirmations?: readonly Confirmation[];
  /** The parties that ever disagreed. Nothing is validated until each of them has agreed with what is stated. */
  disputedBy?: readonly Party[];
  validated?: { at: number; receipt?: string };
}

/** What is stored of a placement; only seed placements have an `outcome` of their own. */
export type PlacementRecord = StoredRecord & {
  candidateId: string;
  jobOrderId: string;
  startDate?: string | undefined;
  endDate?: string;
  endReason?: string;
  outcome?: { result: v.InferOutput<typeof OutcomeResult>; validated: boolean };
  evidence?: Evidence;
};

export const longestNote = 500;

export const answerEntries = {
  agrees: say(v.boolean(), 'Whether the party agrees.'),
  at: Time,
  comment: may(v.pipe(v.string(), v.maxLength(longestNote)), 'What the party added.'),
};

export const PlacementOutcome = say(
  v.object({
    result: OutcomeResult,
    validateBy: say(
      v.nullable(v.pipe(v.string(), v.isoDate())),
      'The day 90 days after startDate, the end of the guarantee period, or null without one.',
    ),
    validated: say(
      v.boolean(),
      'Whether, by the end of that day, a party agreed with what was stated and none disagreed.',
    ),
    asOf: may(v.pipe(v.string(), v.isoDate()), 'The day that the statement is of.'),
    day: may(Count, 'Days from startDate to asOf: the result is of that day.'),
    statedAt: v.optional(Time),
    note: may(v.pipe(v.string(), v.maxLength(longestNote)), 'Yours; it is shown to no other party.'),
    confirmations: say(
      v.pipe(
        v.array(v.object({ party: say(v.picklist(parties), 'Who was asked.'), ...answerEntries })),
        v.maxLength(parties.length),
      ),
      'What parties answered to the statement; silence is no answer.',
    ),
    pending: may(
      v.pipe(
        v.array(
          v.object({
            party: say(v.picklist(parties), 'Who has a token.'),
            expiresAt: say(v.pipe(v.string(), v.isoTimestamp()), 'When the token expires.'),
          }),
        ),
        v.maxLength(parties.length),
      ),
      'Parties that were asked and have not answered.',
    ),
    disputed: say(v.boolean(), 'Whether a party disagreed, and has not agreed with a later statement.'),
  }),
  'How the first 90 days went, as stated, and whether a party confirmed it in that time.',
);

export const toTold = ({ agrees, at, comment }: Answer) => ({
  agrees,
  at: toTime(at),
  ...(comment !== undefined && { comment }),
});

/** The last day on which its outcome can be validated, or null. */
export const toValidateBy = (fact: PlacementRecord) =>
  fact.startDate === undefined || !isAccepted(fact) ? null : addDays(fact.startDate, outcomeDays);

/** When that day is over, in milliseconds since the epoch; 0 where there is none. */
export function toClosingTime(fact: PlacementRecord): number {
  const day = toValidateBy(fact);
  return day === null ? 0 : Date.parse(`${day}T00:00:00Z`) + dayMs;
}

export const toDisputing = ({ confirmations = [], disputedBy = [] }: Evidence): Party[] =>
  disputedBy.filter((party) => !confirmations.some((one) => one.party === party && one.answer?.agrees));

/** Who was asked, has not answered, and has a token that is good today. */
const toPending = ({ confirmations = [], validated }: Evidence, today: string) =>
  confirmations
    .filter(({ answer, expiresAt }) => !answer && !validated && toDay(expiresAt) >= today)
    .map(({ party, expiresAt }) => ({ party, expiresAt: toTime(expiresAt) }));

/** How its first 90 days went, as far as that is known; `today` is the UTC day it is read on. */
export function toOutcome(fact: PlacementRecord, today = ''): v.InferOutput<typeof PlacementOutcome> {
  const { outcome, startDate, evidence = {} } = fact;
  const { stated, confirmations = [], validated } = evidence;
  const pending = toPending(evidence, today);
  return {
    result: stated?.result ?? outcome?.result ?? 'pending',
    validateBy: toValidateBy(fact),
    validated: validated !== undefined || (outcome?.validated ?? false),
    ...(stated && { asOf: stated.asOf }),
    ...(stated && startDate !== undefined && { day: countDays(startDate, stated.asOf) }),
    ...(stated && { statedAt: toTime(stated.at) }),
    ...(stated?.note !== undefined && { note: stated.note }),
    confirmations: confirmations.flatMap(({ party, answer }) =>
      answer ? [{ party, ...toTold(answer) }] : [],
    ),
    ...(pending.length > 0 && { pending }),
    disputed: toDisputing(evidence).length > 0,
  };
}

/** What a statement of a placement tells of its job order; null where that is gone. */
export function toStatedOrder({ jobOrderId }: StoredRecord, view: View): StatedOrder | null {
  const order = view.find('jobOrder', jobOrderId as string) as (StoredRecord & StatedOrder) | undefined;
  return order ? { title: order.title, client: order.client } : null;
}

/** What is left of evidence whose statement is voided: the tokens, without their answers, and who ever disagreed. */
export const toUnanswered = ({ confirmations = [], disputedBy }: Evidence): Evidence => ({
  confirmations: confirmations.map(({ answer: _, ...rest }) => rest),
  ...(disputedBy && { disputedBy }),
});

const hasAnswer = ({ confirmations = [], disputedBy = [] }: Evidence) =>
  disputedBy.length > 0 || confirmations.some(({ answer }) => answer);

const between = ['candidateId', 'jobOrderId'];
const snapshot = ['startDate', 'onetCode', ...between];

/**
 * The evidence of a placement that is changed. A change of what was stated voids the answers. The statement goes too
 * where its day is before the new start, or where the change asks for another end. Throws the Refusal `outcome_closed`
 * where the outcome is final, or another pair would take the place of one that has answered.
 */
export function amendEvidence(
  was: PlacementRecord,
  next: PlacementRecord,
  view: View,
): Partial<PlacementRecord> {
  const { evidence = {} } = was;
  const { stated, validated } = evidence;
  const changed = snapshot.filter((member) => was[member] !== next[member]);
  const other = changed.filter((member) => between.includes(member));
  const refuse = (members: readonly string[], message: string, reason: string) => {
    const issues = members.map((path) => ({ path, message }));
    if (issues.length > 0) throw new Refusal('outcome_closed', { reason, issues });
  };
  if (stated && validated) {
    const { endDate } = next;
    if (endDate !== undefined && endDate !== was.endDate && endDate < stated.asOf) changed.push('endDate');
    refuse(
      changed,
      'is part of an outcome that is validated',
      'The outcome is validated, and final: what it is of cannot be changed.',
    );
    return {};
  }
  if (hasAnswer(evidence))
    refuse(
      other,
      'cannot be changed any more; make another placement',
      'A party has answered what was stated of this placement, so that it stays between the same two.',
    );
  const isEnded = next.asked !== undefined && stated?.result !== 'attrited';
  if (!stated || (changed.length === 0 && !isEnded)) return {};
  const fits = !isEnded && next.startDate !== undefined && next.startDate <= stated.asOf;
  const order = changed.includes('jobOrderId') ? toStatedOrder(next, view) : stated.order;
  // Who was asked before it was between two others is not asked any more.
  const asked = other.length > 0 ? { confirmations: [] } : toUnanswered(evidence);
  return { evidence: { ...(fits && { stated: { ...stated, order } }), ...asked } };
}

export const outcomeFilters = {
  outcome: {
    title: 'Outcome',
    description: 'Result of the first 90 days.',
    values: v.picklist(OutcomeResult.options, `must be one of ${OutcomeResult.options.join(', ')}`),
    toTest: (value: string) => (record: PlacementRecord) => toOutcome(record).result === value,
  },
  validated: {
    title: 'Validated',
    description: 'Whether the outcome is validated.',
    values: v.boolean('must be true or false'),
    toTest: (value: string) => (record: PlacementRecord) => String(toOutcome(record).validated) === value,
  },
  dueBefore: {
    title: 'Due before',
    description: 'Not validated, with validateBy before this day.',
    values: CalendarDate,
    toTest: (value: string) => (record: PlacementRecord) => {
      const { validated, validateBy } = toOutcome(record);
      return !validated && validateBy !== null && validateBy < value;
    },
  },
} satisfies Filters;
