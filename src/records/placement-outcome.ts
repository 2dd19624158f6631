import * as v from 'valibot';
import { Refusal } from '../kernel/refusal.ts';
import { addDays, CalendarDate, dayMs, Time, toTime } from '../kernel/text.ts';
import type { Filters } from './filters.ts';
import type { StoredRecord } from './record.ts';
import type { RecordsInView } from './records-in-view.ts';

/** Days after the start by which a placement's outcome is to be validated: its guarantee period. */
const outcomeDays = 90;

/** What can be stated of the first 90 days. */
export const statedResults = ['retained', 'converted', 'attrited'] as const;
/** How the first 90 days went. */
export const OutcomeResult = v.pipe(
  v.picklist(['pending', ...statedResults]),
  v.description('How the first 90 days went.'),
);

/** Who may confirm an outcome. */
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

/** What a statement tells of a job order. */
interface StatedOrder {
  title: string;
  client: string;
}

/** What a caller's own placement keeps of its outcome. */
export interface Evidence {
  stated?: Statement;
  confirmations?: readonly Confirmation[];
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

/** Characters of a note or a comment at most. */
export const longestNote = 500;

/** What a party answered, as it is told. */
export const answerEntries = {
  agrees: v.pipe(v.boolean(), v.description('Whether the party agrees.')),
  at: Time,
  comment: v.optional(v.pipe(v.string(), v.maxLength(longestNote), v.description('What the party added.'))),
};

/** The 90-day outcome of a placement. */
export const PlacementOutcome = v.pipe(
  v.object({
    result: OutcomeResult,
    validateBy: v.pipe(
      v.nullable(v.pipe(v.string(), v.isoDate())),
      v.description('The day 90 days after startDate, the end of the guarantee period, or null without one.'),
    ),
    validated: v.pipe(
      v.boolean(),
      v.description(
        'Whether, by the end of that day, a party agreed with what was stated and none disagreed.',
      ),
    ),
    asOf: v.optional(v.pipe(v.string(), v.isoDate(), v.description('The day that the statement is of.'))),
    statedAt: v.optional(Time),
    note: v.optional(
      v.pipe(v.string(), v.maxLength(longestNote), v.description('Yours; it is shown to no other party.')),
    ),
    confirmations: v.pipe(
      v.array(
        v.object({ party: v.pipe(v.picklist(parties), v.description('Who was asked.')), ...answerEntries }),
      ),
      v.maxLength(parties.length),
      v.description('What parties answered to the statement; silence is no answer.'),
    ),
    disputed: v.pipe(v.boolean(), v.description('Whether a party disagrees.')),
  }),
  v.description('How the first 90 days went, as stated, and whether a party confirmed it in that time.'),
);

/** An answer as it is told. */
export const toTold = ({ agrees, at, comment }: Answer) => ({
  agrees,
  at: toTime(at),
  ...(comment !== undefined && { comment }),
});

/** The last day on which its outcome can be validated, or null. */
export const toValidateBy = ({ startDate }: PlacementRecord) =>
  startDate === undefined ? null : addDays(startDate, outcomeDays);

/** When that day is over, in milliseconds since the epoch; 0 where there is none. */
export function toClosingTime(fact: PlacementRecord): number {
  const day = toValidateBy(fact);
  return day === null ? 0 : Date.parse(`${day}T00:00:00Z`) + dayMs;
}

/** How its first 90 days went, as far as that is known. */
export function toOutcome(fact: PlacementRecord): v.InferOutput<typeof PlacementOutcome> {
  const { outcome, evidence: { stated, confirmations = [], validated } = {} } = fact;
  const answered = confirmations.flatMap(({ party, answer }) =>
    answer ? [{ party, ...toTold(answer) }] : [],
  );
  return {
    result: stated?.result ?? outcome?.result ?? 'pending',
    validateBy: toValidateBy(fact),
    validated: validated !== undefined || (outcome?.validated ?? false),
    ...(stated && { asOf: stated.asOf, statedAt: toTime(stated.at) }),
    ...(stated?.note !== undefined && { note: stated.note }),
    confirmations: answered,
    disputed: answered.some(({ agrees }) => !agrees),
  };
}

/** What a statement of a placement tells of its job order; null where that is gone. */
export function toStatedOrder({ jobOrderId }: StoredRecord, near: RecordsInView): StatedOrder | null {
  const order = near.recordOf('jobOrder', jobOrderId as string) as (StoredRecord & StatedOrder) | undefined;
  return order ? { title: order.title, client: order.client } : null;
}

/** The tokens that were issued, without what was answered to another statement. */
export const toUnanswered = ({ confirmations = [] }: Evidence): Confirmation[] =>
  confirmations.map(({ answer: _, ...rest }) => rest);

const snapshot = ['startDate', 'candidateId', 'jobOrderId', 'onetCode'];

/**
 * What becomes of the evidence of a placement that is changed: a statement is of the placement as it was, so that a
 * change of what it is of voids the answers, and the statement too where it is of a day before the new start, or an
 * end was asked for, which allows attrited alone. Throws a Refusal where the outcome is final.
 */
export function amendEvidence(
  was: PlacementRecord,
  next: PlacementRecord,
  near: RecordsInView,
): Partial<PlacementRecord> {
  const { stated, validated } = was.evidence ?? {};
  if (!stated) return {};
  const changed = snapshot.filter((member) => was[member] !== next[member]);
  const isEnded = next.asked !== undefined && stated.result !== 'attrited';
  if (validated) {
    const isOtherEnd = was.endDate !== next.endDate;
    if (isEnded && isOtherEnd && (next.endDate as string) < stated.asOf) changed.push('endDate');
    if (changed.length === 0) return {};
    const issues = changed.map((path) => ({ path, message: 'is part of an outcome that is validated' }));
    throw new Refusal('outcome_closed', {
      reason: 'The outcome is validated, and final: what it is of cannot be changed.',
      issues,
    });
  }
  if (changed.length === 0 && !isEnded) return {};
  const fits = !isEnded && next.startDate !== undefined && next.startDate <= stated.asOf;
  const order = changed.includes('jobOrderId') ? toStatedOrder(next, near) : stated.order;
  return {
    evidence: { ...(fits && { stated: { ...stated, order } }), confirmations: toUnanswered(was.evidence!) },
  };
}

/** What a list of placements can be asked of their outcomes. */
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
    values: v.picklist(['true', 'false'], 'must be true or false'),
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
