import { type Finding, pickRefusable, type WordedIssue } from '../kernel/envelope.ts';
import { Refusal } from '../kernel/refusal.ts';
import { compose, type Part, workspacePart } from '../kernel/wording.ts';
import type { StoredRecord } from '../workspace/record.ts';
import type { View } from '../workspace/view.ts';
import type { Kind } from './kind.ts';
import { findKindById, findKindByName } from './kind-list.ts';
import type { Context } from './service.ts';

/** The list of a kind, as a refusal names it. */
export const createListPart = ({ path, texts }: Kind): Part => ({
  http: path,
  operation: texts.list.operationId,
});

interface MissingReference extends Finding {
  why: 'other kind' | 'no id' | 'unknown ref' | 'unknown id';
}

function explainMissing(
  path: string,
  of: Kind,
  reference: string,
  { service, workspace }: Context,
): MissingReference {
  const { noun, prefix } = of;
  const list = createListPart(of);
  const way = compose`send an id from ${list}, or # and a ref`;
  const other = findKindById(service.kinds, reference);
  if (reference.startsWith('#')) {
    const message = compose`resolves to nothing: no ${noun} sent with it or in its workspace has that ref; send one that has, or an id from ${list}`;
    return { why: 'unknown ref', code: 'unresolved_reference', path, message };
  }
  if (other && other !== of) {
    const message = compose`is the id of a ${other.noun}; here belongs that of a ${noun}, ${prefix}…: ${way}`;
    return { why: 'other kind', code: 'wrong_reference', path, message };
  }
  if (!other) {
    const what = `is no id of a ${noun}, ${prefix}…`;
    const texts = {
      message: compose`${what}, so its link is null; ${way}`,
      refusal: compose`${what}; ${way}`,
    };
    return { why: 'no id', code: 'wrong_reference', path, ...texts };
  }
  const cure = workspace
    ? `no ${noun} of this workspace or of the seed has it`
    : compose`${workspacePart} was not sent: send that of the ${noun}`;
  const what = 'resolves to nothing in view';
  const texts = {
    message: compose`${what}, so its link is null; ${cure}, or ${way}`,
    refusal: compose`${what}: ${cure}, or ${way}`,
  };
  return { why: 'unknown id', code: 'unresolved_reference', path, ...texts };
}

/** An issue for a reference in a query that is a ref no record has, or the id of another kind. An unknown id is none. */
export function checkQueriedReference(
  path: string,
  of: Kind,
  reference: string,
  context: Context,
): WordedIssue | undefined {
  const { why, message } = explainMissing(path, of, reference, context);
  if (why === 'other kind') return { path, message };
  if (why !== 'unknown ref') return undefined;
  if (context.workspace) return { path, message };
  const cure = compose`${workspacePart} was not sent: send that of the ${of.noun}, or an id from ${createListPart(of)}`;
  return { path, message: compose`is a ref, and a ref belongs to a workspace; ${cure}` };
}

/** How records are sent. Those of an export were warned of when they were first made. */
export type RecordSource = 'one' | 'batch' | 'import';

/** Whether a reference that resolves to nothing refuses the record; else it only warns. */
function isRefused({ why }: MissingReference, source: RecordSource, { options }: Context): boolean {
  if (source === 'import') return why === 'unknown ref';
  if (source === 'batch') return why !== 'unknown id';
  return why === 'other kind' || (why === 'no id' && (options.isTool || options.isStrict));
}

/** An issue where the second day of a kind's period is before the first. */
function checkPeriod({ period }: Kind, record: StoredRecord): WordedIssue[] {
  const [from, to] = (period ?? []).map((member) => record[member] as string | undefined);
  if (from === undefined || to === undefined || to >= from) return [];
  return [{ path: period![1], message: `must not be before ${period![0]}, ${from}` }];
}

interface WrittenRecord {
  /** As it will be stored. */
  record: StoredRecord;
  /** The members that the caller sent. */
  sent: Readonly<Record<string, unknown>>;
  source?: RecordSource;
}

/** Finds what is wrong in a record to be written, as of a day. References that were `sent` become ids where they resolve. */
export function checkRecord(
  kind: Kind,
  { record: fact, sent, source = 'one' }: WrittenRecord,
  { view, today }: { view: View; today: string },
  context: Context,
): { issues: WordedIssue[]; warnings: Finding[] } {
  const issues: WordedIssue[] = [];
  const warnings: Finding[] = [];
  for (const [member, of] of Object.entries(kind.references)) {
    if (!(member in sent)) continue;
    const id = view.resolve(of, fact[member] as string);
    if (id !== undefined && view.find(of, id)) fact[member] = id;
    else {
      const other = findKindByName(context.service.kinds, of);
      const missing = explainMissing(member, other, fact[member] as string, context);
      const { why: _, ...finding } = missing;
      if (isRefused(missing, source, context)) issues.push(...pickRefusable([finding]));
      else warnings.push(finding);
    }
  }
  const how = { status: sent.status, isOne: source === 'one' };
  issues.push(...(kind.lifecycle.details?.check(fact, today, how) ?? []));
  issues.push(...checkPeriod(kind, fact));
  return { issues, warnings };
}

/** Refuses a ref that another record of the kind has than the one with this id. */
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
