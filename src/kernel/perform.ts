import { type Call, noteWorkspace, type RequestOptions } from './call.ts';
import { orNotModified } from './entity-tag.ts';
import {
  type Finding,
  limitIssues,
  pickRefusable,
  pickWarnings,
  type Warning,
  type WordedIssue,
} from './envelope.ts';
import { type ReadArgs, refuseIssues, warnUnknown } from './input.ts';
import { unwrapJson } from './json.ts';
import {
  finishWork,
  type OpenedWorkspace,
  type Operation,
  type OperationContext,
  type OperationReply,
} from './operation.ts';
import { checkInSteps, type FoundIssues, parseAtOnce } from './parse-in-steps.ts';
import { Refusal } from './refusal.ts';
import type { KernelService, Opener } from './service.ts';
import type { Steps } from './steps.ts';
import { weighBody, weighRecords } from './weight.ts';
import { compose, workspacePart } from './wording.ts';

/** What `perform` needs of the service. */
export interface PerformService extends KernelService {
  /** Opens a workspace by its id, or by its handle with its owner's bearer. Rejects with a Refusal. */
  openWorkspace(id: string, by?: Opener): Promise<OpenedWorkspace>;
  /** Charges a 200 to a read in a workspace, just before it is sent. May return another reply instead. */
  chargeRead(
    of: Operation,
    workspace: OpenedWorkspace,
    outcome: OperationReply,
  ): OperationReply | Promise<OperationReply>;
  /** Returns the offer to a read that could not be charged, before it waits for a change. */
  findReadOffer(of: Operation, workspace: OpenedWorkspace): OperationReply | undefined;
  /** Counts a call in a workspace after its reply is known. */
  countCall(workspace: OpenedWorkspace, isRefused: boolean): Promise<void> | undefined;
  /** Absent if no call can wait. */
  waits?: Waiting | undefined;
}

/** What a call gives to an operation, over HTTP or MCP. */
export interface OperationRequest {
  service: PerformService;
  operation: Operation;
  call: Call;
  /** The decoded `{id}` of the path. */
  id: string | undefined;
  /** The same as it was sent, if `id` is what a ref means. */
  sentId?: string | undefined;
  options: RequestOptions;
  /** Reads the arguments. Called when the workspace is open. */
  read(): ReadArgs;
}

export function withWarnings(outcome: OperationReply, findings: readonly Finding[]): OperationReply {
  if (findings.length === 0) return outcome;
  const body = unwrapJson(outcome.body) as { type?: string; warnings?: Warning[] };
  if (typeof body !== 'object' || !('type' in body)) return outcome;
  const { type, warnings: before = [], ...rest } = body;
  return {
    ...outcome,
    body: { type, warnings: limitIssues([...before, ...pickWarnings(findings)]), ...rest },
  };
}

/** Adds warnings to the answer. Refuses the call for them if the caller asks for strict handling. */
export function warnOrRefuse({ options, warnings }: OperationContext, findings: readonly Finding[]): void {
  if (findings.length === 0) return;
  const refusable = options.isStrict ? pickRefusable(findings) : [];
  if (refusable.length > 0) throw new Refusal('invalid_request', { issues: refusable });
  warnings.push(...pickWarnings(findings));
}

/** Refuses a malformed capability like an unknown one. */
function checkCapability({ operation, options }: OperationRequest): void {
  const { access, tool } = operation;
  const { capability } = access;
  if (!capability || capability.shape.test(options.capability ?? '')) return;
  if (options.capability) throw new Refusal(capability.unknown);
  const { header, argument, hint, unknown } = capability;
  const name = `the header ${header}`;
  const either = { http: `${name} (over MCP the argument ${argument})`, argument };
  throw new Refusal(unknown, { reason: compose`This needs ${tool ? either : name}. ${hint}` });
}

function performIn(
  request: OperationRequest,
  workspace: OpenedWorkspace | undefined,
): OperationReply | Promise<OperationReply> {
  const { service, operation, call, id, sentId = id, options } = request;
  checkCapability(request);
  const { args, issues, warnings: ignored = [] } = request.read();
  const isScoped = 'scope' in operation.input.entries;
  if (isScoped && ['admin', 'internal'].includes(args.scope as string)) throw new Refusal('forbidden_scope');
  const context = { service, call, operation, args, sentId, workspace, options, warnings: [] };
  const run = (found: readonly WordedIssue[], parsed = parseAtOnce(operation.input, args)) => {
    const misses = service.catalogue.nearMisses;
    refuseIssues(operation, args, { earlier: [...issues, ...found], found: parsed.issues }, misses);
    warnOrRefuse(context, [...ignored, ...warnUnknown(args, operation, misses)]);
    const input = id === undefined ? parsed.output : { ...parsed.output, id };
    if (operation.boundAnswer) call.reserve?.(operation.boundAnswer(context));
    return finishWork(context, operation.run(input as never, context));
  };
  const check = () => operation.check?.(args, service, call, workspace) ?? [];
  async function runBulk(): Promise<OperationReply> {
    await weighRecords(call, operation.countRecords?.(args) ?? 0);
    const work = checkInSteps(operation.input, args, check());
    const of = { client: call.client, operation: operation.operationId };
    const { found, parsed } = await service.platform.runSteps(work, of);
    return run(found, parsed);
  }
  function runOne(): OperationReply | Promise<OperationReply> {
    if (operation.rawBody) return finishWork(context, operation.run({} as never, context));
    const found = check() as Exclude<FoundIssues, Steps<WordedIssue[]>>;
    return found instanceof Promise ? found.then((all) => run(all)) : run(found);
  }
  const warn = (reply: OperationReply) => (reply.hasWarnings ? reply : withWarnings(reply, context.warnings));
  const outcome = operation.isBulk ? runBulk() : runOne();
  return outcome instanceof Promise ? outcome.then(warn) : warn(outcome);
}

/** Runs an operation that makes a workspace, if the caller may make one more. A refused call does not count. */
async function performMint(request: OperationRequest): Promise<OperationReply> {
  const admission = await request.service.watch.admitMint?.(request.call.client);
  let hasMinted = false;
  try {
    const outcome = await performIn(request, undefined);
    hasMinted = outcome.status === 201 && !outcome.headers?.['Idempotency-Replayed'];
    return { ...outcome, headers: { ...outcome.headers, ...admission?.headers } };
  } finally {
    admission?.settle(hasMinted);
  }
}

export interface OperationResult {
  outcome: OperationReply;
  workspace?: OpenedWorkspace | undefined;
}

async function openFor({ service, call, options }: OperationRequest, workspaceId: string) {
  const by = { bearer: options.bearer, client: call.client };
  const workspace = await service.openWorkspace(workspaceId, by);
  noteWorkspace(call, workspace.hash);
  return workspace;
}

async function performOpened(
  request: OperationRequest,
  workspace: OpenedWorkspace,
): Promise<OperationResult> {
  const { service, operation } = request;
  const id = request.id && (operation.findId?.(request.id, workspace, service) ?? request.id);
  const named = { ...request, id, sentId: request.id };
  return { outcome: await performIn(named, workspace), workspace };
}

/** Runs an operation in its workspace, and counts the call there. A 404 does not count as refused. */
async function performCounted(request: OperationRequest, workspaceId: string): Promise<OperationResult> {
  const { service, operation, call, options } = request;
  const replay = await operation.findReplay?.({
    service,
    call,
    operation,
    args: request.read().args,
    workspace: undefined,
    options,
    warnings: [],
  });
  if (replay) return { outcome: replay };
  const workspace = await openFor(request, workspaceId);
  let isRefused = true;
  try {
    const result = await performOpened(request, workspace);
    const { status } = result.outcome;
    isRefused = status >= 400 && status !== 404;
    return result;
  } finally {
    await service.countCall(workspace, isRefused);
  }
}

/** A read that several waiting calls share. */
export interface SharedRead {
  /** The same for all calls that read the same. Ignored arguments and headers do not count. */
  key: string;
  perform(): Promise<OperationResult>;
  /** Adds the warnings of this caller about what was ignored. */
  finish(result: OperationResult): OperationResult;
}

/** How a request is performed, and how its result becomes a reply. */
export interface WaitSteps {
  perform(): Promise<OperationResult>;
  /** Called after the first `perform`, unless that was refused. */
  share(): SharedRead;
  settle(performed: OperationResult): OperationReply | Promise<OperationReply>;
}

/** Lets reads wait for a change of what they read. */
interface Waiting {
  /** Whether the call asks to wait, and its operation can. */
  canWait(request: OperationRequest): boolean;
  /**
   * Replies to a read as soon as its answer differs from the one that the caller has. After the requested seconds it
   * replies in any case (RFC 7240 section 4.3).
   */
  wait(request: OperationRequest, steps: WaitSteps): Promise<OperationReply>;
}

function createSharedRead(request: OperationRequest): SharedRead {
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
    perform: () => performRead({ ...request, read: () => ({ args: known, issues: [] }) }),
    finish({ outcome, workspace }) {
      warnings ??= [...ignored, ...warnUnknown(args, operation, service.catalogue.nearMisses)];
      return { outcome: withWarnings(outcome, warnings), workspace };
    },
  };
}

/** Charges a read, as the last step, when its answer is known. */
function settle({ service, operation, options }: OperationRequest, { outcome, workspace }: OperationResult) {
  const reply = orNotModified(outcome, options);
  const isCharged = workspace && operation.effect === 'read' && reply.status === 200;
  return isCharged ? service.chargeRead(operation, workspace, reply) : reply;
}

const findWorkspaceId = ({ operation, options }: OperationRequest): string | undefined =>
  operation.access.workspace ? options.workspaceId : undefined;

/** Runs a read without counting the call. */
async function performRead(request: OperationRequest): Promise<OperationResult> {
  const workspaceId = findWorkspaceId(request);
  return workspaceId === undefined
    ? { outcome: await performIn(request, undefined) }
    : performOpened(request, await openFor(request, workspaceId));
}

/** Runs a read that waits until its answer differs from the one that the caller has. */
function performWaiting(request: OperationRequest, waits: Waiting): Promise<OperationReply> {
  const workspaceId = findWorkspaceId(request);
  return waits.wait(request, {
    perform: () => (workspaceId === undefined ? performRead(request) : performCounted(request, workspaceId)),
    share: () => createSharedRead(request),
    settle: (result) => settle(request, result),
  });
}

/** Runs a bulk operation. It counts by its size, even if it is refused. A replay does the work of one call. */
async function performBulk(request: OperationRequest): Promise<OperationReply> {
  const { call } = request;
  const more = weighBody(call) - 1;
  if (more > 0) await call.weigh?.(more);
  const reply = await performOne(request);
  if (reply.headers?.['Idempotency-Replayed']) await call.unweigh?.();
  return reply;
}

/**
 * Runs one operation, called by HTTP or as a tool. Checks the workspace, the capability, the scope and the arguments,
 * in this order, and then runs the operation. Throws a Refusal.
 */
export function perform(request: OperationRequest): OperationReply | Promise<OperationReply> {
  return request.operation.isBulk ? performBulk(request) : performOne(request);
}

function performOne(request: OperationRequest): OperationReply | Promise<OperationReply> {
  const { service, operation, id } = request;
  const { access, effect } = operation;
  if (service.waits?.canWait(request)) return performWaiting(request, service.waits);
  const workspaceId = findWorkspaceId(request);
  if (workspaceId !== undefined)
    return performCounted(request, workspaceId).then((result) => settle(request, result));
  if (access.workspace === 'required') {
    access.withoutWorkspace?.(service, id);
    throw new Refusal('unknown_workspace', {
      reason: compose`This needs a workspace: send ${workspacePart} with the id from the create that minted it.`,
    });
  }
  const mints = access.mints ?? (access.workspace && effect === 'create');
  return mints ? performMint(request) : performIn(request, undefined);
}
