import { createEntityTag } from '../../kernel/entity-tag.ts';
import { Json } from '../../kernel/json.ts';
import type { OperationReply } from '../../kernel/operation.ts';
import { toIsoDate } from '../../kernel/text.ts';
import type { Kind } from '../kind/kind.ts';
import type { PresentedRecord } from '../kind/record.ts';
import type { Context } from '../service.ts';
import { replyNoRecord } from '../write/change.ts';
import { openView } from './in-view.ts';
import { createRowPicker } from './pick-fields.ts';
import { presentRecord, presentSeed } from './view.ts';

/** Returns the record of a kind that has this id, as the caller sees it. */
export function findRecord(kind: Kind, id: string, context: Context): Json<PresentedRecord> | undefined {
  const { seed, platform } = context.service;
  const view = openView(context);
  const today = toIsoDate(platform.now());
  const entry = view.findOwn(kind.name, id);
  if (entry) return Json.of(presentRecord(kind, entry.record, view, today));
  const seedRecord = seed.byId.get(id);
  return seedRecord?.kind === kind ? presentSeed(seedRecord, view, today) : undefined;
}

/** Reads a record. Its ETag is that of the whole record, whatever `fields` are shown. */
export function getRecord(
  kind: Kind,
  { id, fields }: { id: string; fields?: string | undefined },
  context: Context,
): OperationReply {
  const row = findRecord(kind, id, context);
  if (!row) return replyNoRecord(kind, id, context);
  const shown = createRowPicker(kind, fields)(row);
  return {
    status: 200,
    ...(context.workspace && { headers: { ETag: createEntityTag(row.text) } }),
    body: new Json({
      value: () => ({ type: 'OK', [kind.name]: shown.value }),
      // The JSON of the record was made for its tag.
      text: () => `{"type":"OK","${kind.name}":${shown.text}}`,
    }),
  };
}
