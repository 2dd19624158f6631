import type { StoredRecord } from '../../workspace/record.ts';
import { replaceIds } from '../activity/history-input.ts';
import { findKindByName } from '../kind/kind-list.ts';
import type { ChangeContext } from '../service.ts';
import type { Source } from './batch-source.ts';
import type { FindId, KnownRecord, SentRecord } from './upsert.ts';

type CreatedDraft = SentRecord & { fact: StoredRecord };

/** Creates a function that finds the records of a batch, and of other pages of its export, by the ids that they were sent with. */
export function createIdFinder(
  { created, known }: { created: readonly CreatedDraft[]; known: readonly KnownRecord[] },
  { change, service }: ChangeContext,
  source: Source,
): FindId {
  const ids = new Map([
    ...known.map(({ body, entry }) => [body.id, entry.record.id] as const),
    ...created.map(({ body, fact }) => [body.id, fact.id] as const),
  ]);
  const findOnOtherPage = (kindName: string, id: string): string | undefined => {
    if (source.from !== 'import') return undefined;
    const { name } = findKindByName(service.kinds, kindName);
    const ref = Object.hasOwn(source.refs, id) ? source.refs[id] : id;
    return typeof ref === 'string' ? change.findByRef(name, ref)?.id : undefined;
  };
  return (target, sent) =>
    typeof sent === 'string' ? (ids.get(sent) ?? findOnOtherPage(target, sent) ?? sent) : sent;
}

/** Replaces references to ids that records were sent with by the ids that these records have here. */
export function resolveSentIds(created: readonly CreatedDraft[], findId: FindId): void {
  for (const { kind, fact } of created) {
    for (const [member, target] of Object.entries(kind.references))
      Object.assign(fact, { [member]: findId(target, fact[member]) });
    if (fact.history) fact.history = replaceIds(fact.history, kind, findId);
  }
}
