import type { View } from '../workspace/view.ts';
import { findContradiction } from './contradiction.ts';
import { findConversionTime } from './holding.ts';
import { findReference, findStatedOrder, refuseOutcomeClosed, withoutStatement } from './outcome.ts';
import type { PlacementRecord, StoredOutcome } from './placement-record.ts';
import { withoutStatedEnd } from './stated-end.ts';
import { hasStartedBy, readGuaranteeDays } from './status.ts';

interface Revision {
  before: PlacementRecord;
  after: PlacementRecord;
  /** What the caller sent. */
  patch: Readonly<Record<string, unknown>>;
  view: View;
  /** Milliseconds since the epoch. */
  now: number;
}

/** Members that decide who the two parties of a placement are. */
const partyMembers = ['candidateId', 'jobOrderId'];
/** Members that a statement repeats. If one of them changes, the answers to the statement are void. */
const statedMembers = ['startDate', 'onetCode', ...partyMembers];
const endMembers = ['endDate', 'endReason', 'plannedEndDate'];

const listChanged = (
  { before, after }: Pick<Revision, 'before' | 'after'>,
  members: readonly string[],
): string[] => members.filter((member) => before[member] !== after[member]);

/** Whether the changed placement contradicts its statement. A fall-off needs an end. */
function isContradicted(after: PlacementRecord): boolean {
  const { stated } = after.evidence ?? {};
  if (!stated) return false;
  if (!hasStartedBy(stated.asOf, after)) return true;
  if (stated.result === 'attrited' && after.endDate === undefined) return true;
  return findContradiction(after, stated) !== undefined;
}

function refuseChangeOfValidated(revision: Revision): void {
  const { before, after, patch } = revision;
  const { stated, validated } = before.evidence ?? {};
  if (!stated || !validated) return;
  const changed = listChanged(revision, statedMembers);
  const removesEnd = patch.endDate === null && before.endDate !== undefined;
  const takesBack = removesEnd && stated.result !== 'retained';
  if (takesBack) changed.push('endDate');
  // An end that the caller records instead of the statement's is new as a whole.
  else if (isContradicted(after))
    changed.push(...listChanged({ before: withoutStatedEnd(before), after }, endMembers));
  refuseOutcomeClosed(
    changed,
    'is part of an outcome that is validated',
    'The outcome is validated, and final: nothing that contradicts it can be recorded.',
  );
}

function refuseOtherParties(revision: Revision): void {
  const { confirmations = [], disputedBy = [] } = revision.before.evidence ?? {};
  const hasAnswer = disputedBy.length > 0 || confirmations.some(({ answer }) => answer);
  if (!hasAnswer) return;
  refuseOutcomeClosed(
    listChanged(revision, partyMembers),
    'cannot be changed any more; make another placement',
    'A party has answered what was stated of this placement, so it stays between the same two.',
  );
}

function refuseOtherGuarantee(revision: Revision): void {
  const { before, after } = revision;
  if (!before.evidence?.stated || readGuaranteeDays(before) === readGuaranteeDays(after)) return;
  refuseOutcomeClosed(
    ['guaranteeDays'],
    'is fixed once an outcome is stated',
    'An outcome is stated, so the guarantee is fixed.',
  );
}

/** Stores when the end became a conversion, if it is one, and otherwise removes that time. */
function keepConversion({ before, after, view, now }: Revision): StoredOutcome {
  const { convertedAt: _, ...evidence } = after.evidence ?? {};
  if (after.endReason !== 'converted') return evidence;
  const { convertedAt } = before.evidence ?? {};
  const isSame = before.endReason === 'converted' && before.candidateId === after.candidateId;
  if (isSame) return { ...evidence, ...(convertedAt !== undefined && { convertedAt }) };
  return { ...evidence, convertedAt: findConversionTime(after, view, now) };
}

function reviseStatement(revision: Revision): StoredOutcome {
  const { after, view } = revision;
  const { evidence = {} } = after;
  const { stated, validated } = evidence;
  if (!stated || validated) return evidence;
  const changed = listChanged(revision, statedMembers);
  const isContrary = isContradicted(after);
  if (changed.length === 0 && !isContrary) return evidence;
  const order = changed.includes('jobOrderId') ? findStatedOrder(after, view) : stated.order;
  const reference = changed.includes('candidateId') ? findReference(after, view) : stated.reference;
  const isBetweenOthers = changed.some((member) => partyMembers.includes(member));
  return {
    ...withoutStatement(evidence),
    ...(!isContrary && { stated: { ...stated, order, reference } }),
    // Other parties: the confirmations of the previous ones are void.
    ...(isBetweenOthers && { confirmations: [] }),
  };
}

/**
 * Returns the outcome of a placement after a change. A statement that the change contradicts is removed, and its answers
 * are void.
 *
 * A validated outcome is final. Once an outcome is stated, the guarantee is fixed. Once a party has answered, the placement
 * stays between the same two parties. Throws the Refusal `outcome_closed` if the change would break one of these rules.
 */
export function reviseOutcome(revision: Revision): Pick<PlacementRecord, 'evidence'> {
  refuseChangeOfValidated(revision);
  refuseOtherParties(revision);
  refuseOtherGuarantee(revision);
  const evidence = reviseStatement(revision);
  const outcome = keepConversion({ ...revision, after: { ...revision.after, evidence } });
  return Object.keys(outcome).length > 0 || revision.before.evidence ? { evidence: outcome } : {};
}
