import { kinds } from '../kinds.ts';
import type { Kind } from '../records/kind/kind.ts';
import type { Brief } from './content-file.ts';
import { arePatternsApart, areRulesApart, findTarget } from './disjoint.ts';
import type { PartyRule } from './party.ts';
import type { Condition, Pattern } from './pattern.ts';

const findKind = (name: string): Kind | undefined => kinds.find((kind) => kind.name === name);

/** Lists the keys in a value: texts such as `#key`, which name a record of the fixture. */
function listKeys(value: unknown): string[] {
  if (typeof value === 'string') return /^#\S+$/.test(value) ? [value.slice(1)] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listKeys) : [];
}

/** Lists the patterns in a condition that are for the record that a member refers to. */
function listInnerPatterns(condition: Condition): Pattern[] {
  if (typeof condition !== 'object') return [];
  if (Array.isArray(condition)) return condition.flatMap(listInnerPatterns);
  if ('not' in condition) return listInnerPatterns(condition.not);
  return 'record' in condition ? [condition.record] : [];
}

/** Lists the members in a pattern that no record of a kind has. */
function checkPattern(pattern: Pattern, name: string): string[] {
  const kind = findKind(name);
  if (!kind) return [`names the kind ${name}; the kinds are ${kinds.map((one) => one.name).join(', ')}`];
  const { entries } = kind.record;
  return Object.entries(pattern).flatMap(([path, condition]) => {
    if (!Object.hasOwn(entries, path.split('.')[0]!)) return [`can never apply: no ${kind.noun} has ${path}`];
    const inner = listInnerPatterns(condition);
    const target = kind.references[path];
    if (inner.length > 0 && target === undefined)
      return [`can never apply: ${path} of a ${kind.noun} refers to no record`];
    return inner.flatMap((one) => checkPattern(one, target!));
  });
}

/** Lists the reasons why the cause of a rule can never happen. */
function checkCause({ when, if: pattern, from, until }: PartyRule): string[] {
  const problems = checkPattern(pattern, when.kind);
  const kind = findKind(when.kind);
  if (!kind) return problems;
  if ('to' in when && !kind.lifecycle.statuses.includes(when.to))
    problems.push(`can never apply: no ${kind.noun} is ${when.to}`);
  if ('to' in when && arePatternsApart({ status: when.to }, pattern))
    problems.push(`can never apply: its if needs another status than ${when.to}`);
  if ('changed' in when) problems.push(...checkPattern({ [when.changed]: true }, when.kind));
  if (until !== undefined && until < from)
    problems.push(`can never apply: its last time, ${until}, is before its first, ${from}`);
  return problems;
}

/** Lists the reasons why a party can never do what a rule says. */
function checkDeed(rule: PartyRule): string[] {
  const { when, does } = rule;
  const { kind: name, where } = findTarget(rule);
  const kind = findKind(name);
  if (!kind) return checkPattern(where, name);
  const problems = checkPattern(where, name);
  if ('answer' in does && !('issued' in when && when.issued !== 'shortlist'))
    problems.push('answers a confirmation, so its when must be {"kind": "placement", "issued": PARTY}');
  if ('decide' in does && name !== 'placement')
    problems.push('decides on placements, so it needs an each of kind placement');
  if (!('change' in does)) return problems;
  const { status, reason: _, ...members } = does.change;
  const known = { ...kind.body.entries, ...kind.lifecycle.details?.entries };
  for (const member of Object.keys(members))
    if (!Object.hasOwn(known, member)) problems.push(`changes ${member}, and no ${kind.noun} takes it`);
  if (status !== undefined && !kind.lifecycle.moves.some(({ to }) => to === status))
    problems.push(`moves a ${kind.noun} to ${String(status)}, and no move leads there`);
  return problems;
}

/** Whether the change that one rule makes is the cause of another. */
function isCauseOf({ does, ...rule }: PartyRule, other: PartyRule): boolean {
  const { kind, where } = findTarget({ does, ...rule });
  const { when } = other;
  if (when.kind !== kind || 'issued' in when) return false;
  const patch: Readonly<Record<string, unknown>> =
    'change' in does
      ? does.change
      : { status: 'decide' in does ? { interview: 'interviewing', decline: 'declined' }[does.decide] : '' };
  if ('changed' in when) return Object.hasOwn(patch, when.changed.split('.')[0]!);
  const { status: _, ...before } = where;
  return patch.status === when.to && !arePatternsApart(before, other.if);
}

/** Returns the ids of rules that lead from one to itself, or undefined if none do. */
function findCircle(rules: readonly PartyRule[], path: readonly PartyRule[]): string[] | undefined {
  for (const next of rules.filter((other) => isCauseOf(path.at(-1)!, other))) {
    if (next === path[0]) return path.map(({ id }) => id);
    const circle = path.includes(next) ? undefined : findCircle(rules, [...path, next]);
    if (circle) return circle;
  }
  return undefined;
}

/** Lists the rules that collide or run in a circle. */
function checkTogether(rules: readonly PartyRule[]): string[] {
  const problems: string[] = [];
  for (const [place, rule] of rules.entries()) {
    const circle = findCircle(rules, [rule]);
    if (circle?.length === 1) problems.push(`rule ${rule.id} would react to itself`);
    else if (circle && circle[0] === [...circle].sort()[0])
      problems.push(`rules ${circle.join(', ')} would react to each other in a circle`);
    for (const other of rules.slice(place + 1)) {
      if (rule.id === other.id) problems.push(`two rules are called ${rule.id}`);
      else if (!areRulesApart(rule, other))
        problems.push(
          `rules ${rule.id} and ${other.id} can answer one change of one record; give both a member in if, or in where, that tells them apart`,
        );
    }
  }
  return problems;
}

/** Lists the mistakes in the people of a brief: rules that can never apply, that collide, or that run in a circle. */
export function checkParties({ fixture, parties }: Pick<Brief, 'fixture' | 'parties'>): string[] {
  const rules = parties.flatMap((party) => party.rules);
  const keys = new Set(
    Object.values(fixture)
      .flat()
      .map(({ ref }) => ref),
  );
  const alone = rules.flatMap((rule) => {
    const unknown = listKeys(rule).filter((key) => key !== 'this' && !keys.has(key));
    return [
      ...unknown.map((key) => `can never apply: no record of the fixture is called ${key}`),
      ...checkCause(rule),
      ...checkDeed(rule),
    ].map((problem) => `rule ${rule.id} ${problem}`);
  });
  return alone.length > 0 ? alone : checkTogether(rules);
}
