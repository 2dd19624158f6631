import {
  countDaysBetween,
  formatAmount,
  formatDate,
  formatGuaranteeDay,
  toSentenceCase,
} from '../../_scripts/format.ts';
import type { Placement } from '../state/model.ts';

/** A step of a placement. */
interface Step {
  name: string;
  state: 'done' | 'open' | 'bad';
  /** The day on which it was done, if it was. */
  day?: string | undefined;
}

const resultWords = {
  pending: 'Nothing is stated yet',
  retained: 'Stated: still in the placement',
  converted: 'Stated: taken on by the client',
  attrited: 'Stated: no longer in the placement',
  finished: 'Stated: reached its planned end',
};

export const nextWords = {
  start: 'Give it a start',
  state: 'State the outcome',
  ask: 'Ask for a confirmation',
  restate: 'Disputed: state it again',
};

type NextStep = keyof typeof nextWords;

function findNextStep(
  { outcome, startDate, endReason }: Placement,
  isOver: boolean,
  hasStarted: boolean,
): NextStep | undefined {
  if (isOver || outcome.validated || endReason === 'cancelled') return undefined;
  if (!startDate) return 'start';
  if (!hasStarted) return undefined;
  if (outcome.result === 'pending') return 'state';
  return outcome.confirmations.some(({ agrees }) => !agrees) ? 'restate' : 'ask';
}

/** Says which day of its guarantee a placement has reached, `Day 12 of 90`, or that the guarantee is over. */
export const describeGuarantee = (day: number, guaranteeDays: number): string =>
  day > guaranteeDays
    ? `The guarantee of ${guaranteeDays} days is over`
    : toSentenceCase(formatGuaranteeDay(day, guaranteeDays));

/** Says how many days of the placement have passed. */
function describeDays(placement: Placement, today: string, day?: number): string {
  const { startDate, plannedEndDate, status, endDate, guaranteeDays } = placement;
  const last = endDate ?? plannedEndDate;
  if (status === 'ended-early') return `Ended early${last ? ` on ${formatDate(last)}` : ''}.`;
  if (status === 'completed') return `Completed${last ? ` on ${formatDate(last)}` : ''}.`;
  if (!startDate) return 'No start is known.';
  if (day === undefined) return `Starts in ${formatAmount(countDaysBetween(today, startDate), 'day')}.`;
  return `${describeGuarantee(day, guaranteeDays)}.`;
}

function describeOutcome({ outcome }: Placement, isOver: boolean): string {
  const said = outcome.confirmations.map(
    ({ party, agrees }) => `the ${party} ${agrees ? 'agrees' : 'disagrees'}`,
  );
  const ofDay = outcome.day === undefined ? '' : ` on day ${outcome.day}`;
  const stated = [resultWords[outcome.result] + ofDay, ...said].join('; ');
  if (outcome.validated) return `${stated}. Validated.`;
  return isOver ? `${stated}. Lapsed: the time to validate it is over.` : `${stated}.`;
}

/** Returns when a placement was accepted: by a move, or as it was created. */
const findAcceptance = ({ transitions = [], createdAt }: Placement): string | undefined =>
  transitions.findLast(({ to }) => to === 'scheduled')?.at ?? createdAt;

/** Describes how far a placement has come on a UTC day, between its start and the end of its guarantee period. */
export function describeCourse(placement: Placement, today: string) {
  const { startDate, outcome, guaranteeDays } = placement;
  const days = startDate === undefined ? undefined : countDaysBetween(startDate, today);
  const day = days !== undefined && days >= 0 ? days : undefined;
  const left = outcome.validateBy === null ? undefined : countDaysBetween(today, outcome.validateBy);
  const isOver = !outcome.validated && left !== undefined && left < 0;
  const { confirmations, disputed, validated, statedAt } = outcome;
  const answered = confirmations.at(-1)?.at.slice(0, 10);
  const isStated = outcome.result !== 'pending';
  const isAgreed = confirmations.some(({ agrees }) => agrees);
  const done = (is: boolean): Step['state'] => (is ? 'done' : 'open');
  const steps: [Step, Step, Step, Step, Step] = [
    { name: 'Placed', state: 'done', day: findAcceptance(placement)?.slice(0, 10) },
    { name: 'Started', state: done(day !== undefined), day: startDate },
    { name: 'Stated', state: done(isStated), day: statedAt?.slice(0, 10) },
    disputed
      ? { name: 'Disputed', state: 'bad', day: answered }
      : { name: 'Confirmed', state: done(isAgreed || validated), day: answered },
    isOver
      ? { name: 'Lapsed', state: 'bad', day: outcome.validateBy! }
      : { name: 'Validated', state: done(validated), day: validated ? answered : undefined },
  ];
  return {
    steps,
    /** The share of the guarantee period that has passed, from 0 to 1. */
    part: day === undefined ? 0 : Math.min(1, day / guaranteeDays),
    /** Days since the start, or undefined if there is no start or it is in the future. */
    day,
    words: [describeDays(placement, today, day), startDate && describeOutcome(placement, isOver)]
      .filter(Boolean)
      .join(' '),
    /** The next thing to do, or undefined. */
    next: findNextStep(placement, isOver, day !== undefined),
    /** Days until the outcome can no longer be validated, 0 on the last day. Undefined if nothing is due. */
    daysLeft: validated || isOver ? undefined : left,
  };
}

export type Course = ReturnType<typeof describeCourse>;

/** Formats the days that are left: `Last day: today`, `One day left`, `5 days left`. */
export function formatDaysLeft(daysLeft: number): string {
  if (daysLeft === 0) return 'Last day: today';
  return daysLeft === 1 ? 'One day left' : `${daysLeft} days left`;
}
