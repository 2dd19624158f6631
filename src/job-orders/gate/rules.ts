import { type CandidateHolds, describeClash, findClash, noHolds } from '../../placements/period.ts';
import { fullTimeHours } from '../../records/kind/fields/work.ts';
import { findEvidence, findVerdict } from '../../records/kind/phrases/shown-phrases.ts';
import { explainLicence, explainUncertainLicence, findUncertainLicence, isLicensed } from './licence.ts';
import { type OrderNeed, readStart } from './need.ts';
import type { CandidateOffer } from './offer.ts';
import { comparePay, explainPay, isEnough, isPayStated } from './pay.ts';

/** What a rule says of a pair. Call `explain` only to show what is unmet or unknown. */
export type Verdict =
  | { result: 'met' }
  | { result: 'unmet'; explain(): string[] }
  | { result: 'unknown'; explain(): string[] };

/** One condition that an offer meets or does not. A placement of the two gets a warning with its code. */
interface Rule {
  code:
    | 'requirement_unmet'
    | 'not_available'
    | 'already_placed'
    | 'wrong_shift'
    | 'asks_more'
    | 'wrong_workplace';
  /** Compares a pair. Returns undefined if there is nothing to compare. */
  compare(need: OrderNeed, offer: CandidateOffer, held: CandidateHolds): Verdict | undefined;
}

export type RuleCode = Rule['code'];

const met: Verdict = { result: 'met' };

const decide = (isMet: boolean, explain: () => string[]): Verdict =>
  isMet ? met : { result: 'unmet', explain };

const unknown = (explain: () => string[]): Verdict => ({ result: 'unknown', explain });

const notStated = (what: string): Verdict => unknown(() => [`${what} not stated`]);

/** A must-have that a candidate does not meet. */
interface MissingMustHave {
  phrase: string;
  /** The last day of the credential that shows it, before the work starts. */
  until?: string;
}

/** Lists the must-haves of an order that a candidate does not show on the day on which the work starts. */
export function listMissing(
  need: OrderNeed,
  { shownPhrases }: CandidateOffer,
  held = noHolds,
): MissingMustHave[] {
  const start = readStart(need, held);
  return need.requires.flatMap((phrase) => {
    const evidence = findEvidence(shownPhrases, phrase, start);
    if (evidence && evidence.result !== 'expired') return [];
    return { phrase: phrase.text, ...(evidence?.until !== undefined && { until: evidence.until }) };
  });
}

/** Says that a must-have is missing. A credential can expire in the future and before the work starts. */
const explainMissing = ({ phrase, until }: MissingMustHave): string =>
  until === undefined ? `shows no "${phrase}"` : `"${phrase}" expired ${until}`;

const mustHaveRule: Rule = {
  code: 'requirement_unmet',
  compare(need, offer, held) {
    const { shownPhrases } = offer;
    const start = readStart(need, held);
    let hasMet = false;
    for (const phrase of need.requires) {
      const result = findVerdict(shownPhrases, phrase, start)?.result;
      if (result === undefined || result === 'expired')
        return { result: 'unmet', explain: () => listMissing(need, offer, held).map(explainMissing) };
      if (result === 'met') hasMet = true;
    }
    return hasMet ? met : undefined;
  },
};

/** Lists the must-haves that only a phrase shows that is limited, or whose last day cannot be read. */
function explainUncertain(
  { requires }: OrderNeed,
  { shownPhrases }: CandidateOffer,
  start: string,
): string[] {
  return requires.flatMap((phrase) => {
    const evidence = findEvidence(shownPhrases, phrase, start);
    if (evidence?.result !== 'unknown') return [];
    return [`"${phrase.text}" is shown only by "${evidence.phrase.text}"`];
  });
}

const uncertainRule: Rule = {
  code: 'requirement_unmet',
  compare(need, offer, held) {
    const { shownPhrases } = offer;
    if (shownPhrases.qualified.length === 0) return undefined;
    const start = readStart(need, held);
    const isUncertain = need.requires.some(
      (phrase) => findVerdict(shownPhrases, phrase, start)?.result === 'unknown',
    );
    return isUncertain ? unknown(() => explainUncertain(need, offer, start)) : undefined;
  },
};

const licenceRule: Rule = {
  code: 'requirement_unmet',
  compare(need, offer, held) {
    const { licence } = need;
    if (licence.own === undefined) return undefined;
    const isMet = isLicensed(licence, offer.licence, readStart(need, held));
    const text = isMet ? undefined : findUncertainLicence(licence, offer.licence);
    if (text !== undefined) return unknown(() => [explainUncertainLicence(licence, text)]);
    return decide(isMet, () => [explainLicence(licence, offer.licence)]);
  },
};

/** Whether a placement holds the candidate today or later. */
const isHeld = ({ holds, today }: CandidateHolds): boolean =>
  holds.some(({ to }) => to === null || to >= today);

/** Describes the last day on which the work can start: that of its end, if no start is stated. */
function describeLatestStart({ agreedStart, startDate, endDate }: OrderNeed, today: string): string {
  const stated = agreedStart ?? startDate;
  if (stated === undefined) return `ends on ${endDate}`;
  return agreedStart === undefined && stated < today ? `was to start on ${stated}` : `starts on ${stated}`;
}

const startRule: Rule = {
  code: 'not_available',
  compare(need, { availableFrom }, held) {
    const { agreedStart, startDate, endDate } = need;
    const isStated = agreedStart !== undefined || startDate !== undefined;
    const latestStart = isStated ? readStart(need, held) : endDate;
    if (latestStart === undefined) return undefined;
    if (availableFrom === undefined) {
      // A placement says from when the candidate is free.
      return isHeld(held) ? undefined : notStated('availability');
    }
    return decide(availableFrom <= latestStart, () => [
      `is available from ${availableFrom}; the work ${describeLatestStart(need, held.today)}`,
    ]);
  },
};

/** Returns the first day on which the work and the candidate's placements are too many hours, if there is one. */
function findHoldClash(need: OrderNeed, offer: CandidateOffer, held: CandidateHolds) {
  if (held.holds.length === 0) return undefined;
  const { endDate: to = null, hoursPerWeek: hours = fullTimeHours } = need;
  const from = readStart(need, held);
  if (to !== null && to < from) return undefined;
  return findClash({ from, to, hours }, held.holds, offer.hoursPerWeek ?? fullTimeHours);
}

const placedRule: Rule = {
  code: 'already_placed',
  compare(need, offer, held) {
    const clash = findHoldClash(need, offer, held);
    if (clash) return { result: 'unmet', explain: () => [describeClash(clash)] };
    return isHeld(held) ? met : undefined;
  },
};

const shiftRule: Rule = {
  code: 'wrong_shift',
  compare({ shift }, { shifts }) {
    if (shift === undefined) return undefined;
    if (shifts.length === 0) return notStated('shift');
    return decide(shifts.includes(shift), () => [`works ${shifts.join(', ')}; the work is ${shift}`]);
  },
};

const payRule: Rule = {
  code: 'asks_more',
  compare(need, offer) {
    // What the order does not state is not compared, so a candidate who states more never fails for it.
    if (!isPayStated(need.pay)) return undefined;
    const compared = comparePay(need.pay, offer.pay, need.hoursPerWeek);
    if (!compared) return notStated('pay');
    return decide(isEnough(compared), () => [explainPay(compared)]);
  },
};

const workplaceRule: Rule = {
  code: 'wrong_workplace',
  compare({ workplace }, { workplaces }) {
    if (workplace === undefined) return undefined;
    if (workplaces.length === 0) return notStated('workplace');
    return decide(workplaces.includes(workplace), () => [
      `works ${workplaces.join(', ')}; the work is ${workplace}`,
    ]);
  },
};

/** The must-haves come first: the texts of what is unmet begin with those of `listMissing`, in the same order. */
export const gateRules: readonly Rule[] = [
  mustHaveRule,
  uncertainRule,
  licenceRule,
  startRule,
  placedRule,
  shiftRule,
  payRule,
  workplaceRule,
];
