import type { Phrase } from '../kernel/words.ts';
import { describeClash, findClash, type Hold } from '../placements/period.ts';
import type { Matchable } from '../records/factor.ts';
import { readStatement } from '../records/fields/must-haves.ts';
import { fullTimeHours } from '../records/fields/work.ts';
import { listExpiring, listGateGaps } from './gate-gaps.ts';
import { explainLicence, isLicensed, type Licence, readLicence } from './licence.ts';
import {
  comparePay,
  explainPay,
  isEnough,
  isPayStated,
  readStatedPay,
  type StatedPay,
  type WithPay,
} from './pay.ts';
import { findShownPhrase, isShown, readShownPhrases, type ShownPhrases } from './shown-phrases.ts';

/**
 * What decides whether a candidate meets a job order. It adds no points to a score. Either record is read as a gate: an
 * order fills what it needs, a candidate what it shows.
 */
export interface Gate {
  requires: readonly Phrase[];
  shownPhrases: ShownPhrases;
  licence: Licence;
  pay: StatedPay;
  shift: string | undefined;
  startDate: string | undefined;
  shifts: readonly string[];
  workplace: string | undefined;
  workplaces: readonly string[];
  availableFrom: string | undefined;
  /** Planned last day of the work. */
  endDate: string | undefined;
  /** Hours a week of the work, or that a candidate works, if the record states them. */
  hoursPerWeek: number | undefined;
}

type Phrases = Record<'requires' | 'credentials' | 'skills', readonly string[]>;
type WithGate = Partial<Omit<Gate, 'requires' | 'shownPhrases' | 'licence' | 'pay'> & Phrases> & WithPay;

/** The days on which placements hold a candidate, as of a UTC day. */
export interface CandidateHolds {
  holds: readonly Hold[];
  today: string;
}

/** The holds of a candidate without placements. */
export const noHolds: CandidateHolds = { holds: [], today: '' };

/** One reason why a candidate does not meet a job order. A placement of the two gets a warning with this code. */
interface Unmet {
  code:
    | 'requirement_unmet'
    | 'not_available'
    | 'already_placed'
    | 'wrong_shift'
    | 'asks_more'
    | 'wrong_workplace';
  text: string;
}

/** What a rule says of a pair. It is undefined if there is nothing to compare. */
type Verdict = 'met' | 'unmet' | 'unknown' | undefined;

/** One condition of a gate. */
interface Rule {
  code: Unmet['code'];
  compare(order: Gate, candidate: Gate, held: CandidateHolds): Verdict;
  /** Says what is unmet. Call it only if that is the verdict. */
  explain(order: Gate, candidate: Gate, held: CandidateHolds): string[];
  /** Says what is not stated, if that is the verdict. */
  unknown?(): string;
}

export function readGate(record: Matchable & WithGate): Gate {
  const { requires = [], shifts = [], workplaces = [] } = record;
  const { shift, workplace, startDate, endDate, availableFrom, hoursPerWeek } = record;
  return {
    requires: requires.map(readStatement),
    shownPhrases: readShownPhrases(record),
    licence: readLicence(record.onetCode, record.credentials),
    pay: readStatedPay(record),
    shift,
    startDate,
    endDate,
    shifts,
    workplace,
    workplaces,
    availableFrom,
    hoursPerWeek,
  };
}

const decide = (isMet: boolean): Verdict => (isMet ? 'met' : 'unmet');

/** The day on which the work starts: today, if the order states none. */
const readStart = ({ startDate }: Gate, { today }: CandidateHolds): string => startDate ?? today;

/** A must-have that a candidate does not meet. */
interface MissingMustHave {
  phrase: string;
  /** The last day of the credential that shows it, before the work starts. */
  until?: string;
}

/** Lists the must-haves of an order that a candidate does not show on the day on which the work starts. */
export function listMissing(order: Gate, { shownPhrases }: Gate, held = noHolds): MissingMustHave[] {
  const start = readStart(order, held);
  const missing = order.requires.filter((phrase) => !isShown(shownPhrases, phrase, start));
  return missing.map((phrase) => {
    const until = findShownPhrase(shownPhrases, phrase)?.until;
    return { phrase: phrase.text, ...(until !== undefined && { until }) };
  });
}

const mustHaveRule: Rule = {
  code: 'requirement_unmet',
  compare(order, { shownPhrases }, held) {
    if (order.requires.length === 0) return undefined;
    const start = readStart(order, held);
    return decide(order.requires.every((phrase) => isShown(shownPhrases, phrase, start)));
  },
  explain: (order, candidate, held) =>
    listMissing(order, candidate, held).map(({ phrase, until }) =>
      // The day can be in the future: the credential has expired when the work starts.
      until === undefined ? `shows no "${phrase}"` : `"${phrase}" expired ${until}`,
    ),
};

const licenceRule: Rule = {
  code: 'requirement_unmet',
  compare(order, candidate, held) {
    if (order.licence.own === undefined) return undefined;
    return decide(isLicensed(order.licence, candidate.licence, readStart(order, held)));
  },
  explain: (order, candidate) => [explainLicence(order.licence, candidate.licence)],
};

/** Whether a placement holds the candidate today or later. */
const isHeld = ({ holds, today }: CandidateHolds): boolean =>
  holds.some(({ to }) => to === null || to >= today);

/** The last day on which the work can start: that of its end, if the order states no start. */
const readLatestStart = ({ startDate, endDate }: Gate): string | undefined => startDate ?? endDate;

const startRule: Rule = {
  code: 'not_available',
  compare(order, { availableFrom }, held) {
    const latestStart = readLatestStart(order);
    if (latestStart === undefined) return undefined;
    if (availableFrom !== undefined) return decide(availableFrom <= latestStart);
    // A placement says from when the candidate is free.
    return isHeld(held) ? undefined : 'unknown';
  },
  explain({ startDate, endDate }, { availableFrom }) {
    const limit = startDate === undefined ? `ends on ${endDate}` : `starts on ${startDate}`;
    return [`is available from ${availableFrom}; the work ${limit}`];
  },
  unknown: () => 'availability not stated',
};

/** Returns the first day on which the work and the candidate's placements are too many hours, if there is one. */
function findHoldClash(order: Gate, candidate: Gate, held: CandidateHolds) {
  if (held.holds.length === 0) return undefined;
  const { endDate: to = null, hoursPerWeek: hours = fullTimeHours } = order;
  const from = readStart(order, held);
  if (to !== null && to < from) return undefined;
  return findClash({ from, to, hours }, held.holds, candidate.hoursPerWeek ?? fullTimeHours);
}

const placedRule: Rule = {
  code: 'already_placed',
  compare(order, candidate, held) {
    if (findHoldClash(order, candidate, held)) return 'unmet';
    return isHeld(held) ? 'met' : undefined;
  },
  explain(order, candidate, held) {
    return [describeClash(findHoldClash(order, candidate, held)!)];
  },
};

const shiftRule: Rule = {
  code: 'wrong_shift',
  compare(order, { shifts }) {
    if (order.shift === undefined) return undefined;
    return shifts.length === 0 ? 'unknown' : decide(shifts.includes(order.shift));
  },
  explain: (order, { shifts }) => [`works ${shifts.join(', ')}; the work is ${order.shift}`],
  unknown: () => 'shift not stated',
};

const readComparedPay = (order: Gate, candidate: Gate) =>
  comparePay(order.pay, candidate.pay, order.hoursPerWeek);

const payRule: Rule = {
  code: 'asks_more',
  compare(order, candidate) {
    // What the order does not state is not compared, so a candidate who states more never fails for it.
    if (!isPayStated(order.pay)) return undefined;
    const compared = readComparedPay(order, candidate);
    return compared ? decide(isEnough(compared)) : 'unknown';
  },
  explain: (order, candidate) => [explainPay(readComparedPay(order, candidate)!)],
  unknown: () => 'pay not stated',
};

const workplaceRule: Rule = {
  code: 'wrong_workplace',
  compare(order, { workplaces }) {
    if (order.workplace === undefined) return undefined;
    return workplaces.length === 0 ? 'unknown' : decide(workplaces.includes(order.workplace));
  },
  explain: (order, { workplaces }) => [`works ${workplaces.join(', ')}; the work is ${order.workplace}`],
  unknown: () => 'workplace not stated',
};

/** The must-haves come first: the texts of `unmet` begin with those of `listMissing`, in the same order. */
const rules: readonly Rule[] = [
  mustHaveRule,
  licenceRule,
  startRule,
  placedRule,
  shiftRule,
  payRule,
  workplaceRule,
];

export interface GateOptions {
  held?: CandidateHolds;
  /** Whether what is not stated is unmet. */
  isUnstatedUnmet?: boolean;
}

/** Whether a candidate meets all gates of a job order, or null if there is nothing to compare. */
export function meets(
  order: Gate,
  candidate: Gate,
  { held = noHolds, isUnstatedUnmet = false }: GateOptions = {},
): boolean | null {
  let hasCompared = false;
  for (const rule of rules) {
    const verdict = rule.compare(order, candidate, held);
    if (verdict === 'unmet' || (isUnstatedUnmet && verdict === 'unknown')) return false;
    if (verdict === 'met') hasCompared = true;
  }
  return hasCompared || null;
}

function listMet(order: Gate, { shownPhrases }: Gate, held: CandidateHolds) {
  const start = readStart(order, held);
  return order.requires.flatMap((query) => {
    const by = isShown(shownPhrases, query, start) && findShownPhrase(shownPhrases, query)!.phrase.text;
    return by ? [{ phrase: query.text, by }] : [];
  });
}

/** Returns the shift and the pay that were compared, if both records state them. */
function readCompared(order: Gate, candidate: Gate) {
  const comparedPay = readComparedPay(order, candidate);
  const { shifts } = candidate;
  return {
    ...(order.shift !== undefined &&
      shifts.length > 0 && { shift: { order: order.shift, candidate: [...shifts] } }),
    ...(comparedPay && { pay: comparedPay }),
  };
}

/**
 * Says in words what `meets` decides: each must-have with what shows it, what is unmet and what is not stated. Also says
 * what expires soon, and what else to look at.
 */
export function explainGate(
  order: Gate,
  candidate: Gate,
  { held = noHolds, isUnstatedUnmet = false }: GateOptions = {},
) {
  const unmet: Unmet[] = [];
  const unknown: string[] = [];
  for (const rule of rules) {
    const verdict = rule.compare(order, candidate, held);
    if (verdict === 'unmet')
      unmet.push(...rule.explain(order, candidate, held).map((text) => ({ code: rule.code, text })));
    if (verdict !== 'unknown') continue;
    const text = rule.unknown!();
    if (isUnstatedUnmet) unmet.push({ code: rule.code, text });
    else unknown.push(text);
  }
  return {
    met: listMet(order, candidate, held),
    unmet,
    unknown,
    expiring: listExpiring(order, candidate, readStart(order, held)),
    gaps: listGateGaps(order, candidate, readStart(order, held)),
    compared: readCompared(order, candidate),
  };
}
