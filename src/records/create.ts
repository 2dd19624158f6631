import type { Finding, WordedIssue } from '../kernel/envelope.ts';
import type { OperationReply } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { toIsoDate } from '../kernel/text.ts';
import type { StoredRecord } from '../workspace/record.ts';
import { View } from '../workspace/view.ts';
import { checkRecord, type RecordSource, refuseKnownRef } from './check-record.ts';
import { isExport } from './export.ts';
import type { Kind } from './kind.ts';
import type { PresentedRecord } from './record.ts';
import { presentCreated } from './retention.ts';
import type { Context, RecordService } from './service.ts';
import { presentRecord } from './view.ts';
import { mintRecordId } from './workspace.ts';
import { type WriteContext, writeChange } from './write.ts';

interface SentRecord {
  kind: Kind;
  body: Readonly<Record<string, unknown>>;
  /** The prefix of its members in a path that names a place in the request: `candidates[3].`. */
  at: string;
}

function buildRecord(
  { kind, body }: SentRecord,
  service: RecordService,
  now: number,
  source: RecordSource,
): StoredRecord {
  const { status, transitions = [], ...rest } = body;
  const heldStatus = kind.lifecycle.stored.find((one) => one === status);
  // What came through a link elsewhere did not come through one here.
  const moved = (transitions as { at: string; by?: string }[]).map(({ by: _, at, ...one }) => ({
    ...one,
    at: Date.parse(at),
  }));
  const fact = {
    id: mintRecordId(service, kind.prefix),
    ...rest,
    createdAt: now,
    ...(moved.length > 0 && { transitions: moved }),
    ...(heldStatus && { asked: heldStatus }),
  } as StoredRecord;
  const { restore } = kind.transfer;
  return source === 'import' && restore ? restore(fact, status, now) : fact;
}

/**
 * Drafts records, and returns how they then read and what they disagree with, in their order. A record can refer to those
 * before it.
 */
export function draftRecords(
  drafts: readonly SentRecord[],
  { view, now }: WriteContext,
  context: Context,
  source: RecordSource,
) {
  const issues: WordedIssue[] = [];
  const warnings: Finding[] = [];
  const today = toIsoDate(now);
  const records = drafts.map((draft) => ({
    ...draft,
    fact: buildRecord(draft, context.service, now, source),
  }));
  for (const { kind, body, at } of records) refuseKnownRef(kind, body.ref, view, { at });
  for (const { kind, body, at, fact } of records) {
    const found = checkRecord(kind, { record: fact, sent: body, source }, { view, today }, context);
    kind.rules.refuseSurplus?.(fact, view);
    const warned = [...found.warnings, ...(kind.rules.warn?.(fact, view, context.service, today) ?? [])];
    issues.push(...found.issues.map((one) => ({ ...one, path: at + one.path })));
    if (source !== 'import') warnings.push(...warned.map((one) => ({ ...one, path: at + one.path })));
    view.put(kind.name, fact);
  }
  if (issues.length > 0) throw new Refusal('invalid_request', { issues });
  return { rows: records.map(({ kind, fact }) => presentRecord(kind, fact, view, today)), warnings };
}

/** Makes records in one step; `presentRows` says what the 201 tells of them, in the order of the drafts. */
function createAll(
  drafts: readonly SentRecord[],
  context: Context,
  source: RecordSource,
  presentRows: (rows: readonly PresentedRecord[]) => Pick<OperationReply, 'headers'> & { members: object },
): Promise<OperationReply> {
  const byOperation = Map.groupBy(drafts, ({ kind }) => kind.texts.create.operationId);
  const calls = Object.fromEntries([...byOperation].map(([id, made]) => [id, made.length]));
  return writeChange(
    {
      calls,
      decide(moment) {
        const { rows, warnings } = draftRecords(drafts, moment, context, source);
        const { members, ...reply } = presentRows(rows);
        const body = { type: 'OK', ...members, ...presentCreated(moment) };
        return { warnings, outcome: { status: 201, ...reply, body } };
      },
    },
    context,
  );
}

export function createRecord(
  kind: Kind,
  body: SentRecord['body'],
  context: Context,
): Promise<OperationReply> {
  return createAll([{ kind, body, at: '' }], context, 'one', ([row]) => ({
    headers: { Location: row!.links.self },
    members: { [kind.name]: row },
  }));
}

/** The records in a batch, in the order in which they are made: kind by kind. */
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

/** Creates records of several kinds, by the name of their collection; a `#ref` that names nothing refuses all. */
export function createRecords(
  bodies: Readonly<Record<string, readonly SentRecord['body'][]>>,
  context: Context,
): Promise<OperationReply> {
  const { kinds } = context.service;
  const sent = kinds.filter(({ collection }) => bodies[collection]);
  const drafts = listSentRecords(kinds, bodies);
  return createAll(drafts, context, isExport(context.args) ? 'import' : 'batch', (rows) => ({
    members: Object.fromEntries(
      sent.map((kind) => [kind.collection, rows.filter((_, index) => drafts[index]!.kind === kind)]),
    ),
  }));
}

/** What a create of `sample` would answer, with ids and times that stand for the real ones. */
export function buildCreateExample(
  kind: Kind,
  sample: object,
  service: RecordService,
): Record<string, unknown> {
  const now = Date.parse(`${service.catalogue.seed.asOf}T00:00:00Z`);
  const fact = { id: `${kind.prefix}0000000000000000`, ...sample, createdAt: now } as StoredRecord;
  const row = presentRecord(kind, fact, new View(service.seed.workspace), toIsoDate(now));
  const members = presentCreated({ now, head: undefined, service });
  return { type: 'OK', [kind.name]: row, ...members, workspace: `ws_${'0'.repeat(39)}` };
}
