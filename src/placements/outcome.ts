import * as v from 'valibot';
import { Refusal } from '../kernel/refusal.ts';
import {
  CalendarDate,
  countDays,
  may,
  NonNegativeInteger,
  say,
  Time,
  toIsoDate,
  toIsoTime,
} from '../kernel/text.ts';
import type { Filters } from '../records/kind/filters.ts';
import type { StoredRecord } from '../workspace/record.ts';
import type { View } from '../workspace/view.ts';
import { presentComments } from './client-words.ts';
import {
  type Answer,
  type Party,
  type PlacementRecord,
  parties,
  type StatedOrder,
  type StoredOutcome,
  statedResults,
} from './placement-record.ts';
import { presentReceipt } from './present-receipt.ts';
import { placementRefusals } from './refusals.ts';
import { isCancelled, readValidateBy } from './status.ts';

export const OutcomeResult = say(v.picklist(['pending', ...statedResults]), 'How the guarantee period went.');

export const longestNote = 500;

export const answerEntries = {
  agrees: say(v.boolean(), 'Whether the party agrees.'),
  at: Time,
  comment: may(v.pipe(v.string(), v.maxLength(longestNote)), 'What the party added.'),
};

const Confirmed = v.object({ party: say(v.picklist(parties), 'Who was asked.'), ...answerEntries });

const Pending = v.object({
  party: say(v.picklist(parties), 'Who has a token.'),
  expiresAt: say(v.pipe(v.string(), v.isoTimestamp()), 'When the token expires.'),
});

export const PlacementOutcome = say(
  v.object({
    result: OutcomeResult,
    validateBy: say(
      v.nullable(v.pipe(v.string(), v.isoDate())),
      'The last day of the guarantee, guaranteeDays after startDate, to its end; null without a start, before acceptance or if cancelled.',
    ),
    validated: say(
      v.boolean(),
      'Whether, by the end of that day, a party agreed with what was stated and none disagreed.',
    ),
    asOf: may(v.pipe(v.string(), v.isoDate()), 'The day that the statement is of.'),
    day: may(NonNegativeInteger, 'Days from startDate to asOf: the result is of that day.'),
    statedAt: v.optional(Time),
    note: may(v.pipe(v.string(), v.maxLength(longestNote)), 'Yours; it is shown to no other party.'),
    confirmations: say(
      v.pipe(v.array(Confirmed), v.maxLength(parties.length)),
      'What parties answered to the statement; silence is no answer.',
    ),
    pending: may(
      v.pipe(v.array(Pending), v.maxLength(parties.length)),
      'Parties that were asked and have not answered.',
    ),
    disputed: say(v.boolean(), 'Whether a party disagreed, and has not agreed with a later statement.'),
  }),
  'How the guarantee period went, as stated, and whether a party confirmed it in that time.',
);

export const presentAnswer = ({ agrees, at, comment }: Answer) => ({
  agrees,
  at: toIsoTime(at),
  ...(comment !== undefined && { comment }),
});

/** Lists the parties that disagreed and have not agreed since. */
export const listDisputing = ({ confirmations = [], disputedBy = [] }: StoredOutcome): Party[] =>
  disputedBy.filter(
    (party) => !confirmations.some((issued) => issued.party === party && issued.answer?.agrees),
  );

/** Lists the parties that were asked, have not answered, and have a token that is valid today. */
const listPending = ({ confirmations = [], validated }: StoredOutcome, today: string) =>
  confirmations
    .filter(({ answer, expiresAt }) => !answer && !validated && toIsoDate(expiresAt) >= today)
    .map(({ party, expiresAt }) => ({ party, expiresAt: toIsoTime(expiresAt) }));

/** Presents the outcome of a placement. A token that expired before the UTC day `today` is not pending. */
export function presentOutcome(record: PlacementRecord, today = ''): v.InferOutput<typeof PlacementOutcome> {
  const { outcome, startDate, evidence = {} } = record;
  const { stated, confirmations = [], validated } = evidence;
  const pending = listPending(evidence, today);
  return {
    result: stated?.result ?? outcome?.result ?? 'pending',
    validateBy: readValidateBy(record),
    validated: validated !== undefined || (outcome?.validated ?? false),
    ...(stated && { asOf: stated.asOf }),
    ...(stated && startDate !== undefined && { day: countDays(startDate, stated.asOf) }),
    ...(stated && { statedAt: toIsoTime(stated.at) }),
    ...(stated?.note !== undefined && { note: stated.note }),
    confirmations: confirmations.flatMap(({ party, answer }) =>
      answer ? [{ party, ...presentAnswer(answer) }] : [],
    ),
    ...(pending.length > 0 && { pending }),
    disputed: listDisputing(evidence).length > 0,
  };
}

/** Returns the outcome and the receipt that an export adds. A batch does not accept them. */
export function presentExportExtras(record: PlacementRecord, today: string) {
  const receipt = record.evidence?.validated?.receipt;
  const comments = presentComments(record);
  return {
    outcome: presentOutcome(record, today),
    ...(comments.length > 0 && { comments }),
    ...(receipt !== undefined && presentReceipt(receipt)),
  };
}

/** Returns the title and client of the job order of a placement, or null if the order is gone. */
export function findStatedOrder({ jobOrderId }: StoredRecord, view: View): StatedOrder | null {
  const order = view.find('jobOrder', jobOrderId as string) as (StoredRecord & StatedOrder) | undefined;
  return order ? { title: order.title, client: order.client } : null;
}

const longestInitials = 4;

/** Returns the initials of a name, such as `A. E.`, or undefined if no word of it begins with a letter. */
export function formatInitials(name: string): string | undefined {
  const letters = name
    .split(/\s+/)
    .flatMap((word) => /^\P{L}*(\p{L}\p{M}*)/u.exec(word.normalize())?.[1] ?? []);
  const initials = letters.slice(0, longestInitials).map((letter) => `${letter.toLocaleUpperCase('en')}.`);
  return initials.length > 0 ? initials.join(' ') : undefined;
}

/** Returns the reference that a party sees: the ref of the placement, or the initials of its candidate. */
export function findReference({ ref, candidateId }: StoredRecord, view: View): string | undefined {
  const candidate = view.find('candidate', candidateId as string) as { name?: string } | undefined;
  return (ref as string | undefined) ?? formatInitials(candidate?.name ?? '');
}

/** Removes a statement and the answers to it. Tokens, earlier disagreements and all else stay. */
export const withoutStatement = ({
  stated: _,
  validated: __,
  confirmations = [],
  ...rest
}: StoredOutcome): StoredOutcome => ({
  ...rest,
  confirmations: confirmations.map(({ answer: ___, ...confirmation }) => confirmation),
});

export const outcomeFilters = {
  outcome: {
    title: 'Outcome',
    description: 'Result of the guarantee period; pending leaves out what was cancelled.',
    values: v.picklist(OutcomeResult.options, `must be one of ${OutcomeResult.options.join(', ')}`),
    createTest: (value: string) => (record: PlacementRecord) =>
      presentOutcome(record).result === value && (value !== 'pending' || !isCancelled(record)),
  },
  validated: {
    title: 'Validated',
    description: 'Whether the outcome is validated.',
    values: v.boolean('must be true or false'),
    createTest: (value: string) => (record: PlacementRecord) =>
      String(presentOutcome(record).validated) === value,
  },
  dueBefore: {
    title: 'Due before',
    description: 'Not validated, with validateBy before this day; none that was cancelled.',
    values: CalendarDate,
    createTest: (value: string) => (record: PlacementRecord) => {
      const { validated, validateBy } = presentOutcome(record);
      return !validated && validateBy !== null && validateBy < value;
    },
  },
} satisfies Filters;

/** Throws the Refusal `outcome_closed` if there are `members`. Each gets an issue with `message`. */
export function refuseOutcomeClosed(members: readonly string[], message: string, reason: string): void {
  if (members.length === 0) return;
  throw new Refusal(placementRefusals.outcome_closed, {
    reason,
    issues: members.map((path) => ({ path, message })),
  });
}
