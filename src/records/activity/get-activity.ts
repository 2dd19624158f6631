import * as v from 'valibot';
import { createEntityTag } from '../../kernel/entity-tag.ts';
import type { Issue } from '../../kernel/envelope.ts';
import { Json, toBodyText } from '../../kernel/json.ts';
import { defineOperation, type OperationReply, runSteps } from '../../kernel/operation.ts';
import {
  checkCursor,
  createListReply,
  cutPageInSteps,
  decodeCursor,
  defaultLimit,
  filterSchema,
  type Page,
  paging,
} from '../../kernel/page.ts';
import type { Steps } from '../../kernel/steps.ts';
import { may, NonNegativeInteger, named, say, Time, upTo, wholeSchema } from '../../kernel/text.ts';
import {
  type ActivityEntry,
  mostActivity,
  mostHistory,
  mostRecordsOfEntry,
  vias,
} from '../../workspace/activity.ts';
import type { Kind } from '../kind/kind.ts';
import { findKindById } from '../kind/kind-list.ts';
import { openView } from '../read/in-view.ts';
import type { Context } from '../service.ts';
import { findOwnRecord, readHistories } from './history.ts';
import { changeEntries } from './member-changes.ts';
import { presentEntry, presentImported, presentSentence } from './present-entry.ts';

const path = '/workspace/activity';
/** The member of the reply that holds the changes. Its cursors belong to it. */
const collection = 'activity';

interface ActivityInput {
  since?: number | undefined;
  record?: string | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
}

const text = v.string();

/** In a record of an entry, if the reasons of its records differ. */
const ownRemarkEntries = {
  reason: may(text, 'Why it changed.'),
  effectiveDate: may(text, 'The day from which it counts.'),
};

/* @__NO_SIDE_EFFECTS__ */
const createRecordSchema = (kinds: readonly Kind[]) =>
  v.object({
    id: say(text, 'Its id.'),
    kind: say(v.picklist(kinds.map(({ name }) => name)), 'Its kind.'),
    name: say(v.nullable(text), 'Its name or title on that day; null if it is deleted.'),
    ...ownRemarkEntries,
  });

/* @__NO_SIDE_EFFECTS__ */
export const createEntrySchema = (kinds: readonly Kind[]) =>
  named(
    v.object({
      revision: say(NonNegativeInteger, 'Of the workspace after it; 1 made the workspace.'),
      at: Time,
      via: say(v.picklist(vias), 'The door, the owner, the link of a party, or a brief.'),
      client: may(text, 'The program, as it says of itself; `browser` for a browser.'),
      actor: may(text, 'Who asked for it, as the caller says (X-Actor).'),
      operation: say(text, 'Its operationId.'),
      records: upTo(
        mostRecordsOfEntry,
        createRecordSchema(kinds),
        'The first records that it wrote or deleted.',
      ),
      more: may(NonNegativeInteger, 'How many more it wrote.'),
      created: may(
        v.object(
          Object.fromEntries(
            kinds.map(({ name, plural }) => [name, may(NonNegativeInteger, `New ${plural}.`)]),
          ),
        ),
        'How many it created, by kind, if it wrote several.',
      ),
      members: may(v.array(text), 'The members that were sent, if one record changed.'),
      from: may(text, 'The status before, if one record moved.'),
      to: may(text, 'The status after.'),
      reason: may(text, 'Why, as the caller says. Each record has its own if they differ.'),
      effectiveDate: may(text, 'The day from which it counts, as the caller says.'),
      ...changeEntries,
      sentence: may(text, 'With `record`: what it did to that record, and why.'),
      imported: may(v.boolean(), 'It came with an import; its revision is 0.'),
    }),
    'ActivityEntry',
    'One change of the workspace.',
  );

/**
 * Returns an issue if a cursor belongs to the other order. A cursor holds a revision, which is negative if the
 * newest is first.
 */
function checkOrder({ since, cursor }: Readonly<Record<string, unknown>>): Issue[] {
  const position = typeof cursor === 'string' ? decodeCursor(collection, cursor) : undefined;
  if (position === undefined || (since === undefined ? position < 0 : position > 0)) return [];
  const sent =
    since === undefined ? 'came with since; send since too' : 'came without since; leave since out';
  return [{ path: 'cursor', message: `${sent}, or send no cursor` }];
}

/**
 * Positions from the newest entry to the oldest are negative. The last ones belong to the imported entries of a record.
 */
const toPosition = (revision: number) => -(revision + mostHistory);
const toRevision = (position: number) => -(position + mostHistory);

/** Presents entries, each at its position in its order. */
function presentRows(entries: readonly ActivityEntry[], { since, record }: ActivityInput, context: Context) {
  const view = openView(context);
  return entries.map((entry) => ({
    row: new Json({
      value: () => ({
        ...presentEntry(entry, view, context.service.kinds),
        ...presentSentence(entry, record, context),
      }),
    }),
    position: since === undefined ? toPosition(entry.revision) : entry.revision,
  }));
}

/** Presents what came with a record that was imported, newest first. */
function presentImportedRows(id: string, context: Context) {
  const kind = findKindById(context.service.kinds, id);
  const { history = [] } = findOwnRecord(id, context) ?? {};
  return history.toReversed().map((entry, index) => ({
    row: new Json({ value: () => presentImported(entry, { id, kind: kind! }, context) }),
    position: toPosition(-index),
  }));
}

/** Reads a page of the changes of one record. */
function* readRecordPage(record: string, input: ActivityInput, context: Context): Steps<Page<object>> {
  const { since, limit = defaultLimit, cursor } = input;
  const recorded = { record: findOwnRecord(record, context) ?? { id: record } };
  const newestFirst = (yield* readHistories([recorded], { since }, context)).get(record) ?? [];
  const after = cursor === undefined ? undefined : (decodeCursor(collection, cursor) ?? 0);
  const rows =
    since === undefined
      ? [...presentRows(newestFirst, input, context), ...presentImportedRows(record, context)]
      : presentRows(newestFirst.toReversed(), input, context);
  const rest = after === undefined ? rows : rows.filter(({ position }) => position > after);
  return yield* cutPageInSteps(collection, rest, { limit, total: rows.length });
}

/** Reads a page of all changes. */
async function readPage(input: ActivityInput, context: Context): Promise<Page<object>> {
  const { since, limit = defaultLimit, cursor } = input;
  const { head } = context.workspace!.contents;
  const { revision } = head;
  const position = cursor === undefined ? undefined : decodeCursor(collection, cursor);
  const after = since === undefined ? undefined : (position ?? since);
  const before = position === undefined ? revision + 1 : toRevision(position);
  const range = after === undefined ? { before } : { after };
  const entries = await context.service.store.readActivity(head, { ...range, limit: limit + 1 });
  const kept = entries.filter((entry) => entry.revision <= revision);
  const total = Math.min(Math.max(0, revision - (since ?? 0)), mostActivity);
  return runSteps(context, cutPageInSteps(collection, presentRows(kept, input, context), { limit, total }));
}

/** Says why there is no change to list. */
function explainNone({ record, since }: ActivityInput, revision: number): string {
  const after =
    since === undefined ? '' : ` after revision ${since}: the workspace is at revision ${revision}`;
  if (record === undefined) return `Nothing changed${after}.`;
  return `No kept change wrote a record with this id${after}. record takes an id, not a ref.`;
}

/** Lists the activity up to the revision that the workspace had when it was opened. */
async function getActivity(input: ActivityInput, context: Context): Promise<OperationReply> {
  const { since, record, cursor } = input;
  const { workspace, call } = context;
  const { revision } = workspace!.contents.head;
  const page =
    record === undefined
      ? await readPage(input, context)
      : await runSteps(context, readRecordPage(record, input, context));
  const position = cursor === undefined ? undefined : decodeCursor(collection, cursor);
  const after = since === undefined ? undefined : (position ?? since);
  const isTruncated = after !== undefined && after < revision - mostActivity;
  const lead = isTruncated ? { truncated: true } : {};
  const reply = createListReply(
    { path, member: collection, explainNone: () => explainNone(input, revision) },
    page,
    input,
    { call, lead },
  );
  const ETag = createEntityTag(toBodyText(reply.body));
  return { ...reply, headers: { ...reply.headers, ETag } };
}

export const activityOperation = defineOperation({
  operationId: 'getActivity',
  method: 'GET',
  path,
  input: v.object({
    since: v.optional(
      wholeSchema(0, Number.MAX_SAFE_INTEGER, 'Since', 'A revision: what came after it, oldest first.'),
    ),
    record: filterSchema('Record', 'The id of one record.'),
    ...paging,
  }),
  caching: { canWait: () => true },
  access: { workspace: 'required' },
  check: ({ cursor, since }) => [...checkCursor(collection, cursor), ...checkOrder({ cursor, since })],
  run: getActivity,
});
