import { headerOf } from '../../kernel/call.ts';
import { mostRecordsOfEntry, type Via } from '../../workspace/activity.ts';
import type { Change, NewActivity } from '../../workspace/change.ts';
import type { DraftedRecord } from '../../workspace/view.ts';
import type { ChangeContext, Context } from '../service.ts';

/** The most characters of a client's name that are stored. */
const longestClient = 40;
/** The most characters of a sent name that are read. */
const mostRead = 200;

const viaToken: Readonly<Record<string, Via>> = { shortlist: 'shortlist', confirmation: 'confirmation' };

function findVia({ workspace, operation, options }: Context): Via {
  const protocol = options.isTool ? 'mcp' : 'http';
  if (workspace?.by === 'party') return viaToken[operation.access.capability?.argument ?? ''] ?? protocol;
  return workspace?.by === 'owner' ? 'owner' : protocol;
}

/**
 * Returns the name of a program without control characters, cut to length. Returns undefined if nothing is left.
 */
function shorten(name: string): string | undefined {
  const plain = name
    .slice(0, mostRead)
    .toWellFormed()
    .replace(/[\p{C}\s]+/gu, ' ');
  const short = [...plain.trim()].slice(0, longestClient).join('').trim();
  return short === '' ? undefined : short;
}

/**
 * Finds the name that the calling program gives itself: the name of an MCP client, or the first product of its
 * User-Agent (RFC 9110 section 10.1.5). A browser is `browser`.
 */
function findClient({ call, options }: Context): string | undefined {
  const clientName = shorten(options.clientName ?? '');
  if (clientName !== undefined) return clientName;
  const agent = headerOf(call, 'user-agent')?.trim() ?? '';
  return /^Mozilla\//.test(agent) ? 'browser' : shorten(agent.split(/[/\s]/, 1)[0]!);
}

/** Returns the move of a change, or the reverse of a move that the change undid. Returns undefined if there is neither. */
function findMove({ record, before }: DraftedRecord): { from: string; to: string } | undefined {
  const moves = record.transitions ?? [];
  const earlierMoves = before?.record.transitions ?? [];
  const last = moves.at(-1);
  const earlierLast = earlierMoves.at(-1);
  if (earlierLast && moves.length < earlierMoves.length)
    return { from: earlierLast.to, to: earlierLast.from };
  if (!last || last === earlierLast) return undefined;
  return { from: last.from, to: last.to };
}

/** Lists the members that a caller sent of a record. A party sends an answer, which has no members. */
function listSent({ args, operation, workspace }: Context): string[] {
  if (operation.effect !== 'update' || workspace?.by === 'party') return [];
  return Object.keys(args).filter((name) => Object.hasOwn(operation.input.entries, name));
}

/** Counts the records that a change of several records created, by kind. */
function countCreated({ drafted, removed }: Change): { created?: Record<string, number> } {
  if (drafted.length + removed.length < 2) return {};
  const byKind = Map.groupBy(
    drafted.filter(({ before }) => !before),
    ({ kind }) => kind,
  );
  return { created: Object.fromEntries([...byKind].map(([kind, { length }]) => [kind, length])) };
}

/** What the activity says of a change beside its records. */
export interface ActivitySource {
  /** How the change reached the service. If absent, the protocol or the caller's token decides. */
  via?: Via;
  /** The members that the caller sent of one record. If absent, the arguments of an update. */
  members?: readonly string[];
}

/** Describes a change for the activity of its workspace. The description holds no text of a record. */
export function describeActivity(
  context: ChangeContext,
  { via = findVia(context), members = listSent(context) }: ActivitySource = {},
): NewActivity {
  const { drafted, removed } = context.change;
  const records = [...drafted, ...removed].map(({ kind, record: { id } }) => ({ id, kind }));
  const client = findClient(context);
  const more = records.length - mostRecordsOfEntry;
  const changedRecord = records.length === 1 && drafted[0]?.before ? drafted[0] : undefined;
  return {
    via,
    ...(client !== undefined && { client }),
    operation: context.operation.operationId,
    records: records.slice(0, mostRecordsOfEntry),
    ...(more > 0 && { more }),
    ...countCreated(context.change),
    ...(changedRecord && members.length > 0 && { members: [...members] }),
    ...(changedRecord && findMove(changedRecord)),
  };
}
