import { headerOf } from '../../kernel/call.ts';
import { isVisible } from '../../kernel/plain-text.ts';
import {
  type MemberChange,
  mostRecordsOfEntry,
  type RecordOfEntry,
  type Via,
} from '../../workspace/activity.ts';
import type { Change, NewActivity } from '../../workspace/change.ts';
import { type DraftedRecord, View } from '../../workspace/view.ts';
import type { Kind } from '../kind/kind.ts';
import { findKindByName } from '../kind/kind-list.ts';
import type { PresentedRecord } from '../kind/record.ts';
import { presentDrafted, presentRecord } from '../read/view.ts';
import type { ChangeContext, Context } from '../service.ts';
import { fitEntry } from './fit-entry.ts';
import { listMemberChanges, listToldMembers } from './member-changes.ts';
import { describeName } from './record-names.ts';
import { remarkNames } from './remark.ts';

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
 * Returns the name of a program without control characters, cut to length. Returns undefined if nothing is left to see.
 */
function shorten(name: string): string | undefined {
  const plain = name
    .slice(0, mostRead)
    .toWellFormed()
    .replace(/[\p{C}\s]+/gu, ' ');
  const short = [...plain.trim()].slice(0, longestClient).join('').trim();
  return isVisible(short) ? short : undefined;
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

/** Lists what a change did to the members of records that existed. */
function listEntryChanges(drafted: readonly DraftedRecord[], context: ChangeContext): MemberChange[] {
  const { change: view, service } = context;
  const earlierView = new View(view.seed, view.workspace);
  return drafted.flatMap(({ kind: name, record, before }) => {
    if (!before) return [];
    const kind = findKindByName(service.kinds, name);
    const [earlier, later] = [
      presentRecord(kind, before.record, earlierView, view.today),
      presentRecord(kind, record, view, view.today),
    ];
    const changes = listMemberChanges(kind, listToldMembers(kind), earlier, later);
    return changes.map((change) => ({ id: record.id, ...change }));
  });
}

/** Names the records of an entry as they are after the change, and says why they changed. */
function describeRecords(
  { drafted, removed }: Pick<Change, 'drafted' | 'removed'>,
  { change, service }: ChangeContext,
): RecordOfEntry[] {
  return [...drafted, ...removed].slice(0, mostRecordsOfEntry).map(({ kind, record: { id } }) => ({
    id,
    kind,
    ...describeName(findKindByName(service.kinds, kind), id, change, service.kinds),
    ...change.takeRemark(id),
  }));
}

/** Describes a change for the activity of its workspace. */
export function describeActivity(
  context: ChangeContext,
  { via = findVia(context), members = listSent(context) }: ActivitySource = {},
): NewActivity {
  const { change, options, operation } = context;
  const { drafted, removed } = change;
  const client = findClient(context);
  const count = drafted.length + removed.length;
  const more = count - mostRecordsOfEntry;
  const changedRecord = count === 1 && drafted[0]?.before ? drafted[0] : undefined;
  const sent = members.filter((name) => !remarkNames.some((remark) => remark === name));
  return fitEntry({
    via,
    ...(client !== undefined && { client }),
    ...(options.actor !== undefined && { actor: options.actor }),
    operation: operation.operationId,
    records: describeRecords(change, context),
    ...(more > 0 && { more }),
    ...countCreated(change),
    ...(changedRecord && sent.length > 0 && { members: sent }),
    ...(changedRecord && findMove(changedRecord)),
    changes: listEntryChanges(drafted, context),
  });
}

/** Describes the change of one record that no caller sent. `earlier` is the record as it was presented before. */
export function describeRecordChange(
  source: Pick<NewActivity, 'via' | 'operation'> & { members: readonly string[] },
  { kind, id, earlier }: { kind: Kind; id: string; earlier: PresentedRecord },
  context: ChangeContext,
): NewActivity {
  const { change } = context;
  const { record } = change.findOwn(kind.name, id)!;
  const later = presentDrafted(kind, id, change);
  const members = source.members.filter((name) => !remarkNames.some((remark) => remark === name));
  const isMoved = record.transitions?.at(-1)?.at === change.now && earlier.status !== later.status;
  const changes = listMemberChanges(kind, listToldMembers(kind), earlier, later);
  return fitEntry({
    via: source.via,
    operation: source.operation,
    records: describeRecords({ drafted: [{ kind: kind.name, record }], removed: [] }, context),
    ...(members.length > 0 && { members }),
    ...(isMoved && { from: earlier.status, to: later.status }),
    changes: changes.map((one) => ({ id, ...one })),
  });
}
