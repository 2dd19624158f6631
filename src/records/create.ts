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
  /** The path of the record in the request, before the names of its members: `candidates[3].`. */
  at: string;
}

function buildRecord(
  { kind, body }: SentRecord,
  service: RecordService,
  now: number,
  source: RecordSource,
): StoredRecord {
  const { status, transitions = [], ...rest } = body;
  const heldStatus = kind.lifecycle.stored.find((stored) => stored === status);
  // `by` names a link of the workspace that was exported. This workspace has no such link.
  const moves = (transitions as { at: string; by?: string }[]).map(({ by: _, at, ...move }) => ({
    ...move,
    at: Date.parse(at),
  }));
  const fact = {
    id: mintRecordId(service, kind.prefix),
    ...rest,
    createdAt: now,
    ...(moves.length > 0 && { transitions: moves }),
    ...(heldStatus && { asked: heldStatus }),
  } as StoredRecord;
  const { restore } = kind.transfer;
  return source === 'import' && restore ? restore(fact, status, now) : fact;
}

/**
 * Drafts records in their order, and returns their rows and warnings. A record can refer to those before it. Throws
 * a Refusal if a record is not allowed.
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
    const findings = checkRecord(kind, { record: fact, sent: body, source }, { view, today }, context);
    kind.rules.refuseSurplus?.(fact, view);
    const conflicts = [
      ...findings.warnings,
      ...(kind.rules.warn?.(fact, view, context.service, today) ?? []),
    ];
    issues.push(...findings.issues.map((issue) => ({ ...issue, path: at + issue.path })));
    if (source !== 'import')
      warnings.push(...conflicts.map((conflict) => ({ ...conflict, path: at + conflict.path })));
    view.put(kind.name, fact);
  }
  if (issues.length > 0) throw new Refusal('invalid_request', { issues });
  return { rows: records.map(({ kind, fact }) => presentRecord(kind, fact, view, today)), warnings };
}

/**
 * Creates records in one change. `presentRows` returns what the 201 shows of them, from their rows in the order of
 * the drafts.
 */
function createAll(
  drafts: readonly SentRecord[],
  context: Context,
  source: RecordSource,
  presentRows: (rows: readonly PresentedRecord[]) => Pick<OperationReply, 'headers'> & { members: object },
): Promise<OperationReply> {
  const byOperation = Map.groupBy(drafts, ({ kind }) => kind.texts.create.operationId);
  const calls = Object.fromEntries([...byOperation].map(([id, records]) => [id, records.length]));
  return writeChange(
    {
      calls,
      decide(writeContext) {
        const { rows, warnings } = draftRecords(drafts, writeContext, context, source);
        const { members, ...reply } = presentRows(rows);
        const body = { type: 'OK', ...members, ...presentCreated(writeContext) };
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

/** Creates records of several kinds: all of them, or none if one is refused. `bodies` holds them by collection. */
export function createRecords(
  bodies: Readonly<Record<string, readonly SentRecord['body'][]>>,
  context: Context,
): Promise<OperationReply> {
  const { kinds } = context.service;
  const sentKinds = kinds.filter(({ collection }) => bodies[collection]);
  const drafts = listSentRecords(kinds, bodies);
  return createAll(drafts, context, isExport(context.args) ? 'import' : 'batch', (rows) => ({
    members: Object.fromEntries(
      sentKinds.map((kind) => [kind.collection, rows.filter((_, index) => drafts[index]!.kind === kind)]),
    ),
  }));
}

/** Returns the reply to a create of `sample`, with ids and times that stand for real ones. */
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
