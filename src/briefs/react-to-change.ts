import type { OperationReply } from '../kernel/operation.ts';
import type { PresentedRecord } from '../records/kind/record.ts';
import { presentDrafted, presentRecord } from '../records/read/view.ts';
import type { ChangeContext, GradedBrief } from '../records/service.ts';
import { presentAffected, presentAffectedRecord } from '../records/write/affected.ts';
import { tagRecord } from '../records/write/change.ts';
import { View } from '../workspace/view.ts';
import { createReactionScope, draftReactions, listWritten, type PartyChange } from './apply-reactions.ts';
import type { PartyRule } from './party.ts';
import { planReactions } from './react.ts';

/** A reply names at most this many other records. */
const mostAffected = 20;

/** What parties changed, and the ids of the records that the caller wrote. */
interface Reactions {
  partyChanges: readonly PartyChange[];
  written: readonly string[];
}

/** Presents the records of a reply again, after the reactions. Returns the body and the ids of its records. */
function presentAgain(body: Record<string, unknown>, { change, service }: ChangeContext) {
  const shown = new Set<string>();
  const refresh = (name: string, value: unknown): unknown => {
    const kind = service.kinds.find((one) => one.name === name || one.collection === name);
    if (!kind) return value;
    if (Array.isArray(value)) return value.map((row) => refresh(name, row));
    const { id } = (value ?? {}) as { id?: string };
    if (id === undefined || !change.find(kind.name, id)) return value;
    shown.add(id);
    return presentDrafted(kind, id, change);
  };
  const refreshMembers = (members: object) =>
    Object.fromEntries(Object.entries(members).map(([name, value]) => [name, refresh(name, value)]));
  const { changes } = body;
  const refreshed: Record<string, unknown> = {
    ...refreshMembers(body),
    ...(Array.isArray(changes) && { changes: changes.map(refreshMembers) }),
  };
  return { refreshed, shown };
}

/** Lists the records outside the reply that the change affects: first those that a party changed. */
function listAffected(
  { partyChanges, written }: Reactions,
  shown: ReadonlySet<string>,
  context: ChangeContext,
) {
  const { change: view } = context;
  const earlierView = new View(view.seed, view.workspace);
  const changed = new Map(partyChanges.map(({ kind, id }) => [id, kind]));
  const rows = [...changed].flatMap(([id, kind]) => {
    const before = view.workspace?.find(kind.name, id)?.record;
    if (shown.has(id) || !before) return [];
    const earlier = presentRecord(kind, before, earlierView, view.today);
    return presentAffectedRecord(kind, id, earlier, presentDrafted(kind, id, view)) ?? [];
  });
  const ids = [...shown, ...written, ...changed.keys()];
  return [...rows, ...(presentAffected(ids, context).affected ?? [])].slice(0, mostAffected);
}

/** Returns the reply to a change after the reactions. Records that it does not show are listed in `affected`. */
function presentReply(
  { body, headers, ...rest }: OperationReply,
  reactions: Reactions,
  context: ChangeContext,
): OperationReply {
  const { affected: _, ...members } = body as Record<string, unknown>;
  const { refreshed, shown } = presentAgain(members, context);
  const affected = listAffected(reactions, shown, context);
  const row = context.service.kinds.map(({ name }) => refreshed[name]).find((one) => one !== undefined);
  return {
    ...rest,
    body: { ...refreshed, ...(affected.length > 0 && { affected }) },
    ...(headers && {
      headers: { ...headers, ...(headers.ETag && row && { ETag: tagRecord(row as PresentedRecord) }) },
    }),
  };
}

/** Lets the parties of a brief react to a change, as a part of it. Returns the reply after that. */
export function reactToChange(
  brief: GradedBrief,
  reply: OperationReply,
  context: ChangeContext,
): OperationReply {
  const { change } = context;
  const written = listWritten(context);
  const { reactions, matched } = planReactions(
    brief.rules as readonly PartyRule[],
    brief.matched ?? {},
    written,
    createReactionScope(context),
  );
  if (Object.keys(matched).length === 0) return reply;
  const partyChanges = draftReactions(reactions, context);
  change.state = { ...change.state, brief: { ...brief, matched } };
  change.activity.push(...partyChanges.map(({ entry }) => entry));
  if (partyChanges.length === 0) return reply;
  return presentReply(reply, { partyChanges, written: written.map(({ id }) => id) }, context);
}
