import * as v from 'valibot';
import type { Call } from '../kernel/call.ts';
import { type Finding, type Issue, mostPlaces } from '../kernel/envelope.ts';
import { checkNearMisses, listUnknownNames, warnUnknown } from '../kernel/input.ts';
import { withRules } from '../kernel/json-schema.ts';
import { defineOperation, largestBody, type ObjectSchema } from '../kernel/operation.ts';
import { warnOrRefuse } from '../kernel/perform.ts';
import type { Service } from '../kernel/service.ts';
import { listSchema, may, say } from '../kernel/text.ts';
import { checkCode, hasWrongCode } from '../occupations/code.ts';
import { checkRef } from './change.ts';
import { createRecords } from './create.ts';
import { exportMembers, isExport } from './export.ts';
import type { Kind } from './kind.ts';
import { byCollection, kinds } from './kinds.ts';
import { mostRecords } from './workspace-view.ts';

const areTimed = (moves: unknown) =>
  ((moves ?? []) as { at: string }[]).every(({ at }) => !Number.isNaN(Date.parse(at)));

/** What a batch takes of a record: what a create does, and what was asked of it where it was exported. */
function createItemSchema({ body, record, statuses, kept, moving, born }: Kind): ObjectSchema {
  const status = say(
    v.picklist(statuses, `must be one of ${statuses.join(', ')}`),
    `Kept where it is one that is asked for: ${kept.join(', ') || 'none'}.`,
  );
  const { transitions } = record.entries;
  const entries = {
    ...body.entries,
    status: v.optional(status),
    ...moving?.entries,
    ...(born && {
      transitions: v.pipe(transitions!, v.check(areTimed, 'must be moves at times that exist')),
    }),
  };
  const item = v.object(entries, 'must be an object') as unknown as ObjectSchema;
  return moving ? withRules(item, { dependentRequired: moving.needs.batch }) : item;
}

const items = new Map(kinds.map((kind) => [kind, createItemSchema(kind)]));

export const createListEntries = (to: (kind: Kind) => v.GenericSchema) =>
  byCollection((kind) => may(to(kind), `Each as ${kind.texts.create.operationId} takes it.`));

const emptyListSchema = { maxItems: 0 };

/** `checkWhole` refuses a batch of empty lists, or of none. */
const input = withRules(
  v.object(createListEntries((kind) => listSchema(items.get(kind)!, mostRecords, 'records', 'objects'))),
  { not: { properties: byCollection(() => emptyListSchema) } },
) as unknown as ObjectSchema;

type Item = Readonly<Record<string, unknown>>;

/** Each record that is sent, with its place; what is no object is refused by the schema. */
const listItems = (args: Item) =>
  kinds.flatMap((kind) => {
    const sent = args[kind.collection];
    if (!Array.isArray(sent) || sent.length > mostRecords) return [];
    return sent.map((one: unknown, index) => ({
      kind,
      item: (typeof one === 'object' && one !== null ? one : {}) as Item,
      at: `${kind.collection}[${index}]`,
    }));
  });

/** Counts a call as one for each wrong code that is searched for. Only as many are as issues are shown. */
async function weighWrongCodes(
  places: ReturnType<typeof listItems>,
  service: Service,
  call: Call,
): Promise<void> {
  const wrong = places.filter(({ item }) => hasWrongCode(item, service)).length;
  if (wrong > 1) await call.weigh?.(Math.min(wrong, mostPlaces) - 1);
}

/** A batch holds at least one record, at most 200, and no two of a kind with one ref. */
function checkWhole(args: Item): Issue[] {
  const names = kinds.map(({ collection }) => collection);
  const total = names.reduce((sum, name) => sum + (Array.isArray(args[name]) ? args[name].length : 0), 0);
  const issues: Issue[] = [];
  const add = (path: string, message: string) => issues.push({ path, message });
  if (total === 0) add('', `holds no record; send at least one in ${names.join(', ')}`);
  if (total > mostRecords) add('', `holds ${total} records; send at most ${mostRecords} in all`);
  const seen = new Map<string, string>();
  for (const { kind, item, at } of listItems(args)) {
    const { ref, id } = item;
    // The ref of an exported record may be its id.
    if (ref !== id && !isExport(args))
      for (const { message } of checkRef(kind, ref)) add(`${at}.ref`, message);
    if (typeof ref !== 'string') continue;
    const name = `${kind.name} ${ref}`;
    if (seen.has(name)) add(`${at}.ref`, `is that of ${seen.get(name)} too`);
    else seen.set(name, at);
  }
  return issues;
}

/** By kind, the names that a batch takes in a record and those that it does not read, `more` among them. */
const collectNames = (...more: string[]) =>
  new Map(
    kinds.map((kind) => {
      const unread = [...Object.keys(kind.record.entries), ...more];
      return [kind, { input: items.get(kind)!, unread }];
    }),
  );
const batchNames = collectNames();
const exportNames = collectNames('receipt');

/** Why members that a record is read with are not taken: of an export, only an outcome that was stated is told. */
function warnNotTaken(kind: Kind, item: Item, at: string, isPage: boolean): Finding[] {
  const warn = (name: string, message: string, refusal: string) => ({
    code: 'not_taken',
    path: `${at}.${name}`,
    message,
    refusal,
  });
  if (!isPage) {
    const { input, unread } = batchNames.get(kind)!;
    const given = unread.filter((name) => Object.hasOwn(item, name) && !Object.hasOwn(input.entries, name));
    const message = 'is given by the service, and not taken: the record gets its own';
    return given.map((name) => warn(name, message, 'is given by the service; leave it out'));
  }
  const { statedAt, disputed } = (item.outcome ?? {}) as { statedAt?: unknown; disputed?: unknown };
  if (statedAt === undefined && disputed !== true) return [];
  const message = 'was stated or disputed, and is not taken: state it again here, and keep its receipt';
  return [warn('outcome', message, 'was stated or disputed; leave it out, and state it again here')];
}

/** A warning for each name in a record that a batch does not take, but for what an export has of it. */
function warnOfItems(args: Item, { catalogue }: Service): Finding[] {
  const isPage = isExport(args);
  const taken = isPage ? exportNames : batchNames;
  const warnings: Finding[] = [];
  for (const { kind, item, at } of listItems(args)) {
    warnings.push(...warnNotTaken(kind, item, at, isPage));
    const room = Math.max(0, mostPlaces - warnings.length);
    warnings.push(...warnUnknown(item, taken.get(kind)!, catalogue.nearMisses, `${at}.`, room));
  }
  return warnings;
}

export const createBatch = defineOperation({
  operationId: 'createBatch',
  method: 'POST',
  path: '/batch',
  input,
  bodyLimit: largestBody,
  unread: exportMembers,
  access: { workspace: true },
  async check(args, service, call) {
    const issues = checkWhole(args);
    const places = listItems(args);
    await weighWrongCodes(places, service, call);
    // Names that are still compared with ours: each takes up to a millisecond.
    let room = mostPlaces;
    for (const { kind, item, at } of places) {
      if (issues.length >= mostPlaces) break;
      const taken = exportNames.get(kind)!;
      const unknown = room > 0 ? listUnknownNames(item, taken) : [];
      if (unknown.length > 0 && !v.safeParse(taken.input, item).success) {
        issues.push(...checkNearMisses(item, taken, service.catalogue.nearMisses, `${at}.`, room));
        room -= unknown.length;
      }
      for (const { path, message } of await checkCode(item, service, call)) {
        issues.push({ path: `${at}.${path}`, message });
      }
    }
    return issues;
  },
  run(bodies, context) {
    warnOrRefuse(context, warnOfItems(context.args, context.service));
    return createRecords(bodies as never, context);
  },
});
