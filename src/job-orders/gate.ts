import type { PhraseList } from '../kernel/phrase-list.ts';
import type { Phrase } from '../kernel/words.ts';
import { describeHold, findClash, fullTimeHours, type Hold } from '../placements/period.ts';
import type { Matchable } from '../records/factor.ts';
import { listShownPhrases, readStatement } from '../records/fields/must-haves.ts';
import { explainLicence, isLicensed, type Licence, readLicence } from './licence.ts';

/**
 * What decides whether a candidate meets a job order. It adds no points to a score. Either record is read as a gate: an
 * order fills what it needs, a candidate what it shows.
 */
export interface Gate {
  requires: readonly Phrase[];
  evidence: PhraseList;
  licence: Licence;
  shift: string | undefined;
  startDate: string | undefined;
  shifts: readonly string[];
  availableFrom: string | undefined;
  /** Planned last day of the work. */
  endDate: string | undefined;
  /** Hours a week of the work, or that a candidate works. */
  hoursPerWeek: number;
}

type Phrases = Record<'requires' | 'credentials' | 'skills', readonly string[]>;
type WithGate = Partial<Omit<Gate, 'requires' | 'evidence' | 'licence'> & Phrases>;

/** The days on which placements hold a candidate, as of a UTC day. */
export interface CandidateHolds {
  holds: readonly Hold[];
  today: string;
}

/** The holds of a candidate without placements. */
export const noHolds: CandidateHolds = { holds: [], today: '' };

/** One reason why a candidate does not meet a job order. A placement of the two gets a warning with this code. */
interface Unmet {
  code: 'requirement_unmet' | 'not_available' | 'already_placed' | 'wrong_shift';
  text: string;
}

export function readGate(record: Matchable & WithGate): Gate {
  const { requires = [], shifts = [], shift, startDate, endDate, availableFrom } = record;
  const { hoursPerWeek = fullTimeHours } = record;
  return {
    requires: requires.map(readStatement),
    evidence: listShownPhrases(record),
    licence: readLicence(record.onetCode, record.credentials),
    shift,
    startDate,
    endDate,
    shifts,
    availableFrom,
    hoursPerWeek,
  };
}

const isLate = (order: Gate, { availableFrom }: Gate) =>
  order.startDate !== undefined && availableFrom !== undefined && availableFrom > order.startDate;

const isOtherShift = ({ shift }: Gate, { shifts }: Gate) =>
  shift !== undefined && shifts.length > 0 && !shifts.includes(shift);

/** Returns the first day on which the work and the candidate's placements are too many hours, if there is one. */
function findHoldClash(order: Gate, candidate: Gate, { holds, today }: CandidateHolds) {
  if (holds.length === 0) return undefined;
  const { startDate: from = today, endDate: to = null, hoursPerWeek: hours } = order;
  if (to !== null && to < from) return undefined;
  return findClash({ from, to, hours }, holds, candidate.hoursPerWeek);
}

/** Whether a candidate meets all must-haves of a job order. A start date or shift that either leaves out counts as met. */
export const meets = (order: Gate, candidate: Gate, held: CandidateHolds = noHolds): boolean =>
  !isLate(order, candidate) &&
  !isOtherShift(order, candidate) &&
  isLicensed(order.licence, candidate.licence) &&
  !findHoldClash(order, candidate, held) &&
  order.requires.every((phrase) => candidate.evidence.find(phrase));

/** Says in words what `meets` decides: each must-have with what shows it, what is unmet, and what is not stated. */
export function explainGate(order: Gate, candidate: Gate, held: CandidateHolds = noHolds) {
  const met: { phrase: string; by: string }[] = [];
  const unmet: Unmet[] = [];
  const gaps: string[] = [];
  for (const phrase of order.requires) {
    const match = candidate.evidence.find(phrase);
    if (match) met.push({ phrase: phrase.text, by: match.text });
    else unmet.push({ code: 'requirement_unmet', text: `shows no "${phrase.text}"` });
  }
  if (!isLicensed(order.licence, candidate.licence))
    unmet.push({ code: 'requirement_unmet', text: explainLicence(order.licence, candidate.licence) });
  const { shifts, availableFrom } = candidate;
  if (isLate(order, candidate))
    unmet.push({
      code: 'not_available',
      text: `is available from ${availableFrom}; the work starts on ${order.startDate}`,
    });
  const clash = findHoldClash(order, candidate, held);
  if (clash)
    unmet.push({
      code: 'already_placed',
      text: `is placed already on ${clash.day}, ${describeHold(clash.other)}`,
    });
  if (isOtherShift(order, candidate))
    unmet.push({ code: 'wrong_shift', text: `works ${shifts.join(', ')}; the work is ${order.shift}` });
  const isHeld = held.holds.some(({ to }) => to === null || to >= held.today);
  if (order.startDate !== undefined && availableFrom === undefined && !isHeld)
    gaps.push('availability not stated');
  if (order.shift !== undefined && shifts.length === 0) gaps.push('shift not stated');
  return { met, unmet, gaps };
}
