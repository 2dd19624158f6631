import { toEntityTag } from '../kernel/entity-tag.ts';
import { Json } from '../kernel/json.ts';
import type { Context, Outcome } from '../kernel/operation.ts';
import { toDay } from '../kernel/text.ts';
import { toNoRecord } from './change.ts';
import type { Kind } from './kind.ts';
import type { PresentedRecord } from './record.ts';
import { RecordsInView } from './records-in-view.ts';
import { present, presentSeed, readNear, toReferenceNames } from './view.ts';

/** A record that a workspace sees, as it reads among those near it. */
async function findOwn(kind: Kind, id: string, context: Context) {
  const { seed, store, platform } = context.service;
  const held = [...new Set([id, ...kind.occupiedAs(id)])];
  const found = await store.find(context.workspace!.key, held);
  const view = new RecordsInView(seed, held, found);
  const own = view.own(kind.name, id)?.fact;
  const known = seed.byId.get(id);
  if (!own) return known?.kind === kind ? presentSeed(seed, known, view) : undefined;
  const isTied = toReferenceNames(kind, own).length > 0;
  const near = isTied ? await readNear(kind, [own], context) : view;
  return Json.of(present(kind, own, near, toDay(platform.now())));
}

type Found = Json<PresentedRecord> | undefined;

export function findRecord(kind: Kind, id: string, context: Context): Found | Promise<Found> {
  if (context.workspace) return findOwn(kind, id, context);
  const known = context.service.seed.byId.get(id);
  return known?.kind === kind ? known.row : undefined;
}

export function get(kind: Kind, id: string, context: Context): Outcome | Promise<Outcome> {
  const answer = (row: Found): Outcome =>
    row
      ? {
          status: 200,
          ...(context.workspace && { headers: { ETag: toEntityTag(row.text) } }),
          body: Json.of({ type: 'OK', [kind.name]: row.value }),
        }
      : toNoRecord(kind, id, context);
  const found = findRecord(kind, id, context);
  return found instanceof Promise ? found.then(answer) : answer(found);
}
