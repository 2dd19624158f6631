import { filterSchema } from '../../kernel/page.ts';
import { warnOrRefuse } from '../../kernel/warnings.ts';
import type { Context } from '../service.ts';

const scopes = ['workspace', 'all', 'public'] as const;

/** Which records a caller sees: those of its workspace, those of the public seed, or both. */
export type Scope = (typeof scopes)[number];

export const scopeFilter = filterSchema('Scope', 'workspace, all or public (the seed).');

const isScope = (text: string): text is Scope => scopes.some((scope) => scope === text);

/** Says why there is nothing in the scope `workspace` of a caller without one. */
export const describeNoWorkspace = (plural: string) =>
  `No ${plural} match: X-Workspace (over MCP the argument workspace) was not sent. Send it, or leave scope out.`;

/**
 * Returns the scope that a query asks for, or the usual one: the workspace, or the seed for a caller without one. Warns
 * of an unknown scope, or refuses it if the caller asks for strict handling.
 */
export function readScope({ scope }: { scope?: string | undefined }, context: Context): Scope {
  if (scope !== undefined && isScope(scope)) return scope;
  if (scope !== undefined) {
    const known = 'workspace, all or public';
    const message = `is not ${known} and was ignored`;
    const refusal = `must be ${known}, or left out`;
    warnOrRefuse(context, [{ code: 'unknown_scope', path: 'scope', message, refusal }]);
  }
  return context.workspace ? 'workspace' : 'public';
}
