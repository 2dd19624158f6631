import * as v from 'valibot';
import type { Call } from '../../kernel/call.ts';
import { type Finding, type Issue, mostPlaces, type WordedIssue } from '../../kernel/envelope.ts';
import { checkNearMisses, listUnknownNames, warnUnknown } from '../../kernel/input.ts';
import { withRules } from '../../kernel/json-schema.ts';
import {
  defineOperation,
  largestBody,
  type ObjectSchema,
  type OperationRow,
} from '../../kernel/operation.ts';
import { type Steps, wait } from '../../kernel/steps.ts';
import { listSchema, maxCharacters, may, mayNamed, say, trimIfText } from '../../kernel/text.ts';
import { warnOrRefuse } from '../../kernel/warnings.ts';
import { checkCode } from '../../occupations/code.ts';
import { exportMembers, isExport } from '../account/export.ts';
import { mostRecords } from '../account/workspace-view.ts';
import { createHistorySchema } from '../activity/history-input.ts';
import type { Kind } from '../kind/kind.ts';
import { byCollection } from '../kind/kind-list.ts';
import type { Context, RecordService, RecordWorkspace } from '../service.ts';
import { checkRemoved } from '../write/change-input.ts';
import { checkRef } from '../write/check-record.ts';
import { writeBatch } from '../write/create.ts';
import {
  type ChangeSchemas,
  checkChanges,
  checkRefChanges,
  createChangeSchemas,
  createChangesSchema,
  readChanges,
} from './batch-changes.ts';
import { readSource } from './batch-source.ts';
import { chooseUpsertInput, createKnownSchemas, createKnownTest } from './upsert.ts';

/**
 * Returns the schema of a record in a batch: what a create accepts, and the status, moves and history that an export shows.
 */
function createItemSchema(kind: Kind): ObjectSchema {
  const { body, record, lifecycle } = kind;
  const { statuses, stored, moves, details } = lifecycle;
  const status = say(
    v.picklist(statuses, `must be one of ${statuses.join(', ')}`),
    `Kept where it is one that is asked for: ${stored.join(', ') || 'none'}.`,
  );
  const { transitions } = record.entries;
  const entries = {
    id: mayNamed(
      v.pipe(v.string('must be a string'), maxCharacters(200)),
      'Id',
      'As an export has it: other records of the batch can refer to it. The record gets an id of its own.',
    ),
    ...body.entries,
    status: v.optional(status),
    ...details?.entries,
    ...(moves.length > 0 && { transitions: transitions! }),
    history: createHistorySchema(kind),
  };
  const item = v.object(entries, 'must be an object') as unknown as ObjectSchema;
  return details ? withRules(item, { dependentRequired: details.needs.batch }) : item;
}

type ItemSchemas = ReadonlyMap<Kind, ObjectSchema>;

export const createListEntries = (kinds: readonly Kind[], createSchema: (kind: Kind) => v.GenericSchema) =>
  byCollection(kinds, (kind) =>
    may(createSchema(kind), `Each as ${kind.texts.create.operationId} takes it.`),
  );

/** Says that a record whose ref is known is a change of it. */
export const upsert = may(
  v.boolean('must be true or false'),
  'true: a record whose ref is known changes that one, by the members sent.',
);

const emptyListSchema = { maxItems: 0 };

/** Returns the schema of a batch. It allows no batch of empty lists. */
function createInputSchema(items: ItemSchemas, changeSchemas: ChangeSchemas): ObjectSchema {
  const kinds = [...items.keys()];
  const listOf = (kind: Kind) => listSchema(items.get(kind)!, mostRecords, 'records', 'objects');
  const changes = may(createChangesSchema(changeSchemas), 'Merge patches, made in order after the creates.');
  const lists = v.object({ ...createListEntries(kinds, listOf), changes, upsert });
  const isEmpty = { properties: { ...byCollection(kinds, () => emptyListSchema), changes: emptyListSchema } };
  return withRules(lists, { not: isEmpty }) as ObjectSchema;
}

type Item = Readonly<Record<string, unknown>>;

/** Lists the sent records with their paths. The schema refuses what is not an object. */
const listItems = (args: Item, kinds: readonly Kind[]) =>
  kinds.flatMap((kind) => {
    const sent = args[kind.collection];
    if (!Array.isArray(sent) || sent.length > mostRecords) return [];
    return sent.map((value: unknown, index) => ({
      kind,
      item: (typeof value === 'object' && value !== null ? value : {}) as Item,
      at: `${kind.collection}[${index}]`,
    }));
  });

const countItems = (args: Item, kinds: readonly Kind[]): number =>
  [...kinds.map(({ collection }) => collection), 'changes'].reduce(
    (sum, name) => sum + (Array.isArray(args[name]) ? args[name].length : 0),
    0,
  );

type KnownTest = ReturnType<typeof createKnownTest>;

/**
 * Returns the issues of a batch as a whole. It holds 1 to 200 records and changes, and no two records of a kind with one
 * ref.
 */
function checkWhole(args: Item, kinds: readonly Kind[], findKnown: KnownTest): Issue[] {
  const names = [...kinds.map(({ collection }) => collection), 'changes'];
  const total = countItems(args, kinds);
  const issues: Issue[] = [];
  const add = (path: string, message: string) => issues.push({ path, message });
  if (total === 0) add('', `holds no record and no change; send at least one in ${names.join(', ')}`);
  if (total > mostRecords) add('', `holds ${total} records and changes; send at most ${mostRecords} in all`);
  const seen = new Map<string, string>();
  for (const { kind, item, at } of listItems(args, kinds)) {
    const { id } = item;
    const ref = trimIfText(item.ref);
    const known = findKnown?.(kind, item);
    // The ref of an exported record may be its id.
    if (ref !== id && !isExport(args) && !known)
      for (const { message } of checkRef(kind, ref)) add(`${at}.ref`, message);
    if (typeof id === 'string' && seen.has(id)) add(`${at}.id`, `is that of ${seen.get(id)} too`);
    else if (typeof id === 'string') seen.set(id, at);
    if (typeof ref !== 'string') continue;
    const name = `${kind.name} ${known?.record.id ?? ref}`;
    if (seen.has(name)) add(`${at}.ref`, `is that of ${seen.get(name)} too`);
    else seen.set(name, at);
  }
  return issues;
}

/** By kind, the members that a batch accepts in a record and those that it ignores. */
type TakenNames = ReadonlyMap<Kind, Taken>;

interface Taken {
  input: ObjectSchema;
  unread: readonly string[];
}

/**
 * The accepted members in a page of an export and in any other batch. A page also has `receipt`, which is ignored.
 */
interface BatchNames {
  export: TakenNames;
  other: TakenNames;
}

function collectNames(items: ItemSchemas, ...more: string[]): TakenNames {
  const names = [...items].map(([kind, input]) => {
    const unread = [...Object.keys(kind.record.entries), ...more];
    return [kind, { input, unread }] as const;
  });
  return new Map(names);
}

/**
 * Warns of members that a record is presented with and a batch does not accept. For a page of an export, it warns
 * only of a stated or disputed outcome, and of what clients wrote on a shortlist.
 */
function warnNotTaken(item: Item, at: string, taken: Taken, isPage: boolean): Finding[] {
  const warn = (name: string, message: string, refusal: string) => ({
    code: 'not_taken',
    path: `${at}.${name}`,
    message,
    refusal,
  });
  if (!isPage) {
    const { input, unread } = taken;
    const unreadNames = unread.filter(
      (name) => Object.hasOwn(item, name) && !Object.hasOwn(input.entries, name),
    );
    const message = 'is given by the service, and not taken: the record gets its own';
    return unreadNames.map((name) => warn(name, message, 'is given by the service; leave it out'));
  }
  const warnings: Finding[] = [];
  const { statedAt, disputed } = (item.outcome ?? {}) as { statedAt?: unknown; disputed?: unknown };
  if (statedAt !== undefined || disputed === true) {
    const message = 'was stated or disputed, and is not taken: state it again here, and keep its receipt';
    warnings.push(warn('outcome', message, 'was stated or disputed; leave it out, and state it again here'));
  }
  if (Array.isArray(item.comments) && item.comments.length > 0) {
    const message =
      'are what reviewers wrote on a shortlist, and not taken: put in the note what has to stay';
    warnings.push(warn('comments', message, 'are not taken; leave them out'));
  }
  return warnings;
}

/** Warns of each member of a record that a batch does not accept. Members that an export adds give no warning. */
function* warnOfItems(args: Item, names: BatchNames, { catalogue, kinds }: RecordService): Steps<Finding[]> {
  const isPage = isExport(args);
  const takenNames = isPage ? names.export : names.other;
  const warnings: Finding[] = [];
  for (const { kind, item, at } of listItems(args, kinds)) {
    const taken = takenNames.get(kind)!;
    warnings.push(...warnNotTaken(item, at, taken, isPage));
    const room = Math.max(0, mostPlaces - warnings.length);
    warnings.push(...warnUnknown(item, taken, catalogue.nearMisses, { at: `${at}.`, room }));
    yield;
  }
  return warnings;
}

/** What a batch is checked by. */
interface BatchCheck {
  taken: TakenNames;
  /** The accepted members of a record that is known. */
  known: TakenNames;
  findKnown: KnownTest;
  changeSchemas: ChangeSchemas;
}

/**
 * Checks a batch as a whole, and the names and codes in each record. It stops once it has found as many issues as
 * are shown.
 */
function* checkBatch(
  args: Item,
  { taken, known, findKnown, changeSchemas }: BatchCheck,
  service: RecordService,
  call: Call,
): Steps<WordedIssue[]> {
  const issues: WordedIssue[] = checkWhole(args, service.kinds, findKnown);
  // How many names may still be compared with the known ones. Each takes up to a millisecond.
  let room = mostPlaces;
  for (const { kind, item, at } of listItems(args, service.kinds)) {
    if (issues.length > mostPlaces) break;
    yield;
    const isKnown = findKnown?.(kind, item) !== undefined;
    const names = (isKnown ? known : taken).get(kind)!;
    if (isKnown)
      issues.push(...checkRemoved(kind, item).map((issue) => ({ ...issue, path: `${at}.${issue.path}` })));
    const unknown = room > 0 ? listUnknownNames(item, names) : [];
    if (unknown.length > 0 && !v.safeParse(names.input, item).success) {
      issues.push(...checkNearMisses(item, names, service.catalogue.nearMisses, { at: `${at}.`, room }));
      room -= unknown.length;
    }
    const found = checkCode(item, service, call);
    for (const { path, message } of found instanceof Promise ? yield* wait(found) : found)
      issues.push({ path: `${at}.${path}`, message });
  }
  if (issues.length <= mostPlaces) issues.push(...(yield* checkChanges(args, changeSchemas, service, call)));
  return issues;
}

export function defineBatchOperation(kinds: readonly Kind[]): OperationRow {
  const items: ItemSchemas = new Map(kinds.map((kind) => [kind, createItemSchema(kind)]));
  const changeSchemas = createChangeSchemas(kinds);
  const whole = createInputSchema(items, changeSchemas);
  const knownSchemas = createKnownSchemas(items);
  const known = collectNames(knownSchemas, 'receipt', 'claims', 'history');
  const names: BatchNames = { export: collectNames(items, 'receipt', 'claims'), other: collectNames(items) };
  return defineOperation({
    operationId: 'createBatch',
    method: 'POST',
    path: '/batch',
    input: whole,
    chooseInput(args, service: RecordService, workspace: RecordWorkspace | undefined) {
      const isKnown = createKnownTest(args, service, workspace);
      return isKnown && chooseUpsertInput(whole, items, { schemas: knownSchemas, isKnown });
    },
    bodyLimit: largestBody,
    isBulk: true,
    countRecords: (args) => countItems(args, kinds),
    hasMinimal: true,
    unread: exportMembers,
    access: { workspace: true },
    *check(args, service: RecordService, call, workspace: RecordWorkspace | undefined) {
      const findKnown = createKnownTest(args, service, workspace);
      const check = { taken: names.export, known, findKnown, changeSchemas };
      const issues = yield* checkBatch(args, check, service, call);
      if (issues.length > mostPlaces) return issues;
      const ofRefs = yield* checkRefChanges(changeSchemas, { args, service, call, workspace });
      return [...issues, ...ofRefs];
    },
    async run(input, context: Context) {
      const { upsert: isUpsert, ...lists } = input as { upsert?: boolean };
      const { changes: sent, ...bodies } = lists as Readonly<Record<string, readonly Item[]>>;
      const { service, call, operation } = context;
      function* read() {
        const readSent = sent && (yield* readChanges(sent, changeSchemas, context));
        const warnings = yield* warnOfItems(context.args, names, service);
        return { changes: readSent?.changes, warnings: [...warnings, ...(readSent?.warnings ?? [])] };
      }
      const of = { client: call.client, operation: operation.operationId };
      const { changes, warnings } = await service.platform.runSteps(read(), of);
      warnOrRefuse(context, warnings);
      return writeBatch({ bodies, isUpsert, changes, source: readSource(context) }, context);
    },
  });
}
