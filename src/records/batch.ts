import * as v from 'valibot';
import { largestBody } from '../kernel/effect.ts';
import type { Issue, Warning } from '../kernel/envelope.ts';
import { toNearMisses, toUnknownWarnings } from '../kernel/input.ts';
import { blocked, type ObjectSchema, toOperation, toReplies } from '../kernel/operation.ts';
import { warnOrRefuse } from '../kernel/perform.ts';
import type { Service } from '../kernel/service.ts';
import { listSchema } from '../kernel/text.ts';
import { checkCode } from '../occupations/code.ts';
import { offer } from '../pricing/offer.ts';
import { checkRef } from './change.ts';
import { createRecords, toCreatedExample } from './create.ts';
import { exportMembers, isExport } from './export.ts';
import { type Kind, Ref } from './kind.ts';
import { byCollection, kinds } from './kinds.ts';
import { mismatch, unknownWorkspace } from './replies.ts';
import { keptFor, toCreatedSchema } from './retention.ts';
import { mostRecords } from './workspace-view.ts';

/** Places at fault whose codes are looked up: more are not told. */
const mostLookedUp = 20;

/** The moves of a record as it is read, each at a time that is one. */
const toTransitions = ({ record }: Kind) => {
  const { transitions } = (record as unknown as { entries: Record<string, v.GenericSchema> }).entries;
  const isTimed = (moves: unknown) =>
    ((moves ?? []) as { at: string }[]).every(({ at }) => !Number.isNaN(Date.parse(at)));
  return v.pipe(transitions!, v.check(isTimed, 'must be moves at times that exist'));
};

/** What a batch takes of a record: what a create does, and what was asked of it where it was exported. */
const toItem = (kind: Kind): ObjectSchema =>
  v.object(
    {
      ...kind.body.entries,
      ref: v.optional(Ref),
      status: v.optional(
        v.pipe(
          v.picklist(kind.statuses, `must be one of ${kind.statuses.join(', ')}`),
          v.description(`Kept where it is one that is asked for: ${kind.kept.join(', ') || 'none'}.`),
        ),
      ),
      ...kind.moving?.entries,
      ...(kind.born && { transitions: toTransitions(kind) }),
    },
    'must be an object',
  ) as unknown as ObjectSchema;

const items = new Map(kinds.map((kind) => [kind, toItem(kind)]));

const input = v.pipe(
  v.object(
    byCollection((kind) =>
      v.optional(
        v.pipe(
          listSchema(items.get(kind)!, mostRecords, 'records', 'objects'),
          v.description(`Each as ${kind.texts.create.operationId} takes it.`),
        ),
      ),
    ),
  ),
  v.minEntries(1),
) as unknown as ObjectSchema;

/** The same, for a model that knows the tools which create one. */
const loose = v.object(
  byCollection(({ texts }) =>
    v.optional(
      v.pipe(v.array(v.looseObject({})), v.description(`Each as ${texts.create.operationId} takes it.`)),
    ),
  ),
);

/** Each record that is sent, with its place; what is no object is refused by the schema. */
function toPlaces(args: Readonly<Record<string, unknown>>) {
  return kinds.flatMap((kind) => {
    const sent = args[kind.collection];
    if (!Array.isArray(sent) || sent.length > mostRecords) return [];
    return sent.map((one: unknown, index) => ({
      kind,
      item: (typeof one === 'object' && one !== null ? one : {}) as Readonly<Record<string, unknown>>,
      at: `${kind.collection}[${index}]`,
    }));
  });
}

/** A batch holds at least one record, at most 200, and no two of a kind with one ref. */
function checkWhole(args: Readonly<Record<string, unknown>>): Issue[] {
  const sent = kinds.map(({ collection }) => args[collection]);
  const total = sent.reduce<number>((sum, one) => sum + (Array.isArray(one) ? one.length : 0), 0);
  const issues: Issue[] = [];
  const names = kinds.map(({ collection }) => collection).join(', ');
  if (total === 0) issues.push({ path: '', message: `holds no record; send at least one in ${names}` });
  if (total > mostRecords) {
    issues.push({ path: '', message: `holds ${total} records; send at most ${mostRecords} in all` });
  }
  const seen = new Map<Kind, Map<unknown, string>>(kinds.map((kind) => [kind, new Map()]));
  for (const { kind, item, at } of toPlaces(args)) {
    const { ref, id } = item;
    // The ref of an exported record may be its id.
    const foreign = ref === id || isExport(args) ? [] : checkRef(kind, ref);
    for (const one of foreign) issues.push({ ...one, path: `${at}.ref` });
    const first = ref === undefined ? undefined : seen.get(kind)!.get(ref);
    if (first === undefined) seen.get(kind)!.set(ref, at);
    else issues.push({ path: `${at}.ref`, message: `is that of ${first} too` });
  }
  return issues;
}

/** The names that a record of a kind is read with. */
const readWith = (kind: Kind) => Object.keys((kind.record as unknown as { entries: object }).entries);

/** What a record is read with and no batch takes: nobody is told twice of what an export has of that. */
function toNotTaken(
  kind: Kind,
  item: Readonly<Record<string, unknown>>,
  isPage: boolean,
): [string, string][] {
  const taken = items.get(kind)!.entries;
  const read = readWith(kind).filter((name) => Object.hasOwn(item, name) && !Object.hasOwn(taken, name));
  const outcome = item.outcome as { statedAt?: unknown; disputed?: unknown } | undefined;
  if (!isPage)
    return read.map((name) => [name, 'is given by the service, and not taken: the record gets its own']);
  if (outcome?.statedAt === undefined && outcome?.disputed !== true) return [];
  return [['outcome', 'was stated or disputed, and is not taken: state it again here, and keep its receipt']];
}

/** A warning for each name in a record that a batch does not take, but for what an export has of it. */
function toItemWarnings(args: Readonly<Record<string, unknown>>, service: Service): Warning[] {
  const isPage = isExport(args);
  return toPlaces(args).flatMap(({ kind, item, at }) => {
    const named = { input: items.get(kind)!, unread: [...readWith(kind), ...(isPage ? ['receipt'] : [])] };
    const lost = toNotTaken(kind, item, isPage);
    return [
      ...lost.map(([name, message]) => ({ code: 'not_taken', path: `${at}.${name}`, message })),
      ...toUnknownWarnings(item, named, service.catalogue.nearMisses, `${at}.`),
    ];
  });
}

/** One record of each kind, by the name of its kind as its ref, tied to the others by that. */
const sample = byCollection(({ name, sample: one, references }) => {
  const refs = Object.entries(references).map(([member, of]) => [member, `#${of}`]);
  const { onetCode } = kinds[0]!.sample;
  return [{ ref: name, ...one, ...Object.fromEntries(refs), onetCode }];
});

const everyKind = new Intl.ListFormat('en-GB').format(kinds.map(({ plural }) => plural));

/** POST /batch: records of every kind in one atomic step. */
export const createBatch = toOperation({
  operationId: 'createBatch',
  method: 'POST',
  effect: 'create',
  path: '/batch',
  tag: 'workspaces',
  summary: 'Create many records',
  description:
    'Creates 1 to 200 records of any kind in one step: all of them or none. A record may refer to another of the batch, or of the workspace, by `#` and its ref. It accepts a page of GET /workspace/export unchanged.',
  listed: true,
  input,
  sample,
  bodyLimit: largestBody,
  unread: exportMembers,
  replies: toReplies({
    201: {
      description: 'The records in their order, their workspace and how long they are kept.',
      schema: toCreatedSchema(
        byCollection(({ plural, record }) =>
          v.optional(
            v.pipe(
              v.array(record),
              v.maxLength(mostRecords),
              v.description(`The ${plural}, in the order sent.`),
            ),
          ),
        ),
      ),
      headers: ['X-Workspace', 'Idempotency-Replayed'],
      example: (service) => {
        const [{ name, collection, sample }] = kinds as readonly [Kind];
        const { [name]: record, ...rest } = toCreatedExample(kinds[0]!, sample, service);
        return { type: 'OK', [collection]: [record], ...rest };
      },
    },
    400: blocked('invalid_request', 'The records are not valid; issues names each place.', [
      { path: 'candidates[3].onetCode', message: 'is missing; send it' },
    ]),
    401: unknownWorkspace,
    402: offer('recordCeiling', 'The workspace has no room for them.'),
    409: blocked('duplicate_ref', 'A ref is that of another record, or strict handling found a conflict.'),
    422: mismatch,
  }),
  cache: 'never',
  workspace: true,
  tool: `Create up to ${mostRecords} ${everyKind} in one step, all or none; give each a ref, and refer to it by "#ref". Without workspace a new one is minted. ${keptFor}`,
  toolInput: loose,
  async check(args, service) {
    const issues = checkWhole(args);
    for (const { kind, item, at } of toPlaces(args)) {
      if (issues.length >= mostLookedUp) break;
      const input = items.get(kind)!;
      const named = { input, unread: [...readWith(kind), 'receipt'] };
      const near = toNearMisses(item, named, service.catalogue.nearMisses, `${at}.`);
      if (near.length > 0 && !v.safeParse(input, item).success) issues.push(...near);
      for (const { path, message } of await checkCode(item, service)) {
        issues.push({ path: `${at}.${path}`, message });
      }
    }
    return issues;
  },
  run(bodies, context) {
    warnOrRefuse(context, toItemWarnings(context.args, context.service));
    return createRecords(bodies as never, context);
  },
});
