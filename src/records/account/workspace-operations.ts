import * as v from 'valibot';
import { createEntityTag, refuseOtherVersion } from '../../kernel/entity-tag.ts';
import { readKeyedRequest } from '../../kernel/idempotency.ts';
import {
  defineOperation,
  type OperationContext,
  type OperationReply,
  type OperationRow,
} from '../../kernel/operation.ts';
import { definePaging, toolLimit } from '../../kernel/page.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { mayNamed } from '../../kernel/text.ts';
import type { Head } from '../../workspace/head.ts';
import type { WorkspaceContent } from '../../workspace/workspace.ts';
import { activityOperation } from '../activity/get-activity.ts';
import type { Kind } from '../kind/kind.ts';
import { byCollection } from '../kind/kind-list.ts';
import type { Context, RecordService } from '../service.ts';
import { changeWorkspace, shortHash } from '../write/write.ts';
import { boundExport, checkExportCursor, exportLimit, exportWorkspace } from './export.ts';
import { releaseFromOwner } from './owner.ts';
import { idShape } from './workspace.ts';
import { type OpenedBy, readWorkspaceState } from './workspace-state.ts';
import { presentWorkspace } from './workspace-view.ts';

const presentBody = (head: Head, service: RecordService, by?: OpenedBy): object => ({
  type: 'OK',
  workspace: presentWorkspace(head, service, by),
});

/** Lists the tokens that lead to a workspace or to a record in it, as SHA-256 in hex. */
function listTokens(workspace: WorkspaceContent, kinds: readonly Kind[]): string[] {
  const { claim, owner, brief } = readWorkspaceState(workspace.head?.state);
  const recordTokens = kinds.flatMap(({ name, tokens }) =>
    tokens ? workspace.list(name).flatMap(({ record }) => tokens(record)) : [],
  );
  return [
    ...recordTokens,
    ...[claim?.token, owner?.name, brief?.token].filter((token) => token !== undefined),
  ];
}

/**
 * Returns the name under which a delete stores its reply, and the fingerprint of what was sent. They follow from the
 * request alone, because the workspace is gone when it is repeated. Returns undefined without an Idempotency-Key.
 */
async function readKeyedDelete(context: OperationContext) {
  const { workspaceId = '', bearer = '' } = context.options;
  const owner = idShape.test(workspaceId) ? [] : [bearer];
  const keyed = await readKeyedRequest(context, { within: ['deleted', workspaceId, ...owner] });
  return keyed && { name: shortHash(keyed.name), fingerprint: keyed.fingerprint };
}

interface KeptDelete {
  fingerprint: string;
  outcome: OperationReply;
}

/** Returns the stored reply of a delete whose workspace is gone. Throws the Refusal `idempotency_mismatch`. */
async function findDeleteReplay(
  context: OperationContext<RecordService>,
): Promise<OperationReply | undefined> {
  const { workspaces } = context.service;
  const keyed = await readKeyedDelete(context);
  const token = keyed && (await workspaces.followToken(keyed.name));
  // A delete that failed may have stored its token.
  if (!token || (await workspaces.openByKey(token.key))) return undefined;
  const { fingerprint, outcome }: KeptDelete = JSON.parse(token.to);
  if (fingerprint !== keyed.fingerprint) throw new Refusal('idempotency_mismatch');
  return { ...outcome, headers: { ...outcome.headers, 'Idempotency-Replayed': 'true' } };
}

/**
 * Deletes a workspace, and removes it from its owner's handles. Only the owner can delete a claimed one. Under an
 * Idempotency-Key a token stays for as long as a new workspace lives. It holds the reply, which counts what was deleted.
 */
async function erase(context: Context): Promise<OperationReply> {
  const { service, workspace, options } = context;
  const { by, contents } = workspace!;
  const { owner } = readWorkspaceState(contents.head.state);
  const keyed = await readKeyedDelete(context);
  const reply = await changeWorkspace(context, ({ change }) => {
    const head = change.head!;
    if (readWorkspaceState(head.state).owner && by !== 'owner') throw new Refusal('owner_only');
    refuseOtherVersion(options.ifMatch, createEntityTag(JSON.stringify(presentBody(head, service, by))));
    const deleted = byCollection(service.kinds, ({ name }) => head.counts[name] ?? 0);
    const outcome = { status: 200, body: { type: 'OK', deleted } };
    change.deletesWorkspace = true;
    change.removeTokens(listTokens(change.workspace!, service.kinds));
    if (keyed) {
      const kept: KeptDelete = { fingerprint: keyed.fingerprint, outcome };
      const expiresAt = change.now + service.settings.retentionSeconds * 1000;
      change.addToken(keyed.name, JSON.stringify(kept), expiresAt);
    }
    return outcome;
  });
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
    input: v.object({
      ...definePaging({ usual: exportLimit, tool: toolLimit }),
      history: mayNamed(
        v.boolean('must be true or false'),
        'History',
        'Whether each has its history: true unless said, over MCP false.',
      ),
    }),
    check: ({ cursor }, service: RecordService) => checkExportCursor(cursor, service),
    boundAnswer: boundExport,
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
  findReplay: findDeleteReplay,
  run: (_, context: Context) => erase(context),
});
