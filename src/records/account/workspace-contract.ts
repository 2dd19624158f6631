import * as v from 'valibot';
import { blocked, type Contracts, changed, emptyList, ok, type Words } from '../../kernel/contract.ts';
import { okSchema } from '../../kernel/envelope.ts';
import { clearName } from '../../kernel/input.ts';
import type { ObjectSchema } from '../../kernel/operation.ts';
import { maxLimit, nextCursor, total } from '../../kernel/page.ts';
import { unwrap } from '../../kernel/shape.ts';
import { may, NonNegativeInteger, say, Time, upTo } from '../../kernel/text.ts';
import { workspaceFull } from '../../pricing/contract.ts';
import { createEntrySchema } from '../activity/get-activity.ts';
import { createListEntries, upsert } from '../batch/batch.ts';
import { changeIdentity } from '../batch/batch-changes.ts';
import type { Kind } from '../kind/kind.ts';
import { byCollection } from '../kind/kind-list.ts';
import type { RecordService } from '../service.ts';
import { affectedEntries } from '../write/affected.ts';
import { createChangeSchema } from '../write/change-input.ts';
import { buildChangeExample, buildCreateExample } from '../write/create-example.ts';
import { createdEntries, defaultsEntry, keptFor } from '../write/created-entries.ts';
import {
  createCountsSchema,
  createWorkspaceExample,
  createWorkspaceSchema,
  mostRecords,
} from './workspace-view.ts';

const tag = 'workspaces';

/**
 * Returns the schema of a record in a batch that models see: what a create accepts, and the statuses that can be
 * sent.
 */
function createToolItemSchema({ body, lifecycle }: Kind): ObjectSchema {
  const { stored, initial = stored } = lifecycle;
  const entries: v.ObjectEntries = { ...body.entries };
  if (initial.length > 0) entries.status = v.optional(v.picklist(initial));
  return v.object(entries) as ObjectSchema;
}

/** A text in place of fixed values, which the update tools list. The list of all tools has a size limit. */
const withoutOptions = (schema: v.GenericSchema): v.GenericSchema =>
  unwrap(schema).type === 'picklist' ? v.optional(v.string()) : schema;

/** Returns the schema of a change that models see: the members that a change of any kind takes. */
function createToolChangeSchema(kinds: readonly Kind[]): ObjectSchema {
  const entries = kinds.flatMap((kind) =>
    Object.entries(createChangeSchema(kind).entries as Record<string, v.GenericSchema>).map(
      ([name, schema]) => [name, withoutOptions(schema)],
    ),
  );
  return v.object({
    ...changeIdentity,
    ...Object.fromEntries(entries),
    status: v.optional(v.string()),
    [clearName]: v.optional(v.array(v.string())),
  }) as ObjectSchema;
}

/** Returns one sample record of each kind. The name of the kind is its ref, and the records refer to each other. */
const createBatchSample = (kinds: readonly Kind[]) =>
  byCollection(kinds, ({ name, sample, references }) => {
    const refs = Object.entries(references).map(([member, target]) => [member, `#${target}`]);
    const { onetCode } = kinds[0]!.sample;
    return [{ ref: name, ...sample, ...Object.fromEntries(refs), onetCode }];
  });

/** Returns the schema of changed records, each under the name of its kind as the reply to a PATCH has it. */
const createChangedSchema = (kinds: readonly Kind[]) =>
  upTo(
    mostRecords,
    v.object(Object.fromEntries(kinds.map(({ name, record }) => [name, v.optional(record)]))),
    'The changed records in their order, each as it reads after the batch.',
  );

const createChangedExample = (kind: Kind, service: RecordService) => ({
  [kind.name]: buildChangeExample(kind, service),
});

const formatKinds = (kinds: readonly Kind[]) =>
  new Intl.ListFormat('en-GB').format(kinds.map(({ plural }) => plural));

const createBatchContract = (kinds: readonly Kind[]): Words => ({
  tag,
  summary: 'Create and change many records',
  description:
    'Creates and then changes 1 to 200 records in one step, all or none. `#` and its ref name one. What upsert changes is in `changes`, first. A page of GET /workspace/export is accepted unchanged. In rate limits 10 records or 64 KiB are a call.',
  sample: createBatchSample(kinds),
  replies: {
    200: ok(
      'The changed records, if nothing is created.',
      { changes: createChangedSchema(kinds), ...affectedEntries },
      (service: RecordService) => ({ changes: [createChangedExample(kinds[0]!, service)] }),
    ),
    201: ok(
      'The records in their order, their workspace and how long they are kept.',
      {
        ...byCollection(kinds, ({ plural, record }) =>
          v.optional(upTo(mostRecords, record, `The ${plural}, in the order sent.`)),
        ),
        changes: v.optional(createChangedSchema(kinds)),
        ...affectedEntries,
        ...(kinds.some(({ rules }) => rules.explainDefaults) && defaultsEntry),
        ...createdEntries,
      },
      (service: RecordService) => {
        const [{ name, collection, sample }] = kinds as readonly [Kind];
        const { [name]: record, ...rest } = buildCreateExample(kinds[0]!, sample, service);
        return { [collection]: [record], ...rest };
      },
      ['X-Workspace'],
    ),
    400: blocked('invalid_request', 'The records are not valid; issues names each place.', [
      { path: 'candidates[3].onetCode', message: 'is missing; send it' },
    ]),
    402: workspaceFull,
    403: blocked('read_only', 'The record belongs to the seed.'),
    409: blocked('duplicate_ref', 'A ref is that of another, a status cannot follow, or strict handling.'),
    412: changed,
  },
  tool: {
    description: `Create and change up to ${mostRecords} ${formatKinds(kinds)} in one step, all or none; refer to a new one by "#ref" of its ref. ${keptFor}`,
    isCore: true,
    hints: { destructiveHint: true },
    // The other members are for pages of an export, which models do not write.
    input: v.object({
      ...createListEntries(kinds, (kind) => v.array(createToolItemSchema(kind))),
      changes: may(
        v.array(createToolChangeSchema(kinds)),
        'Changes made after the creates. Each has an id and the arguments of its update tool, clear too.',
      ),
      upsert,
    }),
  },
});

const createActivityContract = (kinds: readonly Kind[]): Words => ({
  tag,
  summary: 'Read what changed',
  description:
    'The newest thousand changes of your workspace, newest first. With `since` those after a revision, oldest first; with `record` those that wrote it: of changes of more than 20 records its create, its moves and the last.',
  sample: { limit: 5 },
  replies: {
    200: emptyList(
      'A page of changes, or EMPTY if nothing came after `since`.',
      okSchema({
        truncated: may(v.boolean(), 'true if changes after `since` are no longer kept.'),
        activity: upTo(maxLimit, createEntrySchema(kinds), 'The changes of this page, in order.'),
        total,
        nextCursor,
      }),
      ({ seed, catalogue }: RecordService) => {
        const [kind] = kinds;
        const { record } = seed.rows[kind!.name]![0]!;
        const entry = {
          revision: 1,
          at: `${catalogue.seed.asOf}T00:00:00.000Z`,
          via: 'mcp',
          client: 'example-agent',
          operation: kind!.texts.create.operationId,
          records: [{ id: `${kind!.prefix}0000000000000000`, kind: kind!.name, name: record.name }],
        };
        return { type: 'OK', activity: [entry], total: 1 };
      },
    ),
  },
  tool: {
    description: 'Read what changed in your workspace, newest first, or since a revision.',
    unlisted: ['record'],
  },
});

export const createWorkspaceContracts = (kinds: readonly Kind[]): Contracts => ({
  createBatch: createBatchContract(kinds),
  exportWorkspace: {
    tag,
    summary: 'Export a workspace',
    description:
      'The records of your workspace, each with its `history`, in pages that POST /batch accepts unchanged. A placement with a receipt has it as `receipt`, for your archive.',
    replies: {
      200: ok(
        'A page of records, oldest first: at most 200, and 1 MB.',
        {
          exportedAt: Time,
          ...byCollection(kinds, ({ plural, record }) => upTo(maxLimit, record, `The ${plural}.`)),
          refs: may(
            v.record(v.string(), v.string()),
            'The refs of records on other pages that this page refers to, by id.',
          ),
          total: say(NonNegativeInteger, 'Records in the workspace.'),
          nextCursor,
        },
        ({ catalogue: { seed } }: RecordService) => ({
          exportedAt: `${seed.asOf}T00:00:00.000Z`,
          ...byCollection(kinds, () => []),
          total: 0,
        }),
      ),
    },
    tool: { description: 'Read all records of your workspace, as createBatch takes them.' },
  },
  getWorkspace: {
    tag,
    summary: 'View a workspace',
    description:
      'What your workspace contains, when it expires, how much it may hold, and `usage`: the meter of this month.',
    replies: {
      200: ok('The workspace.', { workspace: createWorkspaceSchema(kinds) }, (service: RecordService) => ({
        workspace: createWorkspaceExample(service),
      })),
    },
    tool: { description: 'See what your workspace contains, when it expires, and its meter (usage).' },
  },
  getActivity: createActivityContract(kinds),
  deleteWorkspace: {
    tag,
    summary: 'Delete a workspace',
    description:
      'Deletes your workspace, its records and saved replies, at once. Its id is then unknown, except to a repeat with the same Idempotency-Key.',
    replies: {
      200: ok(
        'How many records were deleted.',
        { deleted: say(createCountsSchema(kinds), 'How many were deleted, by kind.') },
        (service: RecordService) => ({ deleted: createWorkspaceExample(service).records }),
      ),
      403: blocked('owner_only', 'It is claimed, and you are not its owner.'),
      412: changed,
    },
    tool: { description: 'Delete your workspace with all that is in it.' },
  },
});
