import type { Finding, Issue } from '../kernel/envelope.ts';
import type { Context, Outcome } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Service } from '../kernel/service.ts';
import { toDay } from '../kernel/text.ts';
import { checkRecord, type Manner, refuseKnownRef } from './check-record.ts';
import { isExport } from './export.ts';
import type { Kind } from './kind.ts';
import { kinds } from './kinds.ts';
import { type PresentedRecord, type StoredRecord, toRefName } from './record.ts';
import { RecordsInView } from './records-in-view.ts';
import { toCreatedMembers } from './retention.ts';
import { present, toReferenceNames } from './view.ts';
import { mintRecordId } from './workspace.ts';
import { type Moment, write } from './write.ts';

interface Draft {
  kind: Kind;
  body: Readonly<Record<string, unknown>>;
  /** What stands before the name of a member where a place in the request is told: `candidates[3].`. */
  at: string;
}

function toFact({ kind, body }: Draft, service: Service, now: number): StoredRecord {
  const { status, transitions = [], ...rest } = body;
  const asked = kind.kept.find((one) => one === status);
  // What came through a link elsewhere did not come through one here.
  const moved = (transitions as { at: string; by?: string }[]).map(({ by: _, at, ...one }) => ({
    ...one,
    at: Date.parse(at),
  }));
  return {
    id: mintRecordId(service, kind.prefix),
    ...rest,
    createdAt: now,
    ...(moved.length > 0 && { transitions: moved }),
    ...(asked && { asked }),
  } as StoredRecord;
}

/** Lays drafts over the view, and answers how they then read, and what they disagree with, in the order of the drafts. */
export function make(drafts: readonly Draft[], { near, now }: Moment, context: Context, manner: Manner) {
  const issues: Issue[] = [];
  const warnings: Finding[] = [];
  const today = toDay(now);
  const made = drafts.map((draft) => ({ ...draft, fact: toFact(draft, context.service, now) }));
  for (const { kind, body, at, fact } of made) {
    refuseKnownRef(kind, body.ref, near, { at });
    near.write(kind.name, fact);
  }
  for (const { kind, body, at, fact } of made) {
    // What ended before it was to begin still did when that day has passed.
    const { endDate = today } = fact as { endDate?: string };
    const day = manner === 'import' && endDate < today ? endDate : today;
    const found = checkRecord(kind, fact, body, near, day, context, manner);
    const told = [...found.warnings, ...(kind.warn?.(fact, near, context.service) ?? [])];
    issues.push(...found.issues.map((one) => ({ ...one, path: at + one.path })));
    if (manner !== 'import') warnings.push(...told.map((one) => ({ ...one, path: at + one.path })));
    near.occupy(kind.occupies(fact), 1);
  }
  if (issues.length > 0) throw new Refusal('invalid_request', { issues });
  return { rows: made.map(({ kind, fact }) => present(kind, fact, near, today)), warnings };
}

/** Makes records in one step; `toReply` says what the 201 tells of them, in the order of the drafts. */
function createAll(
  drafts: readonly Draft[],
  context: Context,
  manner: Manner,
  toReply: (rows: readonly PresentedRecord[]) => Pick<Outcome, 'headers'> & { members: object },
): Promise<Outcome> {
  const needs = drafts.flatMap(({ kind, body }) => [
    ...(body.ref === undefined ? [] : [toRefName(kind.name, body.ref as string)]),
    ...toReferenceNames(kind, body),
  ]);
  const byOperation = Map.groupBy(drafts, ({ kind }) => kind.texts.create.operationId);
  const calls = Object.fromEntries([...byOperation].map(([id, made]) => [id, made.length]));
  return write(
    {
      needs: [...new Set(needs)],
      calls,
      decide(moment) {
        const { rows, warnings } = make(drafts, moment, context, manner);
        const { members, ...reply } = toReply(rows);
        const body = { type: 'OK', ...members, ...toCreatedMembers(moment) };
        return { warnings, outcome: { status: 201, ...reply, body } };
      },
    },
    context,
  );
}

export function create(kind: Kind, body: Draft['body'], context: Context): Promise<Outcome> {
  return createAll([{ kind, body, at: '' }], context, 'one', ([row]) => ({
    headers: { Location: row!.links.self },
    members: { [kind.name]: row },
  }));
}

/** The records in a batch, in the order in which they are made: kind by kind. */
export const toDrafts = (bodies: Readonly<Record<string, readonly Draft['body'][]>>): Draft[] =>
  kinds.flatMap((kind) =>
    (bodies[kind.collection] ?? []).map((body, index) => ({
      kind,
      body,
      at: `${kind.collection}[${index}].`,
    })),
  );

/** Creates records of several kinds, by the name of their collection; a `#ref` that names nothing refuses all. */
export function createRecords(
  bodies: Readonly<Record<string, readonly Draft['body'][]>>,
  context: Context,
): Promise<Outcome> {
  const sent = kinds.filter(({ collection }) => bodies[collection]);
  const drafts = toDrafts(bodies);
  return createAll(drafts, context, isExport(context.args) ? 'import' : 'batch', (rows) => ({
    members: Object.fromEntries(
      sent.map((kind) => [kind.collection, rows.filter((_, index) => drafts[index]!.kind === kind)]),
    ),
  }));
}

/** What a create of `sample` would answer, with ids and times that stand for the real ones. */
export function toCreatedExample(kind: Kind, sample: object, service: Service): Record<string, unknown> {
  const now = Date.parse(`${service.catalogue.seed.asOf}T00:00:00Z`);
  const fact = { id: `${kind.prefix}0000000000000000`, ...sample, createdAt: now } as StoredRecord;
  const near = new RecordsInView(service.seed);
  const row = present(kind, fact, near, toDay(now));
  const members = toCreatedMembers({ now, head: undefined, service });
  return { type: 'OK', [kind.name]: row, ...members, workspace: `ws_${'0'.repeat(39)}` };
}
