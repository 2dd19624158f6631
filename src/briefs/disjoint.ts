import type { PartyRule, When } from './party.ts';
import { type Condition, fold, isSame, type Pattern } from './pattern.ts';

type Value = string | number | boolean;

/** Lists the values that a condition allows, or returns undefined if it is more than a list of values. */
function listValues(condition: Condition): Value[] | undefined {
  if (!Array.isArray(condition)) return typeof condition === 'object' ? undefined : [condition];
  const lists = condition.map(listValues);
  return lists.every((list) => list !== undefined) ? lists.flat() : undefined;
}

const foldValue = (value: Value) => (typeof value === 'string' ? fold(value) : value);

/** Whether `outer` allows every value that `inner` allows. False if that is not certain. */
function isWithin(inner: Condition, outer: Condition): boolean {
  if (isSame(inner, outer)) return true;
  const [innerValues, outerValues] = [listValues(inner), listValues(outer)];
  if (!innerValues || !outerValues) return false;
  return innerValues.every((value) => outerValues.some((other) => foldValue(other) === foldValue(value)));
}

/** Whether a condition matches a member that is not set. */
function allowsAbsent(condition: Condition): boolean {
  if (Array.isArray(condition)) return condition.some(allowsAbsent);
  if (typeof condition !== 'object') return false;
  return 'absent' in condition || ('not' in condition && !allowsAbsent(condition.not));
}

/** Whether two conditions certainly match no common value. */
function areApart(a: Condition, b: Condition): boolean {
  if (Array.isArray(a) && !listValues(a)) return a.every((one) => areApart(one, b));
  if (Array.isArray(b) && !listValues(b)) return b.every((one) => areApart(a, one));
  for (const [one, other] of [
    [a, b],
    [b, a],
  ] as const) {
    if (typeof one !== 'object' || Array.isArray(one)) continue;
    if ('not' in one && isWithin(other, one.not)) return true;
    if ('absent' in one && !allowsAbsent(other)) return true;
  }
  if (hasRecordPattern(a) && hasRecordPattern(b)) return arePatternsApart(a.record, b.record);
  const [aValues, bValues] = [listValues(a), listValues(b)];
  if (!aValues || !bValues) return false;
  return !aValues.some((value) => bValues.some((other) => foldValue(other) === foldValue(value)));
}

const hasRecordPattern = (condition: Condition): condition is { record: Pattern } =>
  typeof condition === 'object' && !Array.isArray(condition) && 'record' in condition;

/** Whether two patterns certainly match no common record, because of one member. */
export const arePatternsApart = (a: Pattern, b: Pattern): boolean =>
  Object.keys(a).some((path) => b[path] !== undefined && areApart(a[path]!, b[path]!));

/** Whether no change can be the cause of two rules. */
function areCausesApart(a: When, b: When): boolean {
  if (a.kind !== b.kind) return true;
  if ('to' in a && 'to' in b) return a.to !== b.to;
  if ('issued' in a && 'issued' in b) return a.issued !== b.issued;
  return false;
}

/** Returns the kind and the pattern of the records that a rule changes. */
export function findTarget({ when, if: pattern, does }: PartyRule): { kind: string; where: Pattern } {
  if ('each' in does && does.each) return does.each;
  return { kind: when.kind, where: 'to' in when ? { ...pattern, status: when.to } : pattern };
}

/** Whether two rules of one cause apply at different times. */
const areTimesApart = (a: PartyRule, b: PartyRule): boolean =>
  isSame([a.when, a.if], [b.when, b.if]) &&
  [
    [a, b],
    [b, a],
  ].some(([one, other]) => one!.until !== undefined && one!.until < other!.from);

/** Whether two rules certainly never change the same record because of the same change. */
export function areRulesApart(a: PartyRule, b: PartyRule): boolean {
  const [aTarget, bTarget] = [findTarget(a), findTarget(b)];
  return (
    areCausesApart(a.when, b.when) ||
    arePatternsApart(a.if, b.if) ||
    areTimesApart(a, b) ||
    aTarget.kind !== bTarget.kind ||
    arePatternsApart(aTarget.where, bTarget.where)
  );
}
