import type { Part } from '../kernel/wording.ts';

/** Words a part of a text for a model, which knows tools and arguments but no addresses or headers. */
export function wordForMcp(part: Part): string {
  if ('mcp' in part) return part.mcp;
  if (!('operation' in part)) return `the argument ${part.argument}`;
  const { operation, argument } = part;
  return argument === undefined ? `the tool ${operation}` : `the tool ${operation} with ${argument}`;
}
