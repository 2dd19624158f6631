import * as v from 'valibot';
import type { Call } from '../kernel/call.ts';
import { cutExcerpt, type Finding, mostPlaces, type WordedIssue } from '../kernel/envelope.ts';
import { checkInput, checkNearMisses, isRemovable, listUnknownNames, warnUnknown } from '../kernel/input.ts';
import { toPlainSchema, withRules } from '../kernel/json-schema.ts';
import type { ObjectSchema } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { listSchema, maxCharacters, may, mayNamed } from '../kernel/text.ts';
import { checkCode } from '../occupations/code.ts';
import { checkChange, createChangeSchema } from './change-input.ts';
import type { SentChange } from './draft-changes.ts';
import type { Kind } from './kind.ts';
import { findKindById } from './kind-list.ts';
import type { Context, RecordService } from './service.ts';
import { mostRecords } from './workspace-view.ts';

type Item = Readonly<Record<string, unknown>>;

/** What names the record of a change, and the revision that the caller has read. */
export const changeIdentity = {
  id: v.pipe(
    v.string('must be a string'),
    maxCharacters(200),
    v.description('The id of the record, or `#` and its ref.'),
  ),
  revision: may(v.number('must be a number'), 'Refuse if the record is at another revision.'),
};

/** The schema of a change of each kind: what its update accepts, with the identity of the record. */
export type ChangeSchemas = ReadonlyMap<Kind, ObjectSchema>;

export const createChangeSchemas = (kinds: readonly Kind[]): ChangeSchemas =>
  new Map(
    kinds.map((kind) => [
      kind,
      v.object({ ...changeIdentity, ...createChangeSchema(kind).entries }) as ObjectSchema,
    ]),
  );

/** Returns the members of all kinds. One that some kind can lose takes null. */
function mergeEntries(schemas: ChangeSchemas): v.ObjectEntries {
  const merged: Record<string, v.GenericSchema> = {};
  for (const { entries } of schemas.values())
    for (const [name, entry] of Object.entries(entries) as [string, v.GenericSchema][])
      if (!merged[name] || isRemovable(entry)) merged[name] = entry;
  merged.status = mayNamed(v.string('must be a string'), 'Status', 'The status to move to.');
  return merged as v.ObjectEntries;
}

const AnyChange = v.looseObject(changeIdentity, 'must be an object');

/**
 * Returns the schema of the changes of a batch. It has the members of all kinds, and validates a change by the kind of its
 * id. The kind of a ref is not known before the workspace is read. The contract shows only what all changes have.
 */
export function createChangesSchema(schemas: ChangeSchemas) {
  const kinds = [...schemas.keys()];
  const item = { ...v.object(mergeEntries(schemas)) };
  item['~run'] = (dataset, config) => {
    const { id } = (dataset.value ?? {}) as { id?: unknown };
    const kind = typeof id === 'string' ? findKindById(kinds, id) : undefined;
    const schema = (kind && schemas.get(kind)) ?? AnyChange;
    return schema['~run'](dataset, config) as ReturnType<(typeof item)['~run']>;
  };
  const { properties = {} } = toPlainSchema(v.object(changeIdentity));
  withRules(item, { properties, additionalProperties: true });
  return listSchema(item as v.GenericSchema<Item>, mostRecords, 'changes', 'objects');
}

/** Returns the kind of the record that a change names. `findByRef` finds the kinds that have a ref. */
function findKinds(id: unknown, kinds: readonly Kind[], findByRef: (ref: string) => Kind[]): Kind[] {
  if (typeof id !== 'string') return [];
  if (id.startsWith('#')) return findByRef(id.slice(1));
  return [findKindById(kinds, id) ?? []].flat();
}

interface PlacedChange {
  kind: Kind;
  patch: Item;
  id: string;
  revision: number | undefined;
  at: string;
}

const place = (kind: Kind, { id, revision, ...patch }: Item, at: string): PlacedChange => ({
  kind,
  patch,
  id: id as string,
  revision: revision as number | undefined,
  at,
});

/** Lists the sent changes that name their kind by an id. */
export function listPlacedChanges({ changes }: Item, kinds: readonly Kind[]): PlacedChange[] {
  if (!Array.isArray(changes) || changes.length > mostRecords) return [];
  return changes.flatMap((sent: unknown, index) => {
    const item = (typeof sent === 'object' && sent !== null ? sent : {}) as Item;
    return findKinds(item.id, kinds, () => []).map((kind) => place(kind, item, `changes[${index}].`));
  });
}

/** What the kind of a change accepts, and the names that its records have and no change sets. */
const listTaken = (schemas: ChangeSchemas, kind: Kind) => ({
  input: schemas.get(kind)!,
  unread: Object.keys(kind.record.entries),
});

/** Returns the issues of a change that its schema does not find. */
async function checkOne(
  { kind, patch, at }: PlacedChange,
  schemas: ChangeSchemas,
  service: RecordService,
  call: Call,
): Promise<WordedIssue[]> {
  const found = [...checkChange(kind, patch), ...(await checkCode(patch, service, call))];
  const issues = found.map((issue) => ({ ...issue, path: at + issue.path }));
  const names = listTaken(schemas, kind);
  if (listUnknownNames(patch, names).length === 0) return issues;
  return [...issues, ...checkNearMisses({ id: '', ...patch }, names, service.catalogue.nearMisses, { at })];
}

/** Returns the issues of the changes whose ids name their kind, and of ids that can be none. */
export async function checkChanges(
  args: Item,
  schemas: ChangeSchemas,
  service: RecordService,
  call: Call,
): Promise<WordedIssue[]> {
  const issues: WordedIssue[] = checkIds(args, service.kinds);
  for (const change of listPlacedChanges(args, service.kinds)) {
    if (issues.length >= mostPlaces) break;
    issues.push(...(await checkOne(change, schemas, service, call)));
  }
  return issues;
}

/** Returns an issue for each id that is neither that of a kind nor a ref. */
function checkIds({ changes }: Item, kinds: readonly Kind[]): WordedIssue[] {
  if (!Array.isArray(changes) || changes.length > mostRecords) return [];
  const prefixes = kinds.map(({ prefix }) => `${prefix}…`).join(', ');
  return changes.flatMap((sent: unknown, index) => {
    const { id } = (sent ?? {}) as { id?: unknown };
    if (typeof id !== 'string' || id.startsWith('#') || findKindById(kinds, id)) return [];
    const message = `${cutExcerpt(id)} is no id of a record; send one of ${prefixes}, or # and a ref`;
    return [{ path: `changes[${index}].id`, message }];
  });
}

/** Lists the kinds that have a ref, in the workspace or among the records that the batch creates. */
function createRefFinder(args: Item, { workspace, service }: Context): (ref: string) => Kind[] {
  const isCreated = ({ collection }: Kind, ref: string) =>
    ((args[collection] ?? []) as { ref?: unknown }[]).some((item) => item.ref === ref);
  return (ref) =>
    service.kinds.filter(
      (kind) => workspace?.contents.findByRef(kind.name, ref) !== undefined || isCreated(kind, ref),
    );
}

/**
 * Returns the changes of a batch, of the records that they name, and warnings of unknown members as a PATCH gives them.
 * Throws a Refusal for a change that is not valid.
 */
export async function readChanges(
  sent: readonly Item[],
  schemas: ChangeSchemas,
  context: Context,
): Promise<{ changes: SentChange[]; warnings: Finding[] }> {
  const { args, service, call } = context;
  const findByRef = createRefFinder(args, context);
  const { nearMisses } = service.catalogue;
  const changes: SentChange[] = [];
  const warnings: Finding[] = [];
  const issues: WordedIssue[] = [];
  for (const [index, item] of sent.entries()) {
    const at = `changes[${index}].`;
    const [kind, ...others] = findKinds(item.id, service.kinds, findByRef);
    if (!kind || others.length > 0) {
      issues.push({ path: `${at}id`, message: explainRef(kind ? [kind, ...others] : [], context) });
      continue;
    }
    const raw = (args.changes as Item[])[index]!;
    const schema = schemas.get(kind)!;
    if ((item.id as string).startsWith('#')) {
      const found = checkInput(schema, raw).map((issue) => ({ ...issue, path: at + issue.path }));
      issues.push(...found, ...(await checkOne(place(kind, raw, at), schemas, service, call)));
      if (found.length > 0) continue;
    }
    const room = Math.max(0, mostPlaces - warnings.length);
    warnings.push(...warnUnknown(raw, listTaken(schemas, kind), nearMisses, { at, room }));
    changes.push(place(kind, v.parse(schema, raw) as Item, at));
  }
  if (issues.length > 0) throw new Refusal('invalid_request', { issues });
  return { changes, warnings };
}

function explainRef(kinds: readonly Kind[], { workspace }: Context): string {
  if (kinds.length > 0)
    return `is the ref of a ${kinds.map(({ noun }) => noun).join(' and a ')}; send the id of the one that you mean`;
  return workspace
    ? 'resolves to nothing: no record of this batch or of your workspace has that ref'
    : 'is a ref, and a ref belongs to a workspace: X-Workspace (over MCP the argument workspace) was not sent';
}
