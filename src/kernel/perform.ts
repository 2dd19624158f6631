import { type Call, noteWorkspace, type RequestOptions } from './call.ts';
import { orNotModified } from './entity-tag.ts';
import type { Finding } from './envelope.ts';
import { type RawArgs, type ReadArgs, refuseIssues, warnUnknown } from './input.ts';
import {
  finishWork,
  type OpenedWorkspace,
  type Operation,
  type OperationContext,
  type OperationReply,
  runSteps,
} from './operation.ts';
import { checkInSteps, parseAtOnce } from './parse-in-steps.ts';
import { Refusal } from './refusal.ts';
import type { KernelService, Opener } from './service.ts';
import { isSteps, runAtOnce, type Steps, wait } from './steps.ts';
import { warnOrRefuse, withWarnings } from './warnings.ts';
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
  options: RequestOptions;
  /** Reads the arguments. Called when the workspace is open. */
  read(): ReadArgs;
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

/** A call whose workspace is open, if it names one. */
interface OpenedCall {
  workspace: OpenedWorkspace | undefined;
  /** The id that the path names in the workspace. */
  id: string | undefined;
}

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

/** A call whose arguments are checked. */
interface CheckedCall {
  context: OperationContext;
  input: Readonly<Record<string, unknown>>;
}

/** Checks the capability, the scope and the arguments of a call, in this order. Throws a Refusal. */
async function check(request: OperationRequest, { workspace, id }: OpenedCall): Promise<CheckedCall> {
  const { service, operation, call, options, id: sentId } = request;
  checkCapability(request);
  const { args, issues, warnings: ignored = [] } = request.read();
  const isScoped = 'scope' in operation.input.entries;
  if (isScoped && ['admin', 'internal'].includes(args.scope as string)) throw new Refusal('forbidden_scope');
  const context = { service, call, operation, args, sentId, workspace, options, warnings: [] };
  if (operation.rawBody) return { context, input: {} };
  if (operation.isBulk) await weighRecords(call, operation.countRecords?.(args) ?? 0);
  const work = checkArguments(context, { args, issues, warnings: ignored });
  // Without arguments nothing takes time, and a probe waits for no other call.
  const isPlain = operation.access.probe || (!operation.isBulk && Object.keys(args).length === 0);
  const output = isPlain ? runAtOnce(work) : await runSteps(context, work);
  return { context, input: id === undefined ? output : { ...output, id } };
}

/**
 * Checks arguments by the check and the schema of their row, and returns them parsed. It is done in the turn of the client,
 * because many calls of one client in the same turn of the event loop would take long together. Throws a Refusal.
 */
function* checkArguments(
  context: OperationContext,
  { args, issues, warnings = [] }: ReadArgs,
): Steps<RawArgs> {
  const { service, operation, call, workspace } = context;
  const checked = operation.check?.(args, service, call, workspace) ?? [];
  const { found, parsed } = operation.isBulk
    ? yield* checkInSteps(operation.input, args, checked)
    : {
        found: isSteps(checked) ? yield* checked : yield* wait(checked),
        parsed: parseAtOnce(operation.input, args),
      };
  const misses = service.catalogue.nearMisses;
  refuseIssues(operation, args, { earlier: [...issues, ...found], found: parsed.issues }, misses);
  warnOrRefuse(context, [...warnings, ...warnUnknown(args, operation, misses)]);
  return parsed.output;
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

export interface OperationResult {
  outcome: OperationReply;
  workspace?: OpenedWorkspace | undefined;
}

/** Opens, checks and runs a call, without counting it. */
async function readOnce(request: OperationRequest): Promise<OperationResult> {
  const opened = await open(request);
  return { outcome: await run(await check(request, opened)), workspace: opened.workspace };
}

/** Opens, admits, checks and runs a call. A refused call makes no workspace. */
async function callOnce(request: OperationRequest): Promise<OperationResult> {
  const replay = await findReplay(request);
  if (replay) return { outcome: replay };
  const opened = await open(request);
  const counting = await admit(request, opened);
  let outcome: OperationReply | undefined;
  try {
    outcome = await run(await check(request, opened));
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

/** A read that several waiting calls share. */
export interface SharedRead {
  /** The same for all calls that read the same. Ignored arguments and headers do not count. */
  key: string;
  read(): Promise<OperationResult>;
  /** Adds the warnings of this caller about what was ignored. */
  finish(result: OperationResult): OperationResult;
}

/** How a request that waits is read, and how its result becomes a reply. */
export interface WaitSteps {
  read(): Promise<OperationResult>;
  /** Called after the first `read`, unless that was refused. */
  share(): SharedRead;
  settle(result: OperationResult): OperationReply | Promise<OperationReply>;
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
