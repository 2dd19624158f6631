import * as v from 'valibot';
import { namesTag, toEntityTag } from '../kernel/entity-tag.ts';
import { toOkSchema } from '../kernel/envelope.ts';
import { type Operation, type ReplySpec, toOperation } from '../kernel/operation.ts';
import { toPaging } from '../kernel/page.ts';
import { Refusal } from '../kernel/refusal.ts';
import { blocked } from '../kernel/replies.ts';
import type { Service } from '../kernel/service.ts';
import { Href, Time, toTime } from '../kernel/text.ts';
import { checkExportCursor, exportLimits, exportWorkspace } from './export.ts';
import { kinds } from './kinds.ts';
import type { WorkspaceHead } from './store.ts';
import { toCeilings, write } from './write.ts';

const Count = v.pipe(v.number(), v.integer());

/** An object with a member for each kind. */
const ofKinds = <T extends v.GenericSchema>(value: T) =>
  v.object(Object.fromEntries(kinds.map(({ collection }) => [collection, value])));

/** What a workspace is, without its id. */
const Workspace = v.pipe(
  v.object({
    createdAt: Time,
    expiresAt: Time,
    revision: v.pipe(Count, v.description('One more with each change of what it holds.')),
    records: ofKinds(Count),
    ceilings: v.object({
      records: v.pipe(Count, v.description('Records that it may hold.')),
      bytes: v.pipe(Count, v.description('Bytes of JSON that they and kept replies may take.')),
    }),
    links: v.record(v.string(), Href),
  }),
  v.title('Workspace'),
  v.description('What a sandbox workspace holds and until when. It never tells the id.'),
);

/** Replies that an operation on a workspace has beside its own. */
const commonReplies: Record<number, ReplySpec> = {
  400: blocked('invalid_request', 'The arguments are not valid; issues names each place.', [
    { path: 'cursor', message: 'is not a cursor of this collection; send nextCursor unchanged, or none' },
  ]),
  401: blocked('unknown_workspace', 'No such workspace.'),
};

const links = {
  self: '/workspace',
  export: '/workspace/export',
  ...Object.fromEntries(kinds.map(({ collection, path }) => [collection, `${path}?scope=workspace`])),
};

function toWorkspaceExample({ catalogue, settings }: Service): object {
  const createdAt = Date.parse(`${catalogue.seed.asOf}T00:00:00Z`);
  return {
    createdAt: toTime(createdAt),
    expiresAt: toTime(createdAt + settings.retentionSeconds * 1000),
    revision: 1,
    records: Object.fromEntries(kinds.map(({ collection }, index) => [collection, index === 0 ? 1 : 0])),
    ceilings: toCeilings(settings.recordCeiling),
    links,
  };
}

/** The OK envelope of a workspace. */
function toBody({ createdAt, expiresAt, revision, counts }: WorkspaceHead, { settings }: Service): object {
  const records = Object.fromEntries(kinds.map(({ name, collection }) => [collection, counts[name] ?? 0]));
  const times = { createdAt: toTime(createdAt), expiresAt: toTime(expiresAt) };
  const ceilings = toCeilings(settings.recordCeiling);
  return { type: 'OK', workspace: { ...times, revision, records, ceilings, links } };
}

const common = { tag: 'workspaces', listed: true, cache: 'never', workspace: 'required' } as const;

/** The operations on a workspace whole. */
export const workspaceOperations: readonly Operation[] = [
  toOperation({
    ...common,
    operationId: 'exportWorkspace',
    method: 'GET',
    effect: 'read',
    path: '/workspace/export',
    summary: 'Export a workspace',
    description:
      'The records of your workspace, in pages that POST /batch takes as they stand: each with a ref, and references by it.',
    input: v.object(toPaging(exportLimits)),
    replies: {
      200: {
        description: 'A page of records, oldest first: at most 200, and 1 MB.',
        schema: toOkSchema({
          exportedAt: Time,
          ...Object.fromEntries(kinds.map(({ collection, record }) => [collection, v.array(record)])),
          total: v.pipe(Count, v.description('Records in the workspace.')),
          nextCursor: v.optional(v.pipe(v.string(), v.description('Send it as `cursor` for the next page.'))),
        }),
        example: ({ catalogue }) => ({
          type: 'OK',
          exportedAt: `${catalogue.seed.asOf}T00:00:00.000Z`,
          ...Object.fromEntries(kinds.map(({ collection }) => [collection, []])),
          total: 0,
        }),
      },
      ...commonReplies,
    },
    check: ({ cursor }) => checkExportCursor(cursor),
    run: (input, context) => exportWorkspace(input, context),
  }),
  toOperation({
    ...common,
    operationId: 'getWorkspace',
    method: 'GET',
    effect: 'read',
    path: '/workspace',
    summary: 'Look at a workspace',
    description: 'What your workspace holds, until when it is kept, and how much it may hold.',
    input: v.object({}),
    replies: {
      200: {
        description: 'The workspace.',
        schema: toOkSchema({ workspace: Workspace }),
        example: (service) => ({ type: 'OK', workspace: toWorkspaceExample(service) }),
      },
      ...commonReplies,
    },
    tool: {
      title: 'Look at a workspace',
      description: 'See how many records your workspace holds, how many it may hold, and when it expires.',
    },
    run(_, { service, workspace }) {
      const body = toBody(workspace!, service);
      return { status: 200, headers: { ETag: toEntityTag(JSON.stringify(body)) }, body };
    },
  }),
  toOperation({
    ...common,
    operationId: 'deleteWorkspace',
    method: 'DELETE',
    effect: 'delete',
    path: '/workspace',
    summary: 'Erase a workspace',
    description:
      'Erases your workspace with its records and the replies kept in it, at once. Its id is unknown from then on.',
    input: v.object({}),
    replies: {
      200: {
        description: 'How many records were erased.',
        schema: toOkSchema({ deleted: ofKinds(Count) }),
        example: (service) => ({
          type: 'OK',
          deleted: (toWorkspaceExample(service) as { records: object }).records,
        }),
      },
      ...commonReplies,
      412: blocked('changed', 'The workspace is not what If-Match says.'),
    },
    run: (_, context) =>
      write(
        {
          needs: [],
          decide({ head }) {
            const { ifMatch } = context.asks;
            const tag = toEntityTag(JSON.stringify(toBody(head!, context.service)));
            if (ifMatch !== undefined && !namesTag(ifMatch, tag, 'strong')) throw new Refusal('changed');
            const counts = kinds.map(({ name, collection }) => [collection, head!.counts[name] ?? 0]);
            const body = { type: 'OK', deleted: Object.fromEntries(counts) };
            return { writing: { forget: true }, outcome: { status: 200, body } };
          },
        },
        context,
      ),
  }),
];
