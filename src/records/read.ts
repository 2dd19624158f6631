import { toEntityTag } from '../kernel/entity-tag.ts';
import { Json, quote } from '../kernel/json.ts';
import type { Context, Outcome } from '../kernel/operation.ts';
import { toDay } from '../kernel/text.ts';
import { toNoRecord } from './change-one.ts';
import type { Kind } from './kind.ts';
import type { PresentedRecord } from './record.ts';
import { RecordsInView } from './records-in-view.ts';
import { toReferenceNames } from './references.ts';
import { present, presentSeed } from './view.ts';

/** The OK envelope of one record. */
function toRecordBody(name: string, row: Json<PresentedRecord>): Json<object> {
  const head = `{"type":"OK","${name}":`;
  return Json.from<object>({
    value: () => ({ type: 'OK', [name]: row.value }),
    text: () => `${head}${row.text}}`,
    quoted: () => `${quote(head)}${row.quoted}}`,
  });
}

/** A record that a workspace sees, as it reads among those near it. */
async function readOwn(
  kind: Kind,
  id: string,
  { service, workspace }: Context,
): Promise<Json<PresentedRecord> | undefined> {
  const { seed, store, platform } = service;
  const found = await store.find(workspace!.key, [id]);
  const known = seed.byId.get(id);
  const fact = new RecordsInView(seed, [id], found).own(kind.name, id)?.fact;
  if (!fact) {
    return known?.kind === kind ? presentSeed(seed, known, new RecordsInView(seed, [id], found)) : undefined;
  }
  const names = toReferenceNames(kind, fact);
  const others = names.length > 0 ? await store.find(workspace!.key, names) : [];
  const near = new RecordsInView(seed, [id, ...names], [...found, ...others]);
  return Json.of(present(kind, fact, near, toDay(platform.now())));
}

/** The record of a kind that a caller sees under an id. */
export async function findRecord(
  kind: Kind,
  id: string,
  context: Context,
): Promise<PresentedRecord | undefined> {
  if (context.workspace) return (await readOwn(kind, id, context))?.value;
  const record = context.service.seed.byId.get(id);
  return record?.kind === kind ? record.row.value : undefined;
}

/** Answers one record of a kind, or EMPTY. */
export function get(kind: Kind, id: string, context: Context): Outcome | Promise<Outcome> {
  const { service, workspace } = context;
  if (!workspace) {
    const record = service.seed.byId.get(id);
    return record?.kind === kind
      ? { status: 200, body: toRecordBody(kind.name, record.row) }
      : toNoRecord(kind);
  }
  return readOwn(kind, id, context).then((row) =>
    row
      ? { status: 200, headers: { ETag: toEntityTag(row.text) }, body: toRecordBody(kind.name, row) }
      : toNoRecord(kind),
  );
}
