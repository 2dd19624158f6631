import { type CandidateHolds, noHolds } from '../../placements/period.ts';
import { findEvidence } from '../../records/kind/phrases/shown-phrases.ts';
import { listAdvice, listExpiring } from './advice.ts';
import { listEndsDuring } from './ending.ts';
import { type OrderNeed, readStart } from './need.ts';
import type { CandidateOffer } from './offer.ts';
import { comparePay } from './pay.ts';
import { gateRules, type RuleCode } from './rules.ts';

export interface GateOptions {
  held?: CandidateHolds;
  /** Whether what is not stated is unmet. */
  isUnstatedUnmet?: boolean;
}

/** Whether a candidate meets all that a job order needs, or null if there is nothing to compare. */
export function meets(
  need: OrderNeed,
  offer: CandidateOffer,
  { held = noHolds, isUnstatedUnmet = false }: GateOptions = {},
): boolean | null {
  let hasCompared = false;
  for (const rule of gateRules) {
    const result = rule.compare(need, offer, held)?.result;
    if (result === 'unmet' || (isUnstatedUnmet && result === 'unknown')) return false;
    if (result === 'met') hasCompared = true;
  }
  return hasCompared || null;
}

function listMet(need: OrderNeed, { shownPhrases }: CandidateOffer, held: CandidateHolds) {
  const start = readStart(need, held);
  return need.requires.flatMap((query) => {
    const evidence = findEvidence(shownPhrases, query, start);
    return evidence?.result === 'met' ? [{ phrase: query.text, by: evidence.phrase.text }] : [];
  });
}

/** Returns the shift and the pay that were compared, if both records state them. */
function readCompared({ shift, pay, hoursPerWeek }: OrderNeed, { shifts, pay: asked }: CandidateOffer) {
  const comparedPay = comparePay(pay, asked, hoursPerWeek);
  return {
    ...(shift !== undefined && shifts.length > 0 && { shift: { order: shift, candidate: [...shifts] } }),
    ...(comparedPay && { pay: comparedPay }),
  };
}

/**
 * Says what `meets` decides, and why: each must-have with what shows it, what is unmet and what is not stated. Also says
 * what expires soon, and what else to look at.
 */
export function explainGate(
  need: OrderNeed,
  offer: CandidateOffer,
  { held = noHolds, isUnstatedUnmet = false }: GateOptions = {},
) {
  const unmet: { code: RuleCode; text: string }[] = [];
  const unknown: string[] = [];
  let hasCompared = false;
  for (const { code, compare } of gateRules) {
    const verdict = compare(need, offer, held);
    if (verdict?.result === 'met') hasCompared = true;
    if (verdict?.result === 'unmet') unmet.push(...verdict.explain().map((text) => ({ code, text })));
    if (verdict?.result !== 'unknown') continue;
    if (isUnstatedUnmet) unmet.push(...verdict.explain().map((text) => ({ code, text })));
    else unknown.push(...verdict.explain());
  }
  const start = readStart(need, held);
  return {
    meets: unmet.length === 0 && (hasCompared || null),
    met: listMet(need, offer, held),
    unmet,
    unknown,
    expiring: listExpiring(need, offer, start),
    gaps: listAdvice(need, offer, start),
    compared: readCompared(need, offer),
    endsDuring: listEndsDuring(need, offer, held),
  };
}
