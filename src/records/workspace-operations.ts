import * as v from 'valibot';
import { createEntityTag, refuseOtherVersion } from '../kernel/entity-tag.ts';
import {
  blocked,
  defineOperation,
  describeReplies,
  invalid,
  type Operation,
  type OperationReply,
  ok,
} from '../kernel/operation.ts';
import { definePaging, maxLimit, nextCursor } from '../kernel/page.ts';
import { Refusal } from '../kernel/refusal.ts';
import { NonNegativeInteger, say, Time, upTo } from '../kernel/text.ts';
import type { Head } from '../workspace/head.ts';
import type { Workspace as Contents } from '../workspace/workspace.ts';
import { checkExportCursor, exportLimit, exportWorkspace, mostExportBytes } from './export.ts';
import { defineActivityOperation } from './get-activity.ts';
import type { Kind } from './kind.ts';
import { byCollection } from './kind-list.ts';
import { releaseFromOwner } from './owner.ts';
import type { Context, RecordService } from './service.ts';
import { type OpenedBy, readWorkspaceState } from './workspace-state.ts';
import {
  createCountsSchema,
  createWorkspaceExample,
  createWorkspaceSchema,
  presentWorkspace,
} from './workspace-view.ts';
import { writeChange } from './write.ts';

const badCursor = invalid('cursor', 'is not a cursor of this collection; send nextCursor unchanged, or none');

const presentBody = (head: Head, service: RecordService, by?: OpenedBy): object => ({
  type: 'OK',
  workspace: presentWorkspace(head, service, by),
});

/** The tokens that lead to a workspace or to a record in it, as SHA-256 in hex. */
function listTokens(workspace: Contents, kinds: readonly Kind[]): string[] {
  const { claim, owner, brief } = readWorkspaceState(workspace.head.state);
  const ofRecords = kinds.flatMap(({ name, tokens }) =>
    tokens ? workspace.list(name).flatMap(({ record }) => tokens(record)) : [],
  );
  return [...ofRecords, ...[claim?.token, owner?.name, brief?.token].filter((one) => one !== undefined)];
}

/** Erases a workspace; one that is claimed only for its owner, who then holds one less. */
async function erase(context: Context): Promise<OperationReply> {
  const { service, workspace, options } = context;
  const { by, contents } = workspace!;
  const { owner } = readWorkspaceState(contents.head.state);
  const erased = await writeChange(
    {
      decide({ head, view }) {
        if (readWorkspaceState(head!.state).owner && by !== 'owner') throw new Refusal('owner_only');
        const tag = createEntityTag(JSON.stringify(presentBody(head!, service, by)));
        refuseOtherVersion(options.ifMatch, tag);
        const deleted = byCollection(service.kinds, ({ name }) => head!.counts[name] ?? 0);
        const removedTokens = listTokens(view.workspace!, service.kinds);
        const outcome = { status: 200, body: { type: 'OK', deleted } };
        return { deletesWorkspace: true, removedTokens, outcome };
      },
    },
    context,
  );
  if (owner) await releaseFromOwner(service, owner.id, owner.handle);
  return erased;
}

export const ofWorkspace = { tag: 'workspaces', workspace: 'required' } as const;

export const defineWorkspaceOperations = (kinds: readonly Kind[]): readonly Operation[] => [
  defineOperation({
    ...ofWorkspace,
    operationId: 'exportWorkspace',
    method: 'GET',
    path: '/workspace/export',
    summary: 'Export a workspace',
    description:
      'The records of your workspace, in pages that POST /batch accepts unchanged: each has a ref, and references use it. A placement with a receipt has it as `receipt`, for your archive.',
    input: v.object(definePaging(exportLimit, exportLimit, mostExportBytes)),
    replies: describeReplies({
      200: ok(
        'A page of records, oldest first: at most 200, and 1 MB.',
        {
          exportedAt: Time,
          ...byCollection(kinds, ({ plural, record }) => upTo(maxLimit, record, `The ${plural}.`)),
          total: say(NonNegativeInteger, 'Records in the workspace.'),
          nextCursor,
        },
        ({ catalogue: { seed } }: RecordService) => ({
          exportedAt: `${seed.asOf}T00:00:00.000Z`,
          ...byCollection(kinds, () => []),
          total: 0,
        }),
      ),
      400: badCursor,
    }),
    tool: 'Read all records of your workspace, as createBatch takes them.',
    check: ({ cursor }, service: RecordService) => checkExportCursor(cursor, service),
    run: exportWorkspace,
  }),
  defineOperation({
    ...ofWorkspace,
    operationId: 'getWorkspace',
    method: 'GET',
    path: '/workspace',
    canWait: () => true,
    summary: 'View a workspace',
    description:
      'What your workspace contains, when it expires, how much it may hold, and `usage`: the meter of this month.',
    replies: describeReplies({
      200: ok('The workspace.', { workspace: createWorkspaceSchema(kinds) }, (service: RecordService) => ({
        workspace: createWorkspaceExample(service),
      })),
      400: badCursor,
    }),
    tool: 'See what your workspace contains, when it expires, and its meter (usage).',
    run(_, { service, workspace }: Context) {
      const body = presentBody(workspace!.contents.head, service, workspace!.by);
      return { status: 200, headers: { ETag: createEntityTag(JSON.stringify(body)) }, body };
    },
  }),
  defineActivityOperation(kinds),
];

/** The end of a workspace: the last row of all that is in one. */
export const defineDeleteWorkspace = (kinds: readonly Kind[]) =>
  defineOperation({
    ...ofWorkspace,
    operationId: 'deleteWorkspace',
    method: 'DELETE',
    path: '/workspace',
    summary: 'Delete a workspace',
    description: 'Deletes your workspace, its records and saved replies, at once. Its id is then unknown.',
    replies: describeReplies({
      200: ok(
        'How many records were deleted.',
        { deleted: say(createCountsSchema(kinds), 'How many were deleted, by kind.') },
        (service: RecordService) => ({ deleted: createWorkspaceExample(service).records }),
      ),
      400: badCursor,
      403: blocked('owner_only', 'It is claimed, and you are not its owner.'),
      412: blocked('changed', 'The workspace is not what If-Match says.'),
    }),
    tool: 'Delete your workspace with all that is in it.',
    run: (_, context: Context) => erase(context),
  });
