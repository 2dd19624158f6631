import * as v from 'valibot';
import { createEntityTag, refuseOtherVersion } from '../kernel/entity-tag.ts';
import { defineOperation, type OperationReply, type OperationRow } from '../kernel/operation.ts';
import { definePaging, toolLimit } from '../kernel/page.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Head } from '../workspace/head.ts';
import type { Workspace as Contents } from '../workspace/workspace.ts';
import { checkExportCursor, exportLimit, exportWorkspace } from './export.ts';
import { activityOperation } from './get-activity.ts';
import type { Kind } from './kind.ts';
import { byCollection } from './kind-list.ts';
import { releaseFromOwner } from './owner.ts';
import type { Context, RecordService } from './service.ts';
import { type OpenedBy, readWorkspaceState } from './workspace-state.ts';
import { presentWorkspace } from './workspace-view.ts';
import { writeChange } from './write.ts';

const presentBody = (head: Head, service: RecordService, by?: OpenedBy): object => ({
  type: 'OK',
  workspace: presentWorkspace(head, service, by),
});

/** Lists the tokens that lead to a workspace or to a record in it, as SHA-256 in hex. */
function listTokens(workspace: Contents, kinds: readonly Kind[]): string[] {
  const { claim, owner, brief } = readWorkspaceState(workspace.head.state);
  const recordTokens = kinds.flatMap(({ name, tokens }) =>
    tokens ? workspace.list(name).flatMap(({ record }) => tokens(record)) : [],
  );
  return [
    ...recordTokens,
    ...[claim?.token, owner?.name, brief?.token].filter((token) => token !== undefined),
  ];
}

/** Deletes a workspace, and removes it from its owner's handles. Only the owner can delete a claimed one. */
async function erase(context: Context): Promise<OperationReply> {
  const { service, workspace, options } = context;
  const { by, contents } = workspace!;
  const { owner } = readWorkspaceState(contents.head.state);
  const reply = await writeChange(
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
  return reply;
}

export const ofWorkspace = { access: { workspace: 'required' } } as const;

export const workspaceOperations: readonly OperationRow[] = [
  defineOperation({
    ...ofWorkspace,
    operationId: 'exportWorkspace',
    method: 'GET',
    path: '/workspace/export',
    input: v.object(definePaging({ usual: exportLimit, tool: toolLimit })),
    check: ({ cursor }, service: RecordService) => checkExportCursor(cursor, service),
    run: exportWorkspace,
  }),
  defineOperation({
    ...ofWorkspace,
    operationId: 'getWorkspace',
    method: 'GET',
    path: '/workspace',
    caching: { canWait: () => true },
    run(_, { service, workspace }: Context) {
      const body = presentBody(workspace!.contents.head, service, workspace!.by);
      return { status: 200, headers: { ETag: createEntityTag(JSON.stringify(body)) }, body };
    },
  }),
  activityOperation,
];

/** Deletes a workspace. The table lists it after all other operations. */
export const deleteWorkspace = defineOperation({
  ...ofWorkspace,
  operationId: 'deleteWorkspace',
  method: 'DELETE',
  path: '/workspace',
  readsIfMatch: true,
  run: (_, context: Context) => erase(context),
});
