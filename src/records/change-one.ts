import { namesTag, toEntityTag } from '../kernel/entity-tag.ts';
import { toExcerpt, type Warning } from '../kernel/envelope.ts';
import type { Context, Outcome } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Service } from '../kernel/service.ts';
import { toDay } from '../kernel/text.ts';
import type { Kind } from './kind.ts';
import { toKindOfId } from './kinds.ts';
import type { PresentedRecord, StoredRecord } from './record.ts';
import { toReferenceNames } from './references.ts';
import type { StoreEntry } from './store.ts';
import { present, toOccupied } from './view.ts';
import { AnswerWithoutWriting, type Moment, type Plan, write } from './write.ts';

const mostTries = 10;

/** Tries a change again while it throws this error: what it had read was changed in between. */
export async function retryOn(Changed: new () => Error, attempt: () => Promise<Outcome>): Promise<Outcome> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Changed)) throw error;
    }
  }
  throw new Refusal('changed');
}

/** Thrown where a record refers to what was not asked for. */
class ReferencesChanged extends Error {}

const toRecordTag = (row: PresentedRecord) => toEntityTag(JSON.stringify(row));

/** The 404 of a record that is not in view; an id of another kind is answered with what to call for that. */
export function toNoRecord(kind: Kind, id: string, { operation, service }: Context): Outcome {
  const { noun, path } = kind;
  const other = toKindOfId(id);
  const there = other && other !== kind ? operation.path.replace(path, other.path) : undefined;
  const row = service.operations.find((one) => one.path === there && one.method === operation.method);
  const way = row ? ` Use ${row.operationId}, ${row.method} ${row.path}, for that.` : '';
  const message = there
    ? `${toExcerpt(id)} is the id of a ${other!.noun}, and here belongs that of a ${noun}.${way}`
    : `No ${noun} has this id in view. See ${path} for those there are; one that you made needs X-Workspace (or the argument workspace).`;
  return { status: 404, body: { type: 'EMPTY', message, links: { list: path } } };
}

/** Refuses to change what belongs to the seed. */
export function refuseSeedRecord(service: Service, id: string | undefined): void {
  if (id !== undefined && service.seed.byId.has(id)) throw new Refusal('read_only');
}

/** Refuses a change whose caller has read another version of the record (RFC 9110 section 13.1.1). */
function checkVersion({ fact }: StoreEntry, row: PresentedRecord, { options }: Context): void {
  const isOther = options.revision !== undefined && options.revision !== (fact.revision ?? 1);
  if (isOther || (options.ifMatch !== undefined && !namesTag(options.ifMatch, toRecordTag(row), 'strong'))) {
    throw new Refusal('changed');
  }
}

/** Changes one record of a workspace; `decide` is given it as it is kept and as it reads. */
export function changeOne(
  kind: Kind,
  id: string,
  context: Context,
  needs: readonly string[],
  decide: (was: StoreEntry, row: PresentedRecord, moment: Moment) => ReturnType<Plan['decide']>,
  more: Pick<Plan, 'id' | 'salt' | 'fill'> = {},
): Promise<Outcome> {
  const { service, workspace } = context;
  refuseSeedRecord(service, id);
  const hasReferences = Object.keys(kind.references).length > 0;
  return retryOn(ReferencesChanged, async () => {
    const [found] = hasReferences ? await service.store.find(workspace!.key, [id]) : [];
    const referred = found?.record ? toReferenceNames(kind, found.record.fact) : [];
    const plan: Plan = {
      id,
      ...more,
      needs: [...new Set([id, ...(kind.countedAs?.(id) ?? []), ...referred, ...needs])],
      decide(moment) {
        const was = moment.near.own(kind.name, id);
        if (!was) throw new AnswerWithoutWriting(toNoRecord(kind, id, context));
        const names = toReferenceNames(kind, was.fact);
        if (names.some((name) => !moment.near.found(name))) throw new ReferencesChanged();
        const row = present(kind, was.fact, moment.near, toDay(moment.now));
        checkVersion(was, row, context);
        return decide(was, row, moment);
      },
    };
    return write(plan, context);
  });
}

/** The next revision of a record. */
export const toNext = (fact: StoredRecord, was: StoreEntry, now: number): StoredRecord => ({
  ...fact,
  updatedAt: now,
  revision: (was.fact.revision ?? 1) + 1,
});

/** Writes `fact` in the place of a record: the change, its reply 200, and what the record then disagrees with. */
export function replace(
  kind: Kind,
  was: StoreEntry,
  fact: StoredRecord,
  { now, near, service }: Moment,
  amend?: Kind['amend'],
): ReturnType<Plan['decide']> & { warnings: Warning[] } {
  const next = toNext(fact, was, now);
  for (const id of toOccupied(kind, was.fact)) near.occupy(id, -1);
  const warnings = kind.warn?.(next, near, service) ?? [];
  Object.assign(next, amend?.(was.fact, next, near));
  for (const id of toOccupied(kind, next)) near.occupy(id, 1);
  near.write(kind.name, next);
  const row = present(kind, next, near, toDay(now));
  return {
    writing: { puts: [{ kind: kind.name, fact: next, was }], occupies: near.occupies },
    outcome: { status: 200, headers: { ETag: toRecordTag(row) }, body: { type: 'OK', [kind.name]: row } },
    warnings,
  };
}
