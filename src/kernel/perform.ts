import { noteWorkspace } from './call.ts';
import { type CheckedCall, checkCall } from './check-call.ts';
import { orNotModified } from './entity-tag.ts';
import type { Finding } from './envelope.ts';
import { warnUnknown } from './input.ts';
import { finishWork, type OperationReply } from './operation.ts';
import type { OpenedCall, OperationRequest, OperationResult, SharedRead } from './operation-request.ts';
import { Refusal } from './refusal.ts';
import { withWarnings } from './warnings.ts';
import { weighBody } from './weight.ts';
import { compose, workspacePart } from './wording.ts';

const findWorkspaceId = ({ operation, options }: OperationRequest): string | undefined =>
  operation.access.workspace ? options.workspaceId : undefined;

/** Opens the workspace of a call. Throws a Refusal if it needs one and names none. */
async function open(request: OperationRequest): Promise<OpenedCall> {
  const { service, operation, call, options, id } = request;
  const workspaceId = findWorkspaceId(request);
  if (workspaceId === undefined) {
    refuseWithoutWorkspace(request);
    return { workspace: undefined, id };
  }
  const by = { bearer: options.bearer, client: call.client };
  const workspace = await service.openWorkspace(workspaceId, by);
  noteWorkspace(call, workspace.hash);
  return { workspace, id: id && (operation.findId?.(id, workspace, service) ?? id) };
}

function refuseWithoutWorkspace({ service, operation: { access }, id }: OperationRequest): void {
  if (access.workspace !== 'required') return;
  access.withoutWorkspace?.(service, id);
  throw new Refusal('unknown_workspace', {
    reason: compose`This needs a workspace: send ${workspacePart} with the id from the create that minted it.`,
  });
}

/** Runs an operation, and adds the warnings about its arguments to the reply. */
async function run({ context, input }: CheckedCall): Promise<OperationReply> {
  const { operation, call, warnings } = context;
  if (operation.boundAnswer) call.reserve?.(operation.boundAnswer(context));
  const reply = await finishWork(context, operation.run(input, context));
  return reply.hasWarnings ? reply : withWarnings(reply, warnings);
}

/** What a call counts as for its client or its workspace, however it ends. */
interface Counting {
  headers?: Record<string, string>;
  /** Called when the reply is known, or without one if the call was refused. */
  end(reply: OperationReply | undefined): void | Promise<void>;
}

/** Admits a call that may make a workspace, if its client may make one more. Counts one in a workspace there. */
async function admit(
  { service, operation, call }: OperationRequest,
  { workspace }: OpenedCall,
): Promise<Counting> {
  if (workspace) {
    // A 404 does not count as refused.
    const isRefused = (reply?: OperationReply) => !reply || (reply.status >= 400 && reply.status !== 404);
    return { end: (reply) => service.countCall(workspace, isRefused(reply)) };
  }
  const { access, effect } = operation;
  const mints = access.mints ?? (access.workspace && effect === 'create');
  const admission = mints ? await service.watch.admitMint?.(call.client) : undefined;
  const hasMinted = (reply?: OperationReply) =>
    reply?.status === 201 && !reply.headers?.['Idempotency-Replayed'];
  return { ...admission, end: (reply) => admission?.settle(hasMinted(reply)) };
}

/** Opens, checks and runs a call, without counting it. */
async function readOnce(request: OperationRequest): Promise<OperationResult> {
  const opened = await open(request);
  return { outcome: await run(await checkCall(request, opened)), workspace: opened.workspace };
}

/** Opens, admits, checks and runs a call. A refused call makes no workspace. */
async function callOnce(request: OperationRequest): Promise<OperationResult> {
  const replay = await findReplay(request);
  if (replay) return { outcome: replay };
  const opened = await open(request);
  const counting = await admit(request, opened);
  let outcome: OperationReply | undefined;
  try {
    outcome = await run(await checkCall(request, opened));
  } finally {
    await counting.end(outcome);
  }
  if (counting.headers) outcome = { ...outcome, headers: { ...outcome.headers, ...counting.headers } };
  return { outcome, workspace: opened.workspace };
}

/** Returns the reply to an earlier request with the same key, if that one deleted the workspace of the call. */
function findReplay(request: OperationRequest): Promise<OperationReply | undefined> | undefined {
  const { service, operation, call, options } = request;
  if (!operation.findReplay || findWorkspaceId(request) === undefined) return undefined;
  const { args } = request.read();
  return operation.findReplay({
    service,
    call,
    operation,
    args,
    workspace: undefined,
    options,
    warnings: [],
  });
}

/** Charges a read, as the last step, when its answer is known. */
function settle({ service, operation, options }: OperationRequest, { outcome, workspace }: OperationResult) {
  const reply = orNotModified(outcome, options);
  const isCharged = workspace && operation.effect === 'read' && reply.status === 200;
  return isCharged ? service.chargeRead(operation, workspace, reply) : reply;
}

function shareRead(request: OperationRequest): SharedRead {
  const { service, operation, id, options } = request;
  const { args, warnings: ignored = [] } = request.read();
  const names = Object.keys(operation.input.entries).filter((name) => Object.hasOwn(args, name));
  const known = Object.fromEntries(names.map((name) => [name, args[name]]));
  const { workspaceId, bearer, capability, isStrict } = options;
  const opened = operation.access.workspace ? [workspaceId, bearer] : [];
  const token = operation.access.capability && capability;
  let warnings: Finding[] | undefined;
  return {
    key: JSON.stringify([operation.operationId, id, known, opened, token, isStrict]),
    read: () => readOnce({ ...request, read: () => ({ args: known, issues: [] }) }),
    finish({ outcome, workspace }) {
      warnings ??= [...ignored, ...warnUnknown(args, operation, service.catalogue.nearMisses)];
      return { outcome: withWarnings(outcome, warnings), workspace };
    },
  };
}

/**
 * Runs one operation, called by HTTP or as a tool. Opens the workspace, checks the call, runs the operation, and charges
 * the answer. A bulk operation counts by its size, even if it is refused. Throws a Refusal.
 */
export async function perform(request: OperationRequest): Promise<OperationReply> {
  const { service, operation, call } = request;
  if (service.waits?.canWait(request))
    return service.waits.wait(request, {
      read: () => callOnce(request),
      share: () => shareRead(request),
      settle: (result) => settle(request, result),
    });
  const more = operation.isBulk ? weighBody(call) - 1 : 0;
  if (more > 0) await call.weigh?.(more);
  const reply = await settle(request, await callOnce(request));
  // A replay does the work of one call.
  if (operation.isBulk && reply.headers?.['Idempotency-Replayed']) await call.unweigh?.();
  return reply;
}
