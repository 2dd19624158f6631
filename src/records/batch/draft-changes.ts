import { type Finding, mostPlaces, pickRefusable, type WordedIssue } from '../../kernel/envelope.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Steps } from '../../kernel/steps.ts';
import { compose, workspacePart } from '../../kernel/wording.ts';
import type { Change } from '../../workspace/change.ts';
import type { Entry } from '../../workspace/record.ts';
import type { Kind } from '../kind/kind.ts';
import { presentDrafted } from '../read/view.ts';
import type { ChangeContext } from '../service.ts';
import { draftChange, refuseSeedRecord } from '../write/change.ts';
import { createListPart } from '../write/check-record.ts';

/** A change of one record in a batch. */
export interface SentChange {
  kind: Kind;
  /** The id of the record, or `#` and its ref. */
  id: string;
  /** The revision that the caller has read. */
  revision?: number | undefined;
  patch: Readonly<Record<string, unknown>>;
  /** The path of the change in the request, before the names of its members: `changes[3].`. */
  at: string;
}

/** Returns the record to change as the batch has it so far. Throws a Refusal if there is none, or only a seed record. */
function findRecord({ kind, id: reference }: SentChange, context: ChangeContext): Entry {
  const { change, service } = context;
  const id = change.resolve(kind.name, reference);
  refuseSeedRecord(service, id);
  const entry = id === undefined ? undefined : change.findOwn(kind.name, id);
  if (entry) return entry;
  const { noun } = kind;
  const message = context.workspace
    ? compose`is that of no ${noun} in your workspace; see ${createListPart(kind)} for those there are`
    : compose`is that of no ${noun} in view: ${workspacePart} was not sent; send that of the ${noun}`;
  throw new Refusal('invalid_request', { issues: [{ path: 'id', message }] });
}

/**
 * Throws a Refusal if the caller has read another revision. It can have read only the one before the batch, so earlier
 * changes of the batch do not count.
 */
function refuseStale({ kind, revision: sent }: SentChange, { record }: Entry, change: Change): void {
  if (sent === undefined) return;
  const revision = change.workspace?.find(kind.name, record.id)?.record.revision ?? 1;
  if (sent === revision) return;
  const message = `is ${sent}, and the record is at ${revision}; read it again, then send that`;
  throw new Refusal('changed', { issues: [{ path: 'revision', message }] });
}

/** Returns the issues of a refused change with their places in the batch. */
function placeIssues({ envelope, details }: Refusal, at: string): WordedIssue[] {
  const { issues = [{ path: 'id', message: details.reason ?? envelope.reason }] } = details;
  return issues.map((issue) => ({ ...issue, path: at + issue.path }));
}

/** Refuses a batch for the issues of its creates and for all of its refused changes. The first decides the code. */
function refuseAll(issuesOfCreates: readonly WordedIssue[], refused: ReadonlyMap<string, Refusal>): void {
  const [first] = refused.values();
  const issuesOfChanges = [...refused].flatMap(([at, refusal]) => placeIssues(refusal, at));
  const issues = [...issuesOfCreates, ...issuesOfChanges];
  if (issuesOfCreates.length > 0) throw new Refusal('invalid_request', { issues });
  if (!first) return;
  const { reason } = first.details;
  throw new Refusal(first.kind, { ...(reason !== undefined && { reason }), issues });
}

/** What was found in the records that a batch creates. */
export interface FoundInCreates {
  issues: readonly WordedIssue[];
  warnings: readonly Finding[];
}

/** Throws the Refusal `conflict` if strict handling refuses more warnings than a refusal names. */
function refuseConflicts(warnings: readonly Finding[], { options }: ChangeContext): void {
  const issues = options.isStrict ? pickRefusable(warnings) : [];
  if (issues.length > mostPlaces) throw new Refusal('conflict', { issues });
}

/**
 * Drafts changes in their order, each as a PATCH would. Returns their records in this order, and the warnings of the
 * whole batch. Throws a Refusal that names all refused changes, after the issues of the creates. After one, later changes
 * of the same record are not tried. It stops if there are more issues than a refusal names.
 */
export function* draftChangesInSteps(
  changes: readonly SentChange[],
  context: ChangeContext,
  created: FoundInCreates,
): Steps<{ records: { kind: Kind; id: string }[]; warnings: Finding[] }> {
  const refused = new Map<string, Refusal>();
  const failedIds = new Set<string>();
  const warnings: Finding[] = [...created.warnings];
  const records: { kind: Kind; id: string }[] = [];
  for (const change of changes) {
    const count = created.issues.length + refused.size;
    if (count > mostPlaces) break;
    if (count === 0) refuseConflicts(warnings, context);
    yield;
    const { kind, id: reference, patch, at } = change;
    const id = context.change.resolve(kind.name, reference) ?? reference;
    if (failedIds.has(id)) continue;
    try {
      const entry = findRecord(change, context);
      refuseStale(change, entry, context.change);
      const findings = draftChange(kind, entry, patch, context);
      warnings.push(...findings.map((finding) => ({ ...finding, path: at + finding.path })));
      records.push({ kind, id });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refused.set(at, error);
      failedIds.add(id);
    }
  }
  refuseAll(created.issues, refused);
  return { records, warnings };
}

/** Presents changed records as they read after the whole batch, each under the name of its kind. */
export const presentChanges = (records: readonly { kind: Kind; id: string }[], change: Change) =>
  records.map(({ kind, id }) => ({ [kind.name]: presentDrafted(kind, id, change) }));
