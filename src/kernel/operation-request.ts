import type { Call, RequestOptions } from './call.ts';
import type { ReadArgs } from './input.ts';
import type { OpenedWorkspace, Operation, OperationReply } from './operation.ts';
import type { KernelService, Opener } from './service.ts';

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

/** A call whose workspace is open, if it names one. */
export interface OpenedCall {
  workspace: OpenedWorkspace | undefined;
  /** The id that the path names in the workspace. */
  id: string | undefined;
}

export interface OperationResult {
  outcome: OperationReply;
  workspace?: OpenedWorkspace | undefined;
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
