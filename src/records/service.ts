import type { OpenedWorkspace, Operation, OperationContext, OperationReply } from '../kernel/operation.ts';
import type { OccupationService } from '../occupations/service.ts';
import type { PricingService } from '../pricing/offer.ts';
import type { ActivityEntry } from '../workspace/activity.ts';
import type { Head } from '../workspace/head.ts';
import type { Store } from '../workspace/store.ts';
import type { DraftView } from '../workspace/view.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Workspaces } from '../workspace/workspaces.ts';
import type { Kind } from './kind.ts';
import type { Seed, SeedView } from './view.ts';
import type { OpenedBy, WorkspaceState } from './workspace-state.ts';

/** The service, as operations on records use it. */
export interface RecordService extends OccupationService, PricingService {
  catalogue: OccupationService['catalogue'] & PricingService['catalogue'] & { seed: Seed };
  operations: readonly Operation[];
  kinds: readonly Kind[];
  seed: SeedView;
  store: Store;
  workspaces: Workspaces;
  /** Lets the people of a graded brief react to a change, as a part of it. In a browser there are none. */
  react(change: DraftedChange, outcome: OperationReply, context: Context): ChangeReaction | undefined;
}

/** A change in the workspace of a brief that is decided, but not written yet. */
export interface DraftedChange {
  /** Milliseconds since the epoch. */
  now: number;
  view: DraftView;
  /** The workspace before the change. Undefined if the change creates it. */
  head: Head | undefined;
  /** The state of the workspace after the change. */
  state: Head['state'] | undefined;
  /** The brief in that state, which is not graded. */
  brief: NonNullable<WorkspaceState['brief']>;
}

/** The reply to a change after people reacted to it, the new state of the workspace, and the activity of the people. */
export interface ChangeReaction {
  outcome: OperationReply;
  state: Head['state'];
  activity: readonly Omit<ActivityEntry, 'revision' | 'at'>[];
}

/** The workspace of a call, with its records. */
export interface RecordWorkspace extends OpenedWorkspace {
  by: OpenedBy;
  /** It shows a change only once the change is durable. */
  contents: Workspace;
}

/** The context that an operation on records gets beside its arguments. */
export interface Context<S extends RecordService = RecordService> extends OperationContext<S> {
  workspace: RecordWorkspace | undefined;
}
