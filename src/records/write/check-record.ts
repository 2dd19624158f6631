import { type Finding, type Issue, pickRefusable, type WordedIssue } from '../../kernel/envelope.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { trimIfText } from '../../kernel/text.ts';
import { compose, type Part, workspacePart } from '../../kernel/wording.ts';
import type { StoredRecord } from '../../workspace/record.ts';
import type { View } from '../../workspace/view.ts';
import type { Kind } from '../kind/kind.ts';
import { findKindById, findKindByName } from '../kind/kind-list.ts';
import type { Context } from '../service.ts';

/** Returns how a refusal names the list of a kind. */
export const createListPart = ({ path, texts }: Kind): Part => ({
  http: path,
  operation: texts.list.operationId,
});

interface MissingReference extends Finding {
  why: 'other kind' | 'no id' | 'unknown ref' | 'unknown id';
}

function explainMissing(
  path: string,
  target: Kind,
  reference: string,
  { service, workspace }: Context,
): MissingReference {
  const { noun, prefix } = target;
  const list = createListPart(target);
  const advice = compose`send an id from ${list}, or # and a ref`;
  const otherKind = findKindById(service.kinds, reference);
  if (reference.startsWith('#')) {
    const message = compose`resolves to nothing: no ${noun} sent with it or in its workspace has that ref; send one that has, or an id from ${list}`;
    return { why: 'unknown ref', code: 'unresolved_reference', path, message };
  }
  if (otherKind && otherKind !== target) {
    const message = compose`is the id of a ${otherKind.noun}; here belongs that of a ${noun}, ${prefix}…: ${advice}`;
    return { why: 'other kind', code: 'wrong_reference', path, message };
  }
  if (!otherKind) {
    const problem = `is no id of a ${noun}, ${prefix}…`;
    const texts = {
      message: compose`${problem}, so its link is null; ${advice}`,
      refusal: compose`${problem}; ${advice}`,
    };
    return { why: 'no id', code: 'wrong_reference', path, ...texts };
  }
  const remedy = workspace
    ? `no ${noun} of this workspace or of the seed has it`
    : compose`${workspacePart} was not sent: send that of the ${noun}`;
  const problem = 'resolves to nothing in view';
  const texts = {
    message: compose`${problem}, so its link is null; ${remedy}, or ${advice}`,
    refusal: compose`${problem}: ${remedy}, or ${advice}`,
  };
  return { why: 'unknown id', code: 'unresolved_reference', path, ...texts };
}

/**
 * Returns an issue for a ref in a query that no record has, and for an id of another kind. An unknown id is
 * allowed.
 */
export function checkQueriedReference(
  path: string,
  target: Kind,
  reference: string,
  context: Context,
): WordedIssue | undefined {
  const { why, message } = explainMissing(path, target, reference, context);
  if (why === 'other kind') return { path, message };
  if (why !== 'unknown ref') return undefined;
  if (context.workspace) return { path, message };
  const remedy = compose`${workspacePart} was not sent: send that of the ${target.noun}, or an id from ${createListPart(target)}`;
  return { path, message: compose`is a ref, and a ref belongs to a workspace; ${remedy}` };
}

/**
 * How records are sent. Records of an export get no warnings, because they got them when they were first created.
 */
type RecordSource = 'one' | 'batch' | 'import';

/** Whether an unresolved reference refuses the record. Otherwise it gives a warning. */
function isRefused({ why }: MissingReference, source: RecordSource, { options }: Context): boolean {
  if (source === 'import') return why === 'unknown ref';
  if (source === 'batch') return why !== 'unknown id';
  return why === 'other kind' || (why === 'no id' && (options.isTool || options.isStrict));
}

/** Returns an issue if the second day of a kind's period is before the first. */
function checkPeriod({ period }: Kind, record: StoredRecord): WordedIssue[] {
  const [from, to] = (period ?? []).map((member) => record[member] as string | undefined);
  if (from === undefined || to === undefined || to >= from) return [];
  return [{ path: period![1], message: `must not be before ${period![0]}, ${from}` }];
}

/** Returns an issue for each range of a kind whose upper member is below its lower member. */
function checkRanges({ ranges = [] }: Kind, record: StoredRecord): WordedIssue[] {
  return ranges.flatMap(([leastName, mostName]) => {
    const [least, most] = [leastName, mostName].map((member) => record[member] as number | undefined);
    if (least === undefined || most === undefined || most >= least) return [];
    return [
      {
        path: mostName,
        message: `must not be below ${leastName}, ${least}; send a higher one, or remove it if there is no range`,
      },
    ];
  });
}

interface WrittenRecord {
  /** As it will be stored. */
  record: StoredRecord;
  /** The members that the caller sent. */
  sent: Readonly<Record<string, unknown>>;
  source?: RecordSource;
}

/**
 * Returns the issues and warnings of a record that is about to be written. Replaces references in `sent` by ids if
 * they resolve.
 */
export function checkRecord(
  kind: Kind,
  { record, sent, source = 'one' }: WrittenRecord,
  { view, today }: { view: View; today: string },
  context: Context,
): { issues: WordedIssue[]; warnings: Finding[] } {
  const issues: WordedIssue[] = [];
  const warnings: Finding[] = [];
  for (const [member, targetName] of Object.entries(kind.references)) {
    if (!(member in sent)) continue;
    const id = view.resolve(targetName, record[member] as string);
    if (id !== undefined && view.find(targetName, id)) record[member] = id;
    else {
      const target = findKindByName(context.service.kinds, targetName);
      const missing = explainMissing(member, target, record[member] as string, context);
      const { why: _, ...finding } = missing;
      if (isRefused(missing, source, context)) issues.push(...pickRefusable([finding]));
      else warnings.push(finding);
    }
  }
  const sentStatus = { status: sent.status, isOne: source === 'one' };
  issues.push(...(kind.lifecycle.details?.check(record, today, sentStatus) ?? []));
  issues.push(...checkPeriod(kind, record), ...checkRanges(kind, record));
  return { issues, warnings };
}

/** Returns an issue if a ref looks like the id of a record. */
export function checkRef({ prefix }: Kind, sent: unknown): Issue[] {
  const ref = trimIfText(sent);
  if (typeof ref !== 'string' || !ref.startsWith(prefix)) return [];
  return [{ path: 'ref', message: `must not begin with ${prefix}, as ids do` }];
}

/**
 * Throws the Refusal `duplicate_ref` if another record of the kind has the ref. `id` is that of the record itself.
 */
export function refuseKnownRef(
  { name, noun }: Kind,
  ref: unknown,
  view: View,
  { id, at = '' }: { id?: string; at?: string },
): void {
  const other = typeof ref === 'string' ? view.findByRef(name, ref) : undefined;
  if (!other || other.id === id) return;
  const issues = [{ path: `${at}ref`, message: `${ref} is that of another ${noun} in this workspace` }];
  throw new Refusal('duplicate_ref', { issues });
}
