import type { Issue, Warning } from '../kernel/envelope.ts';
import type { Context, Outcome } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Service } from '../kernel/service.ts';
import { toDay } from '../kernel/text.ts';
import type { Calls } from '../pricing/meter.ts';
import { isExport } from './export.ts';
import { checkPeriod, type Kind } from './kind.ts';
import { kinds, toKindOf } from './kinds.ts';
import { type PresentedRecord, type StoredRecord, toRefName } from './record.ts';
import { RecordsInView } from './records-in-view.ts';
import { isRefused, refuseKnownRef, resolveReferences, toReferenceNames } from './references.ts';
import type { Put } from './store.ts';
import { present, toOccupied } from './view.ts';
import { mintRecordId } from './workspace.ts';
import { type Moment, toCreatedMembers, write } from './write.ts';

/** A record that is to be made. */
interface Draft {
  kind: Kind;
  body: Readonly<Record<string, unknown>>;
  /** What stands before the name of a member where a place in the request is told: `candidates[3].`. */
  at: string;
}

/** How records are made. Those of an export were warned of when they were first made. */
type Manner = 'one' | 'batch' | 'import';

function toFact({ kind, body }: Draft, service: Service, now: number): StoredRecord {
  const { status, transitions, ...rest } = body;
  const asked = kind.kept.find((one) => one === status);
  // What came through a link elsewhere did not come through one here.
  const moved = (transitions as { at: string; by?: string }[] | undefined)?.map(({ by: _, at, ...one }) => ({
    ...one,
    at: Date.parse(at),
  }));
  return {
    id: mintRecordId(service, kind.prefix),
    ...rest,
    createdAt: now,
    ...(moved && moved.length > 0 && { transitions: moved }),
    ...(asked && { asked }),
  } as StoredRecord;
}

/** What is made of drafts, in the order of their kinds: the records to keep, and what they disagree with. */
function make(drafts: readonly Draft[], { near, now }: Moment, context: Context, manner: Manner) {
  const issues: Issue[] = [];
  const warnings: Warning[] = [];
  const today = toDay(now);
  const made = drafts.map((draft) => ({ ...draft, fact: toFact(draft, context.service, now) }));
  for (const draft of made) {
    refuseKnownRef(draft.kind, draft.body.ref, near, { at: draft.at });
    near.write(draft.kind.name, draft.fact);
  }
  for (const { kind, fact, at } of made) {
    const { members, missing } = resolveReferences(kind, fact, near, context);
    for (const one of missing) {
      const { why, ...told } = one;
      const inBatch = manner === 'batch' && (why === 'unknown ref' || why === 'no id');
      const refuses = manner === 'import' ? why === 'unknown ref' : inBatch || isRefused(one, context);
      (refuses ? issues : warnings).push({ ...told, path: at + told.path });
    }
    Object.assign(fact, members);
    // What ended before it was to begin still did when that day has passed.
    const ended = manner === 'import' ? ((fact.endDate as string | undefined) ?? today) : today;
    for (const one of kind.moving?.check(fact, ended < today ? ended : today) ?? [])
      issues.push({ ...one, path: at + one.path });
    issues.push(...checkPeriod(kind, fact, at));
    for (const one of kind.warn?.(fact, near, context.service) ?? [])
      warnings.push({ ...one, path: at + one.path });
    for (const id of toOccupied(kind, fact)) near.occupy(id, 1);
  }
  if (issues.length > 0) throw new Refusal('invalid_request', { issues });
  const puts: Put[] = made.map(({ kind, fact }) => ({ kind: kind.name, fact }));
  const rows = made.map(({ kind, fact }) => present(kind, fact, near, today));
  return { writing: { puts, occupies: near.occupies }, rows, warnings: manner === 'import' ? [] : warnings };
}

/** The names that the making of drafts needs to know of. */
function toNeeds(drafts: readonly Draft[]): string[] {
  const names = drafts.flatMap(({ kind, body }) => [
    ...(body.ref === undefined ? [] : [toRefName(kind.name, body.ref as string)]),
    ...toReferenceNames(kind, body),
  ]);
  return [...new Set(names)];
}

/** What the making of drafts is charged for: a create of its kind each. */
function toCalls(drafts: readonly Draft[]): Calls {
  const calls: Record<string, number> = {};
  for (const { kind } of drafts) {
    const { operationId } = kind.texts.create;
    calls[operationId] = (calls[operationId] ?? 0) + 1;
  }
  return calls;
}

/** Makes records in one step; `toReply` says what the 201 tells of them, in the order of the drafts. */
function createAll(
  drafts: readonly Draft[],
  context: Context,
  manner: Manner,
  toReply: (rows: readonly PresentedRecord[]) => Pick<Outcome, 'headers'> & { members: object },
): Promise<Outcome> {
  return write(
    {
      needs: toNeeds(drafts),
      calls: toCalls(drafts),
      decide(moment) {
        const { writing, rows, warnings } = make(drafts, moment, context, manner);
        const { members, headers } = toReply(rows);
        const body = { type: 'OK', ...members, ...toCreatedMembers(moment) };
        return { writing, warnings, outcome: { status: 201, ...(headers && { headers }), body } };
      },
    },
    context,
  );
}

/** Creates one record. */
export function create(kind: Kind, body: Draft['body'], context: Context): Promise<Outcome> {
  return createAll([{ kind, body, at: '' }], context, 'one', ([row]) => ({
    headers: { Location: row!.links.self },
    members: { [kind.name]: row },
  }));
}

/** Creates records of several kinds, by the name of their collection; a `#ref` that names nothing refuses all. */
export function createRecords(
  bodies: Readonly<Record<string, readonly Draft['body'][]>>,
  context: Context,
): Promise<Outcome> {
  const drafts = kinds.flatMap((kind) =>
    (bodies[kind.collection] ?? []).map((body, index) => ({
      kind,
      body,
      at: `${kind.collection}[${index}].`,
    })),
  );
  return createAll(drafts, context, isExport(context.args) ? 'import' : 'batch', (rows) => ({
    members: Object.fromEntries(
      kinds
        .filter(({ collection }) => bodies[collection])
        .map(({ name, collection }) => [
          collection,
          rows.filter((_, index) => drafts[index]!.kind === toKindOf(name)),
        ]),
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
