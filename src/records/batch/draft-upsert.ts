import type { Finding } from '../../kernel/envelope.ts';
import type { Steps } from '../../kernel/steps.ts';
import type { Kind } from '../kind/kind.ts';
import type { ChangeContext } from '../service.ts';
import type { Source } from './batch-source.ts';
import { draftChangesInSteps, type FoundInCreates, type SentChange } from './draft-changes.ts';
import { listPageChanges, warnOfOtherReferences, warnOfOtherStatus } from './page-changes.ts';
import { type FindId, type KnownRecord, listUpsertChanges } from './upsert.ts';

interface SentChanges {
  known: readonly KnownRecord[];
  /** The other changes of the batch. */
  sentChanges: readonly SentChange[] | undefined;
  source: Source;
}

interface DraftedChanges {
  records: { kind: Kind; id: string }[];
  warnings: Finding[];
}

/** Lists what `read` returns for each record. */
function* listOfEach<T>(
  records: readonly KnownRecord[],
  read: (record: KnownRecord) => readonly T[],
): Steps<T[]> {
  const found: T[] = [];
  for (const record of records) {
    found.push(...read(record));
    yield;
  }
  return found;
}

/**
 * Drafts the changes of a batch: first those of known records, then the others. A status of a page can need changes of other
 * records of the page first. So each record of a page whose status still differs is tried again after all.
 */
export function* draftUpsertInSteps(
  { known, sentChanges = [], source }: SentChanges,
  context: ChangeContext,
  created: FoundInCreates & { findId: FindId },
): Steps<DraftedChanges> {
  const { findId } = created;
  if (source.from !== 'import') {
    const changes = yield* listOfEach(known, (record) => listUpsertChanges(record, context, findId));
    return yield* draftChangesInSteps([...changes, ...sentChanges], context, created);
  }
  const page = { source, findId };
  const references = yield* listOfEach(known, (record) => warnOfOtherReferences(record, context, page));
  const changes = yield* listOfEach(known, (record) => listPageChanges(record, context, page));
  const found = { issues: created.issues, warnings: [...created.warnings, ...references] };
  const first = yield* draftChangesInSteps(changes, context, found);
  const moves = yield* listOfEach(known, (record) => listPageChanges(record, context, page));
  const again = { issues: [], warnings: first.warnings };
  const second = yield* draftChangesInSteps([...moves, ...sentChanges], context, again);
  const statuses = yield* listOfEach(known, (record) => warnOfOtherStatus(record, context, page));
  const records = new Map([...first.records, ...second.records].map((row) => [row.id, row]));
  return { records: [...records.values()], warnings: [...second.warnings, ...statuses] };
}
