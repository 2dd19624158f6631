import { isObject } from '../kernel/json.ts';
import type { McpService } from './service.ts';

/** Links of a receipt and its keys. Results keep them, because no tool argument replaces them. */
const receiptLinks = ['receipt', 'keys'];

/** Lists the links that a result keeps: to what a record refers to, which are null if that is gone, and of a receipt. */
export const listKeptLinks = ({ kinds }: Pick<McpService, 'kinds'>): ReadonlySet<string> =>
  new Set([...kinds.flatMap(({ references }) => Object.values(references)), ...receiptLinks]);

/** Whether a row of a meter counted no call. */
const isUnused = (row: unknown) => isObject(row) && row.calls === 0;

/** Returns the value of a member, trimmed. Returns undefined if a result leaves the member out. */
function trimMember(name: string, value: unknown, kept: ReadonlySet<string>): unknown {
  if (name === 'links' && isObject(value)) {
    const links = Object.entries(value).filter(([link]) => kept.has(link));
    return links.length > 0 ? Object.fromEntries(links) : undefined;
  }
  if (!Array.isArray(value)) return trimResult(value, kept);
  const rows = value.filter((row) => !isUnused(row));
  return rows.length > 0 ? rows.map((row) => trimResult(row, kept)) : undefined;
}

/**
 * Returns the body of a reply without what a model has no use for: links other than those in `kept`, because a tool reads
 * a record by its id, empty lists, and rows of the meter without a call.
 */
export function trimResult(value: unknown, kept: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => trimResult(item, kept));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(
    ([name, member]) => [name, trimMember(name, member, kept)] as const,
  );
  return Object.fromEntries(members.filter(([, member]) => member !== undefined));
}
