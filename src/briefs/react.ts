import type { Deed, PartyRule, When } from './party.ts';
import { isSame, listMisses, type PatternScope, readPath } from './pattern.ts';

/** A record that a change created or changed, as it is presented after it, and before it if it existed. */
export interface WrittenRow {
  kind: string;
  id: string;
  before?: object;
  after: object;
  /** What the change issued for it: a link to its shortlist, or a token to a party. */
  issued: readonly string[];
}

/** What a party does to one record. */
export interface PlannedReaction {
  kind: string;
  id: string;
  does: Deed;
  /** The party that was asked to confirm an outcome, if one was. */
  issued: string | undefined;
}

/** What the rules read of a workspace. */
export interface ReactionScope extends PatternScope {
  /** Lists the records of a kind, with their ids, oldest first. */
  listRows(kind: string): readonly { id: string; row: object }[];
}

/** How often each rule has matched in a workspace, by its id. */
type MatchCounts = Readonly<Record<string, number>>;

function isCause(when: When, { kind, before, after, issued }: WrittenRow): boolean {
  if (when.kind !== kind) return false;
  if ('issued' in when) return issued.includes(when.issued);
  const [path, isWanted] =
    'to' in when ? ['status', readPath(after, 'status') === when.to] : [when.changed, before !== undefined];
  return isWanted && !(before && isSame(readPath(before, path), readPath(after, path)));
}

/** Lists the records that a rule changes if a record was written. */
function listTargets({ does }: PartyRule, written: WrittenRow, scope: ReactionScope) {
  const each = 'each' in does ? does.each : undefined;
  if (!each) return [{ kind: written.kind, id: written.id }];
  const scopeOfCause = {
    ...scope,
    resolve: (value: unknown) => (value === '#this' ? written.id : scope.resolve(value)),
  };
  return scope
    .listRows(each.kind)
    .filter(({ row }) => listMisses(each.where, row, scopeOfCause).length === 0)
    .map(({ id }) => ({ kind: each.kind, id }));
}

/**
 * Returns the reactions of the parties to a change, in the order of their rules, and how often each rule has matched.
 * Reads the workspace as it is after the change, and changes nothing.
 */
export function planReactions(
  rules: readonly PartyRule[],
  matched: MatchCounts,
  written: readonly WrittenRow[],
  scope: ReactionScope,
): { reactions: PlannedReaction[]; matched: MatchCounts } {
  const counts: Record<string, number> = { ...matched };
  const reactions: PlannedReaction[] = [];
  for (const rule of rules) {
    const { id: name, when, from, until = Number.POSITIVE_INFINITY, does } = rule;
    for (const record of written) {
      if (!isCause(when, record) || listMisses(rule.if, record.after, scope).length > 0) continue;
      const count = (counts[name] ?? 0) + 1;
      counts[name] = count;
      if (count < from || count > until) continue;
      const issued = 'issued' in when ? when.issued : undefined;
      reactions.push(...listTargets(rule, record, scope).map((target) => ({ ...target, does, issued })));
    }
  }
  return { reactions, matched: counts };
}
