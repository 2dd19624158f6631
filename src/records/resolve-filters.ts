import type { Issue } from '../kernel/envelope.ts';
import type { Context } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { checkQueriedReference } from './check-record.ts';
import type { Kind } from './kind.ts';
import { toKindOf } from './kinds.ts';
import { toRefName } from './record.ts';

type Query = Readonly<Record<string, unknown>>;

/** The id that a filter names by `#` and a ref, if a record of the workspace has that ref. */
async function resolve(of: Kind, reference: string, { workspace, service }: Context) {
  if (!reference.startsWith('#')) return reference;
  if (!workspace) return undefined;
  const [found] = await service.store.find(workspace.key, [toRefName(of.name, reference.slice(1))]);
  return found?.record?.fact.id;
}

/** Whether a query filters by records that others refer to. */
export const hasReferences = ({ references }: Kind, input: Query): boolean =>
  Object.keys(references).some((member) => input[member] !== undefined);

/**
 * The query of a list with ids in the place of refs.
 *
 * Throws the Refusal `invalid_request` for a ref that no record has, and for an id of another kind. An unknown id stays:
 * nothing matches it.
 */
export async function resolveFilters<T extends Query>(kind: Kind, input: T, context: Context): Promise<T> {
  const resolved: Record<string, unknown> = {};
  const issues: Issue[] = [];
  for (const [member, name] of Object.entries(kind.references)) {
    const reference = input[member] as string | undefined;
    if (reference === undefined) continue;
    const of = toKindOf(name);
    const id = await resolve(of, reference, context);
    const issue = checkQueriedReference(member, of, id ?? reference, context);
    if (issue) issues.push(issue);
    resolved[member] = id;
  }
  if (issues.length > 0) throw new Refusal('invalid_request', { issues });
  return { ...input, ...resolved };
}
