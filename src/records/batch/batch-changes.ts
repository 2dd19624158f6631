import * as v from 'valibot';
import type { Call } from '../../kernel/call.ts';
import { cutExcerpt, type Finding, mostPlaces, type WordedIssue } from '../../kernel/envelope.ts';
import {
  checkInput,
  checkNearMisses,
  isRemovable,
  listUnknownNames,
  warnUnknown,
} from '../../kernel/input.ts';
import { withRules } from '../../kernel/json-schema.ts';
import type { ObjectSchema } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { type Steps, wait } from '../../kernel/steps.ts';
import {
  listSchema,
  maxCharacters,
  may,
  mayNamed,
  trimIfText,
  trimmed,
  trimText,
} from '../../kernel/text.ts';
import { checkCode } from '../../occupations/code.ts';
import { mostRecords } from '../account/workspace-view.ts';
import type { Kind } from '../kind/kind.ts';
import { findKindById } from '../kind/kind-list.ts';
import type { Context, RecordService } from '../service.ts';
import { anyStatus, checkChange, createChangeSchema } from '../write/change-input.ts';
import type { SentChange } from './draft-changes.ts';

type Item = Readonly<Record<string, unknown>>;

/** What names the record of a change, and the revision that the caller has read. */
export const changeIdentity = {
  id: v.pipe(
    v.string('must be a string'),
    trimmed(),
    maxCharacters(200),
    v.description('The id of the record, or `#` and its ref. A ref that another change sets does not count.'),
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

/** Returns the members of all kinds. A member that one kind can remove takes null. */
function mergeEntries(schemas: ChangeSchemas): v.ObjectEntries {
  const merged: Record<string, v.GenericSchema> = {};
  for (const { entries } of schemas.values())
    for (const [name, entry] of Object.entries(entries) as [string, v.GenericSchema][])
      if (!merged[name] || isRemovable(entry)) merged[name] = entry;
  merged.status = mayNamed(anyStatus, 'Status', 'The status to move to.');
  return merged as v.ObjectEntries;
}

const AnyChange = v.looseObject(changeIdentity, 'must be an object');

/**
 * Returns the schema of the changes of a batch. It has the members of all kinds, and validates a change by the kind of its
 * id. The kind of a ref is not known before the workspace is read. The contract shows only what all changes have.
 */
export function createChangesSchema(schemas: ChangeSchemas) {
  const kinds = [...schemas.keys()];
  const findSchema = (sent: unknown) => {
    const { id } = (sent ?? {}) as { id?: unknown };
    const kind = typeof id === 'string' ? findKindById(kinds, trimText(id)) : undefined;
    return kind && schemas.get(kind);
  };
  const chooseEntries = (sent: Item) => findSchema(sent)?.entries;
  const shape = Object.assign(v.object(mergeEntries(schemas)), { chooseEntries });
  withRules(shape, { shown: v.object(changeIdentity), additionalProperties: true });
  const item: v.GenericSchema<Item> = v.lazy((sent) =>
    sent === undefined ? shape : (findSchema(sent) ?? AnyChange),
  );
  return listSchema(item, mostRecords, 'changes', 'objects');
}

/** Returns the kinds that the id of a change can mean: several if they share a ref. */
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

/** Lists the sent changes, with their ids trimmed. The schema refuses what is not an object. */
function listSentChanges({ changes }: Item): Item[] {
  if (!Array.isArray(changes) || changes.length > mostRecords) return [];
  return changes.map((sent: unknown) => {
    const item = (typeof sent === 'object' && sent !== null ? sent : {}) as Item;
    return 'id' in item ? { ...item, id: trimIfText(item.id) } : item;
  });
}

/** Lists the sent changes that name their kind by an id. */
const listPlacedChanges = (args: Item, kinds: readonly Kind[]): PlacedChange[] =>
  listSentChanges(args).flatMap((item, index) =>
    findKinds(item.id, kinds, () => []).map((kind) => place(kind, item, `changes[${index}].`)),
  );

/** What the kind of a change accepts, and the names that its records have and no change sets. */
const listMemberNames = (schemas: ChangeSchemas, kind: Kind) => ({
  input: schemas.get(kind)!,
  unread: Object.keys(kind.record.entries),
});

/** What the check of a change needs. */
interface ChangeCheck {
  schemas: ChangeSchemas;
  service: RecordService;
  call: Call;
  /** How many names may still be compared with the known ones. Each takes up to a millisecond. */
  room: number;
}

/**
 * Returns the issues of a change that its schema does not find. Unknown members are issues only if the change is refused
 * anyway, as they are in a PATCH.
 */
function* checkOne(
  { kind, patch, id, revision, at }: PlacedChange,
  check: ChangeCheck,
): Steps<WordedIssue[]> {
  const { schemas, service, call, room } = check;
  const found = checkCode(patch, service, call);
  const ofCode = found instanceof Promise ? yield* wait(found) : found;
  const issues = [...checkChange(kind, patch), ...ofCode];
  const placed: WordedIssue[] = issues.map((issue) => ({ ...issue, path: at + issue.path }));
  const names = listMemberNames(schemas, kind);
  const unknownNames = room > 0 ? listUnknownNames(patch, names) : [];
  if (unknownNames.length === 0) return placed;
  const sent = { ...patch, id, revision };
  if (issues.length === 0 && v.safeParse(names.input, sent).success) return placed;
  check.room -= unknownNames.length;
  return [...placed, ...checkNearMisses(sent, names, service.catalogue.nearMisses, { at, room })];
}

/** Returns the issues of the changes whose ids name their kind, and of ids that can be none. */
export function* checkChanges(
  args: Item,
  schemas: ChangeSchemas,
  service: RecordService,
  call: Call,
): Steps<WordedIssue[]> {
  const check: ChangeCheck = { schemas, service, call, room: mostPlaces };
  const issues: WordedIssue[] = checkIds(args, service.kinds);
  for (const change of listPlacedChanges(args, service.kinds)) {
    if (issues.length > mostPlaces) break;
    yield;
    issues.push(...(yield* checkOne(change, check)));
  }
  return issues;
}

/** Returns an issue for each id that is neither that of a kind nor a ref. */
function checkIds(args: Item, kinds: readonly Kind[]): WordedIssue[] {
  const prefixes = kinds.map(({ prefix }) => `${prefix}…`).join(', ');
  return listSentChanges(args).flatMap(({ id }, index) => {
    if (typeof id !== 'string' || id.startsWith('#') || findKindById(kinds, id)) return [];
    const message = `${cutExcerpt(id)} is no id of a record; send one of ${prefixes}, or # and a ref`;
    return [{ path: `changes[${index}].id`, message }];
  });
}

/** What the kind of a ref follows from. */
type BatchContext = Pick<Context, 'args' | 'service' | 'call' | 'workspace'>;

/** Lists the kinds that have a ref, in the workspace or among the records that the batch creates. */
function createRefFinder({ args, workspace, service }: BatchContext): (ref: string) => Kind[] {
  const isCreated = ({ collection }: Kind, ref: string) => {
    const sent = args[collection];
    return (
      Array.isArray(sent) && sent.some((item: { ref?: unknown } | null) => trimIfText(item?.ref) === ref)
    );
  };
  return (ref) =>
    service.kinds.filter(
      (kind) => workspace?.contents.findByRef(kind.name, ref) !== undefined || isCreated(kind, ref),
    );
}

/** Returns the issues of the changes whose ids are refs. Their kinds follow from the workspace. */
export function* checkRefChanges(schemas: ChangeSchemas, context: BatchContext): Steps<WordedIssue[]> {
  const { args, service, call } = context;
  const findByRef = createRefFinder(context);
  const check: ChangeCheck = { schemas, service, call, room: mostPlaces };
  const issues: WordedIssue[] = [];
  for (const [index, sent] of listSentChanges(args).entries()) {
    const { id } = sent;
    if (typeof id !== 'string' || !id.startsWith('#')) continue;
    if (issues.length > mostPlaces) break;
    yield;
    const at = `changes[${index}].`;
    const [kind, ...others] = findByRef(id.slice(1));
    if (!kind || others.length > 0) {
      issues.push({ path: `${at}id`, message: explainRef(kind ? [kind, ...others] : [], context) });
      continue;
    }
    const found = checkInput(schemas.get(kind)!, sent).map((issue) => ({ ...issue, path: at + issue.path }));
    issues.push(...found);
    if (issues.length <= mostPlaces) issues.push(...(yield* checkOne(place(kind, sent, at), check)));
  }
  return issues;
}

/** Returns the checked changes of a batch with their kinds, and warnings of unknown members as a PATCH gives them. */
export function* readChanges(
  sent: readonly Item[],
  schemas: ChangeSchemas,
  context: Context,
): Steps<{ changes: SentChange[]; warnings: Finding[] }> {
  const { args, service } = context;
  const findByRef = createRefFinder(context);
  const { nearMisses } = service.catalogue;
  const changes: SentChange[] = [];
  const warnings: Finding[] = [];
  for (const [index, item] of sent.entries()) {
    const at = `changes[${index}].`;
    const [kind, ...others] = findKinds(item.id, service.kinds, findByRef);
    const raw = (args.changes as Item[])[index]!;
    const parsed = kind && v.safeParse(schemas.get(kind)!, raw);
    // Another change may have given the ref to another record since the check.
    if (!kind || !parsed?.success || others.length > 0)
      throw new Refusal('changed', {
        issues: [{ path: `${at}id`, message: 'is a ref that has just changed; send it again' }],
      });
    const room = Math.max(0, mostPlaces - warnings.length);
    warnings.push(...warnUnknown(raw, listMemberNames(schemas, kind), nearMisses, { at, room }));
    changes.push(place(kind, parsed.output as Item, at));
    yield;
  }
  return { changes, warnings };
}

function explainRef(kinds: readonly Kind[], { workspace }: BatchContext): string {
  if (kinds.length > 0)
    return `is the ref of a ${kinds.map(({ noun }) => noun).join(' and a ')}; send the id of the one that you mean`;
  return workspace
    ? 'resolves to nothing: neither your workspace before this batch nor a record that it creates has that ref'
    : 'is a ref, and a ref belongs to a workspace: X-Workspace (over MCP the argument workspace) was not sent';
}
