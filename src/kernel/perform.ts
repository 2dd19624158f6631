import { type Call, noteWorkspace, type RequestOptions } from './call.ts';
import { orNotModified } from './entity-tag.ts';
import {
  type Finding,
  type Issue,
  limitIssues,
  pickRefusable,
  pickWarnings,
  type Warning,
} from './envelope.ts';
import { type ReadArgs, validate, warnUnknown } from './input.ts';
import { unwrapJson } from './json.ts';
import type { Context, OpenedWorkspace, Operation, OperationReply } from './operation.ts';
import { Refusal } from './refusal.ts';
import type { Service } from './service.ts';

/** What a call brings to an operation, by whichever door. */
export interface OperationRequest {
  service: Service;
  operation: Operation;
  call: Call;
  /** Decoded `{id}` of the path. */
  id: string | undefined;
  options: RequestOptions;
  /** Reads the arguments, once the workspace is open. */
  read(): ReadArgs;
}

export function withWarnings(outcome: OperationReply, found: readonly Finding[]): OperationReply {
  if (found.length === 0) return outcome;
  const body = unwrapJson(outcome.body) as { type?: string; warnings?: Warning[] };
  if (typeof body !== 'object' || !('type' in body)) return outcome;
  const { type, warnings: before = [], ...rest } = body;
  return { ...outcome, body: { type, warnings: limitIssues([...before, ...pickWarnings(found)]), ...rest } };
}

/** Adds warnings to the answer or, where the caller asks for strict handling, refuses the call for them. */
export function warnOrRefuse({ options, warnings }: Context, found: readonly Finding[]): void {
  const refusable = options.isStrict ? pickRefusable(found) : [];
  if (refusable.length > 0) throw new Refusal('invalid_request', { issues: refusable });
  warnings.push(...pickWarnings(found));
}

/** A malformed capability gets the same refusal as an unknown one. */
function checkCapability({ operation, options }: OperationRequest): void {
  const { capability } = operation.access;
  if (!capability || capability.shape.test(options.capability ?? '')) return;
  if (options.capability) throw new Refusal(capability.unknown);
  const { header, argument, hint, unknown } = capability;
  throw new Refusal(unknown, {
    reason: `This needs the header ${header} (over MCP the argument ${argument}). ${hint}`,
  });
}

function performIn(
  request: OperationRequest,
  workspace: OpenedWorkspace | undefined,
): OperationReply | Promise<OperationReply> {
  const { service, operation, call, id, options } = request;
  checkCapability(request);
  const { args, issues, warnings: ignored = [] } = request.read();
  const isScoped = 'scope' in operation.input.entries;
  if (isScoped && ['admin', 'internal'].includes(args.scope as string)) throw new Refusal('forbidden_scope');
  const context: Context = { service, call, operation, args, workspace, options, warnings: [] };
  const run = (found: readonly Issue[]) => {
    let input = {};
    if (!operation.rawBody) {
      const misses = service.catalogue.nearMisses;
      input = validate(operation, args, [...issues, ...found], misses);
      if (id !== undefined) input = { ...input, id };
      warnOrRefuse(context, [...ignored, ...warnUnknown(args, operation, misses)]);
    }
    return operation.run(input as never, context);
  };
  const warn = (settled: OperationReply) => withWarnings(settled, context.warnings);
  const found = operation.check?.(args, service, call) ?? [];
  const outcome = found instanceof Promise ? found.then(run) : run(found);
  return outcome instanceof Promise ? outcome.then(warn) : warn(outcome);
}

/** Runs an operation that makes a workspace, if the caller may make one more. A refused call does not count. */
async function performMint(request: OperationRequest): Promise<OperationReply> {
  const admission = await request.service.watch.admitMint?.(request.call.client);
  let made = false;
  try {
    const outcome = await performIn(request, undefined);
    made = outcome.status === 201 && !outcome.headers?.['Idempotency-Replayed'];
    return { ...outcome, headers: { ...outcome.headers, ...admission?.headers } };
  } finally {
    admission?.settle(made);
  }
}

export interface OperationResult {
  outcome: OperationReply;
  workspace?: OpenedWorkspace | undefined;
}

async function performOpened(request: OperationRequest, workspaceId: string): Promise<OperationResult> {
  const { service, operation, call, options } = request;
  const workspace = await service.openWorkspace(workspaceId, options.bearer);
  noteWorkspace(call, workspace.hash);
  const id = request.id && (operation.findId?.(request.id, workspace, service) ?? request.id);
  const named = { ...request, id };
  return { outcome: await performIn(named, workspace), workspace };
}

/** A read as waiting calls share it. */
export interface SharedRead {
  /** The same for all calls that read the same. Arguments and headers that are not read do not count. */
  key: string;
  perform(): Promise<OperationResult>;
  /** Adds the warnings of this caller about what was not read. */
  finish(performed: OperationResult): OperationResult;
}

function createSharedRead(
  request: OperationRequest,
  performThis: (bare: OperationRequest) => Promise<OperationResult>,
): SharedRead {
  const { service, operation, id, options } = request;
  const { args, warnings: ignored = [] } = request.read();
  const names = Object.keys(operation.input.entries).filter((name) => Object.hasOwn(args, name));
  const known = Object.fromEntries(names.map((name) => [name, args[name]]));
  const { workspaceId, bearer, capability, isStrict } = options;
  const opened = operation.access.workspace ? [workspaceId, bearer] : [];
  let warnings: Finding[] | undefined;
  return {
    key: JSON.stringify([
      operation.operationId,
      id,
      known,
      opened,
      operation.access.capability && capability,
      isStrict,
    ]),
    perform: () => performThis({ ...request, read: () => ({ args: known, issues: [] }) }),
    finish({ outcome, workspace }) {
      warnings ??= [...ignored, ...warnUnknown(args, operation, service.catalogue.nearMisses)];
      return { outcome: withWarnings(outcome, warnings), workspace };
    },
  };
}

/** Charges a read, last, when its answer is known. */
function settle({ service, operation, options }: OperationRequest, { outcome, workspace }: OperationResult) {
  const settled = orNotModified(outcome, options);
  const isCharged = workspace && operation.effect === 'read' && settled.status === 200;
  return isCharged ? service.chargeRead(operation, workspace, settled) : settled;
}

/**
 * Runs one operation, by HTTP and by tool alike, in the order of its boundaries: the workspace, the capability, the
 * scope, the arguments, then the operation itself. Throws a Refusal.
 */
export function perform(request: OperationRequest): OperationReply | Promise<OperationReply> {
  const { service, operation, id, options } = request;
  const workspaceId = operation.access.workspace ? options.workspaceId : undefined;
  const performThis = async (one: OperationRequest): Promise<OperationResult> =>
    workspaceId === undefined
      ? { outcome: await performIn(one, undefined) }
      : performOpened(one, workspaceId);
  const settleThis = (performed: OperationResult) => settle(request, performed);
  const waiting = service.waits?.wait(request, {
    perform: () => performThis(request),
    share: () => createSharedRead(request, performThis),
    settle: settleThis,
  });
  if (waiting) return waiting;
  if (workspaceId !== undefined) return performThis(request).then(settleThis);
  if (operation.access.workspace === 'required') {
    operation.access.withoutWorkspace?.(service, id);
    throw new Refusal('unknown_workspace', {
      reason:
        'This needs a workspace: send X-Workspace (over MCP the argument workspace) with the id from the create that minted it.',
    });
  }
  const mints = operation.access.mints ?? (operation.access.workspace && operation.effect === 'create');
  return mints ? performMint(request) : performIn(request, undefined);
}
