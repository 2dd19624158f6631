import type { WordedIssue } from '../../kernel/envelope.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Kind } from '../kind/kind.ts';
import { findKindByName } from '../kind/kind-list.ts';
import type { Context } from '../service.ts';
import { checkQueriedReference } from '../write/check-record.ts';

type Query = Readonly<Record<string, unknown>>;

/**
 * Returns an id as it is, and the id of the record for `#` and a ref. Returns undefined if no record of the
 * workspace has the ref.
 */
function resolve(target: Kind, reference: string, { workspace }: Context): string | undefined {
  if (!reference.startsWith('#')) return reference;
  return workspace?.contents.findByRef(target.name, reference.slice(1))?.record.id;
}

/**
 * Returns the query of a list with ids in the place of refs.
 *
 * Throws the Refusal `invalid_request` for a ref that no record has, and for an id of another kind. Keeps an
 * unknown id, which matches no record.
 */
export function resolveFilters<T extends Query>(kind: Kind, input: T, context: Context): T {
  const resolved: Record<string, unknown> = {};
  const issues: WordedIssue[] = [];
  for (const [member, name] of Object.entries(kind.references)) {
    const reference = input[member] as string | undefined;
    if (reference === undefined) continue;
    const target = findKindByName(context.service.kinds, name);
    const id = resolve(target, reference, context);
    const issue = checkQueriedReference(member, target, id ?? reference, context);
    if (issue) issues.push(issue);
    resolved[member] = id;
  }
  if (issues.length > 0) throw new Refusal('invalid_request', { issues });
  return { ...input, ...resolved };
}
