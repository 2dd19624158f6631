import type { Calls } from '../../kernel/cost.ts';
import { type Finding, mostPlaces, pickRefusable, type WordedIssue } from '../../kernel/envelope.ts';
import type { OperationReply } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { runAtOnce, type Steps } from '../../kernel/steps.ts';
import type { HistoryEntry } from '../../workspace/activity.ts';
import type { StoredRecord } from '../../workspace/record.ts';
import { mintRecordId } from '../account/workspace.ts';
import { presentRetention } from '../account/workspace-state.ts';
import { checkHistory, withUtcTimes } from '../activity/history-input.ts';
import type { Source } from '../batch/batch-source.ts';
import { presentChanges, type SentChange } from '../batch/draft-changes.ts';
import { draftUpsertInSteps } from '../batch/draft-upsert.ts';
import { createIdFinder, resolveSentIds } from '../batch/exported-ids.ts';
import { type FindId, type KnownRecord, type SentRecord, splitKnown } from '../batch/upsert.ts';
import type { Kind } from '../kind/kind.ts';
import { byCollection } from '../kind/kind-list.ts';
import type { PresentedRecord } from '../kind/record.ts';
import { checkMoveTimes } from '../kind/transitions.ts';
import { presentDrafted } from '../read/view.ts';
import type { ChangeContext, Context } from '../service.ts';
import { presentAffected } from './affected.ts';
import { checkRecord, refuseKnownRef } from './check-record.ts';
import { changeWorkspace } from './write.ts';

/** Returns what was decided for the caller because the records do not say it, as a member of the reply. */
function presentDefaults(kinds: readonly Kind[], drafts: readonly SentRecord[]): { statement?: string } {
  const sentences = kinds.flatMap((kind) => {
    const bodies = drafts.flatMap((draft) => (draft.kind === kind ? [draft.body] : []));
    return kind.rules.explainDefaults?.(bodies) ?? [];
  });
  return sentences.length > 0 ? { statement: sentences.join(' ') } : {};
}

function buildRecord({ kind, body }: SentRecord, context: ChangeContext, source: Source): StoredRecord {
  const { now, today } = context.change;
  const { id: _, status, transitions = [], history, ...rest } = body;
  const heldStatus = kind.lifecycle.stored.find((stored) => stored === status);
  // `by` names a link of the workspace that was exported. This workspace has no such link.
  const moves = (transitions as { at: string; by?: string; reviewer?: string }[]).map(
    ({ by: __, reviewer: ___, at, ...move }) => ({
      ...move,
      at: Date.parse(at),
    }),
  );
  const fact = {
    id: mintRecordId(context.service, kind.prefix),
    ...rest,
    createdAt: now,
    ...(moves.length > 0 && { transitions: moves }),
    ...(history !== undefined && { history: withUtcTimes(history as readonly HistoryEntry[]) }),
  } as StoredRecord;
  const { isStatusDerived, restore } = kind.transfer;
  const isDerived = isStatusDerived?.(fact, source.from === 'import' ? source.day : today) ?? false;
  if (heldStatus && !isDerived) fact.asked = heldStatus;
  return source.from === 'import' && restore ? restore(fact, status, now) : fact;
}

/** What was found in the records of a batch so far. */
interface Findings {
  issues: WordedIssue[];
  warnings: Finding[];
}

/**
 * Throws a Refusal if a batch has more issues than a refusal names, or under strict handling more warnings. The records
 * that follow are not looked at, so a refused batch costs little.
 */
function refuseMany({ issues, warnings }: Findings, { options }: Context): void {
  if (issues.length > mostPlaces) throw new Refusal('invalid_request', { issues });
  const refusable = options.isStrict ? pickRefusable(warnings) : [];
  if (issues.length === 0 && refusable.length > mostPlaces)
    throw new Refusal('conflict', { issues: refusable });
}

/** Drafts a record, and adds what is found in it. Throws a Refusal for a proposal too many. */
function draftOne(
  { kind, body, at, fact }: SentRecord & { fact: StoredRecord },
  context: ChangeContext,
  { source, issues, warnings }: Findings & { source: Source },
): void {
  const { change: view } = context;
  const { now, today } = view;
  const findings = checkRecord(
    kind,
    { record: fact, sent: body, source: source.from },
    { view, today },
    context,
  );
  kind.rules.refuseSurplus?.(fact, view);
  const conflicts = kind.rules.warn?.(fact, view, context.service, today) ?? [];
  const { transitions = [], history = [] } = fact;
  const pastIssues = [...checkMoveTimes(transitions, now), ...checkHistory(history, now, context.service)];
  for (const issue of [...findings.issues, ...pastIssues]) issues.push({ ...issue, path: at + issue.path });
  if (source.from !== 'import')
    for (const warning of [...findings.warnings, ...conflicts])
      warnings.push({ ...warning, path: at + warning.path });
  view.put(kind.name, fact);
}

/**
 * Drafts records in their order, and returns their ids, issues and warnings. A record can refer to those before it. Throws
 * a Refusal for a ref that another record has, for a proposal too many, and for more issues than a refusal names.
 */
function* draftRecordsInSteps(
  drafts: readonly SentRecord[],
  context: ChangeContext,
  { source, known = [] }: { source: Source; known?: readonly KnownRecord[] },
): Steps<Findings & { records: { kind: Kind; id: string }[]; findId: FindId }> {
  const found = { source, issues: [], warnings: [] } satisfies Findings & { source: Source };
  const records = drafts.map((draft) => ({
    ...draft,
    fact: buildRecord(draft, context, source),
  }));
  for (const { kind, body, at } of records) refuseKnownRef(kind, body.ref, context.change, { at });
  const findId = createIdFinder({ created: records, known }, context, source);
  resolveSentIds(records, findId);
  for (const record of records) {
    draftOne(record, context, found);
    refuseMany(found, context);
    yield;
  }
  const { issues, warnings } = found;
  return { records: records.map(({ kind, fact: { id } }) => ({ kind, id })), findId, issues, warnings };
}

/** Drafts records without letting others in between. Throws a Refusal if a record has an issue. */
export function draftRecords(drafts: readonly SentRecord[], context: ChangeContext, source: Source) {
  const { issues, ...drafted } = runAtOnce(draftRecordsInSteps(drafts, context, { source }));
  if (issues.length > 0) throw new Refusal('invalid_request', { issues });
  return drafted;
}

/** Counts the calls of operations to charge. */
const countCalls = (operationIds: readonly string[]): Calls =>
  Object.fromEntries([...Map.groupBy(operationIds, (id) => id)].map(([id, calls]) => [id, calls.length]));

/** Creates one record. Replies with it as it reads, and with what else the create decided. */
export function createRecord(
  kind: Kind,
  body: SentRecord['body'],
  context: Context,
): Promise<OperationReply> {
  const draft = { kind, body, at: '' };
  const create = (changing: ChangeContext): OperationReply => {
    const { change, service } = changing;
    const { records, warnings } = draftRecords([draft], changing, { from: 'one' });
    change.warn(warnings);
    const row = presentDrafted(kind, records[0]!.id, change);
    const members = {
      [kind.name]: row,
      ...presentAffected([row.id], changing),
      ...presentDefaults([kind], [draft]),
      ...presentRetention(change, service),
    };
    return { status: 201, headers: { Location: row.links.self }, body: { type: 'OK', ...members } };
  };
  return changeWorkspace(context, create, { showsWorkspace: true });
}

/** Lists the records of a batch in the order in which they are created: kind by kind. */
export const listSentRecords = (
  kinds: readonly Kind[],
  bodies: Readonly<Record<string, readonly SentRecord['body'][]>>,
): SentRecord[] =>
  kinds.flatMap((kind) =>
    (bodies[kind.collection] ?? []).map((body, index) => ({
      kind,
      body,
      at: `${kind.collection}[${index}].`,
    })),
  );

interface Batch {
  /** The records to create, by collection. */
  bodies: Readonly<Record<string, readonly SentRecord['body'][]>>;
  /** Whether a record whose ref is known is a change of it. It comes before the other changes. */
  isUpsert?: boolean;
  changes?: readonly SentChange[] | undefined;
  source: Source;
}

/** Creates and then changes records of several kinds: all of them, or none if one is refused. */
export function writeBatch(batch: Batch, context: Context): Promise<OperationReply> {
  const { kinds } = context.service;
  const { bodies, changes = [], isUpsert } = batch;
  const drafts = listSentRecords(kinds, bodies);
  const sent = [...changes.map(({ patch }) => patch), ...(isUpsert ? drafts.map(({ body }) => body) : [])];
  return changeWorkspace(context, (changing) => draftBatch(batch, drafts, changing), {
    calls: ({ body }) => countBatchCalls(kinds, body as BatchReply),
    members: [...new Set(sent.flatMap((members) => Object.keys(members)))],
    showsWorkspace: true,
  });
}

/** The members of a reply to a batch: the created records by collection, and the changed ones by kind. */
type BatchReply = Readonly<Record<string, readonly object[] | undefined>>;

function countBatchCalls(kinds: readonly Kind[], reply: BatchReply): Calls {
  const { changes = [] } = reply;
  const creates = kinds.flatMap(({ collection, texts }) =>
    (reply[collection] ?? []).map(() => texts.create.operationId),
  );
  const updates = kinds.flatMap(({ name, texts }) =>
    changes.filter((row) => name in row).map(() => texts.update.operationId),
  );
  return countCalls([...creates, ...updates]);
}

function* draftBatch(
  { bodies, source, isUpsert, changes: sentChanges }: Batch,
  drafts: readonly SentRecord[],
  context: ChangeContext,
): Steps<OperationReply> {
  const { change, service } = context;
  const split = isUpsert ? yield* splitKnown(drafts, context) : { creates: drafts, known: [] };
  const { creates, known } = split;
  const created = yield* draftRecordsInSteps(creates, context, { source, known });
  const changed = yield* draftUpsertInSteps({ known, sentChanges, source }, context, created);
  change.warn(changed.warnings);
  // A refresh may find nothing to change.
  if (change.drafted.length === 0) change.discard();
  const rows: { kind: Kind; row: PresentedRecord }[] = [];
  for (const { kind, id } of created.records) {
    rows.push({ kind, row: presentDrafted(kind, id, change) });
    yield;
  }
  const sentKinds = service.kinds.filter(({ collection }) => bodies[collection]);
  const listOf = (wanted: Kind) => rows.filter(({ kind }) => kind === wanted).map(({ row }) => row);
  const shown = [...created.records, ...changed.records].map(({ id }) => id);
  const body = {
    type: 'OK',
    ...byCollection(sentKinds, listOf),
    ...((isUpsert || sentChanges) && { changes: presentChanges(changed.records, change) }),
    ...presentAffected(shown, context),
    ...(source.from === 'batch' && presentDefaults(service.kinds, creates)),
    ...(creates.length > 0 && presentRetention(change, service)),
  };
  return { status: creates.length > 0 ? 201 : 200, body };
}
