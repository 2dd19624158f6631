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

/** Returns the id that a reference to a record of a kind has here, or the reference as it was sent. */
export type FindId = (kindName: string, sent: unknown) => unknown;

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
      const { id, status, transitions } = entries;
      const changes = Object.entries(createChangeSchema(kind).entries as v.ObjectEntries);
      const members = changes.filter(([name]) => Object.hasOwn(entries, name));
      const all = {
        ...Object.fromEntries(members),
        id: id!,
        status: status!,
        ...(transitions && { transitions }),
      };
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

/** Members of a sent record that say which record it is, or what happened to it before. */
const unchangeable = ['id', 'ref', 'transitions', 'history'];

/** Returns the members of a sent record that a known record does not have so already. */
export function pickChanges(
  kind: Kind,
  record: StoredRecord,
  body: Body,
  { view, today, findId }: { view: View; today: string; findId?: FindId },
): Body {
  const row: Body = presentRecord(kind, record, view, today);
  const readReference = (target: string, sent: string) => {
    const meant = findId?.(target, sent) ?? sent;
    return typeof meant === 'string' ? (view.resolve(target, meant) ?? meant) : meant;
  };
  const members = Object.entries(body).flatMap(([member, value]) => {
    if (unchangeable.includes(member)) return [];
    const target = kind.references[member];
    const meant = target && typeof value === 'string' ? readReference(target, value) : value;
    return JSON.stringify(row[member] ?? null) === JSON.stringify(meant) ? [] : [[member, meant] as const];
  });
  return Object.fromEntries(members);
}

/** A sent record whose ref a record of the workspace has. */
export interface KnownRecord extends SentRecord {
  entry: Entry;
}

/**
 * Splits the records of an upsert into those to create and those that are known. Throws a Refusal if the record of a change
 * has gone since the check of the call.
 */
export function* splitKnown(
  drafts: readonly SentRecord[],
  { change }: ChangeContext,
): Steps<{ creates: SentRecord[]; known: KnownRecord[] }> {
  const creates: SentRecord[] = [];
  const known: KnownRecord[] = [];
  for (const draft of drafts) {
    yield;
    const { kind, body, at } = draft;
    const entry = findKnown(change, kind, body.ref);
    if (entry) known.push({ ...draft, entry });
    else if (v.is(kind.body, body)) creates.push(draft);
    else
      throw new Refusal('changed', {
        issues: [{ path: `${at}ref`, message: 'is that of a record that has just gone; send it again' }],
      });
  }
  return { creates, known };
}

/** Returns the change that brings a known record to how it was sent, or nothing if it reads so. */
export function listUpsertChanges(
  { kind, body, at, entry: { record } }: KnownRecord,
  { change: view }: ChangeContext,
  findId: FindId,
): SentChange[] {
  const patch = pickChanges(kind, record, body, { view, today: view.today, findId });
  return Object.keys(patch).length > 0 ? [{ kind, id: record.id, patch, at }] : [];
}
