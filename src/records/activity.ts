import { headerOf } from '../kernel/call.ts';
import { type ActivityEntry, mostRecordsOfEntry, type Via } from '../workspace/activity.ts';
import type { DraftedRecord, DraftView } from '../workspace/draft.ts';
import type { Context } from './service.ts';

/** Characters of the name that a program gives itself. */
const longestClient = 40;
/** Characters of a longer name that are looked at. */
const mostRead = 200;

const viaToken: Readonly<Record<string, Via>> = { shortlist: 'shortlist', confirmation: 'confirmation' };

function findVia({ workspace, operation, options }: Context): Via {
  const door = options.isTool ? 'mcp' : 'http';
  if (workspace?.by === 'party') return viaToken[operation.access.capability?.argument ?? ''] ?? door;
  return workspace?.by === 'owner' ? 'owner' : door;
}

/** Cuts the name of a program to length, without control characters. Returns undefined if nothing is left. */
function shorten(name: string): string | undefined {
  const plain = name
    .slice(0, mostRead)
    .toWellFormed()
    .replace(/[\p{C}\s]+/gu, ' ');
  const short = [...plain.trim()].slice(0, longestClient).join('').trim();
  return short === '' ? undefined : short;
}

/**
 * Finds the program that makes a call, as it says of itself: the name of an MCP client, or the first product of its
 * User-Agent (RFC 9110 section 10.1.5). A browser is `browser`.
 */
function findClient({ call, options }: Context): string | undefined {
  const named = shorten(options.clientName ?? '');
  if (named !== undefined) return named;
  const agent = headerOf(call, 'user-agent')?.trim() ?? '';
  return /^Mozilla\//.test(agent) ? 'browser' : shorten(agent.split(/[/\s]/, 1)[0]!);
}

/** Finds the move that a change of a record made, if it made one. */
function findMove({ record, before }: DraftedRecord): { from: string; to: string } | undefined {
  const last = record.transitions?.at(-1);
  if (!last || last === before?.record.transitions?.at(-1)) return undefined;
  return { from: last.from, to: last.to };
}

/** Lists the members that a caller sent of a record. What a party sends is an answer, and no member. */
function listSent({ args, operation, workspace }: Context): string[] {
  if (operation.effect !== 'update' || workspace?.by === 'party') return [];
  return Object.keys(args).filter((name) => Object.hasOwn(operation.input.entries, name));
}

/** Describes a change for the activity of its workspace. It holds no text that a caller wrote in a record. */
export function describeActivity(
  { drafted, removed }: DraftView,
  context: Context,
  via = findVia(context),
): Omit<ActivityEntry, 'revision' | 'at'> {
  const records = [...drafted, ...removed].map(({ kind, record: { id } }) => ({ id, kind }));
  const client = findClient(context);
  const more = records.length - mostRecordsOfEntry;
  const only = records.length === 1 && drafted[0]?.before ? drafted[0] : undefined;
  const members = only ? listSent(context) : [];
  return {
    via,
    ...(client !== undefined && { client }),
    operation: context.operation.operationId,
    records: records.slice(0, mostRecordsOfEntry),
    ...(more > 0 && { more }),
    ...(members.length > 0 && { members }),
    ...(only && findMove(only)),
  };
}
