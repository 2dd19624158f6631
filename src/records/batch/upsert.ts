import * as v from 'valibot';
import type { ObjectSchema } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Steps } from '../../kernel/steps.ts';
import { listSchema, trimIfText } from '../../kernel/text.ts';
import type { Entry, StoredRecord } from '../../workspace/record.ts';
import { View } from '../../workspace/view.ts';
import { mostRecords } from '../account/workspace-view.ts';
import type { Kind } from '../kind/kind.ts';
import { byCollection } from '../kind/kind-list.ts';
import { presentRecord } from '../read/view.ts';
import type { ChangeContext, RecordService, RecordWorkspace } from '../service.ts';
import { createChangeSchema } from '../write/change-input.ts';
import type { SentChange } from './draft-changes.ts';

/*
 * An upsert: a sent record whose ref a record of the workspace has already is a change of that record. Whether it is known is
 * asked twice: for the schema and the checks of the call, and again for the change itself, which others may come before.
 */

type Body = Readonly<Record<string, unknown>>;

/** A record to create, or to change if it is known. */
export interface SentRecord {
  kind: Kind;
  body: Body;
  /** The path of the record in the request, before the names of its members: `candidates[3].`. */
  at: string;
}

/**
 * Returns the record of the workspace that has a ref. The ref of an exported record may be its id, so an id of the workspace
 * counts too.
 */
export function findKnown(view: View, { name, prefix }: Kind, sent: unknown): Entry | undefined {
  const ref = trimIfText(sent);
  if (typeof ref !== 'string') return undefined;
  const id = view.findByRef(name, ref)?.id ?? (ref.startsWith(prefix) ? ref : undefined);
  return id === undefined ? undefined : view.findOwn(name, id);
}

/** Returns a function that says whether a sent record is known. Returns undefined if the call is no upsert. */
export function createKnownTest(
  args: Body,
  service: RecordService,
  workspace: RecordWorkspace | undefined,
): ((kind: Kind, item: Body) => Entry | undefined) | undefined {
  if (args.upsert !== true || !workspace) return undefined;
  const view = new View(service.seed.workspace, workspace.contents);
  return (kind, { ref }) => findKnown(view, kind, ref);
}

/** By kind, the schema of a record that is known: any members of a create. Null removes an optional one. */
export function createKnownSchemas(items: ReadonlyMap<Kind, ObjectSchema>): ReadonlyMap<Kind, ObjectSchema> {
  return new Map(
    [...items].map(([kind, { entries }]) => {
      const { status, transitions } = entries;
      const changes = Object.entries(createChangeSchema(kind).entries as v.ObjectEntries);
      const members = changes.filter(([name]) => Object.hasOwn(entries, name));
      const all = { ...Object.fromEntries(members), status: status!, ...(transitions && { transitions }) };
      return [kind, v.object(all) as ObjectSchema];
    }),
  );
}

/** Returns the schema of an upsert. That of each record follows from whether it is known. */
export function chooseUpsertInput(
  { entries }: ObjectSchema,
  items: ReadonlyMap<Kind, ObjectSchema>,
  known: { schemas: ReadonlyMap<Kind, ObjectSchema>; isKnown(kind: Kind, item: Body): unknown },
): ObjectSchema {
  const createItem = (kind: Kind) =>
    v.lazy((sent) => {
      const item = (typeof sent === 'object' && sent !== null ? sent : {}) as Body;
      return (known.isKnown(kind, item) ? known.schemas : items).get(kind)!;
    });
  const lists = byCollection([...items.keys()], (kind) =>
    v.optional(listSchema(createItem(kind), mostRecords, 'records', 'objects')),
  );
  return v.object({ ...entries, ...lists }) as ObjectSchema;
}

/** Whether a status moves a record. A page of an export has the statuses of its day, and some follow from other members. */
const isMove = ({ lifecycle }: Kind, { asked }: StoredRecord, status: unknown, isPage: boolean): boolean =>
  !isPage || asked !== undefined || lifecycle.stored.some((stored) => stored === status);

/** Members of a sent record that say which record it is, or what happened to it before. */
const unchangeable = ['id', 'ref', 'transitions', 'history'];

/** Returns the members of a sent record that a known record does not have so already. */
export function pickChanges(
  kind: Kind,
  record: StoredRecord,
  body: Body,
  { view, today, isPage = false }: { view: View; today: string; isPage?: boolean },
): Body {
  const row: Body = presentRecord(kind, record, view, today);
  const members = Object.entries(body).filter(([member]) => !unchangeable.includes(member));
  const isChange = ([member, value]: [string, unknown]) => {
    const target = kind.references[member];
    const meant = target && typeof value === 'string' ? (view.resolve(target, value) ?? value) : value;
    if (JSON.stringify(row[member] ?? null) === JSON.stringify(meant)) return false;
    return member !== 'status' || isMove(kind, record, value, isPage);
  };
  return Object.fromEntries(members.filter(isChange));
}

/**
 * Splits the records of an upsert into those to create and the changes of those that are known. A record that reads as it was
 * sent is in neither. Throws a Refusal if the record of a change has gone since the check of the call.
 */
export function* splitKnown(
  drafts: readonly SentRecord[],
  { change }: ChangeContext,
  isPage: boolean,
): Steps<{ creates: SentRecord[]; changes: SentChange[] }> {
  const creates: SentRecord[] = [];
  const changes: SentChange[] = [];
  for (const draft of drafts) {
    yield;
    const { kind, body, at } = draft;
    const entry = findKnown(change, kind, body.ref);
    if (!entry) {
      if (!v.is(kind.body, body))
        throw new Refusal('changed', {
          issues: [{ path: `${at}ref`, message: 'is that of a record that has just gone; send it again' }],
        });
      creates.push(draft);
      continue;
    }
    const patch = pickChanges(kind, entry.record, body, { view: change, today: change.today, isPage });
    if (Object.keys(patch).length > 0) changes.push({ kind, id: entry.record.id, patch, at });
  }
  return { creates, changes };
}
