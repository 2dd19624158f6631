import type { OpenedWorkspace, Operation, OperationContext, OperationReply } from '../kernel/operation.ts';
import type { OccupationService } from '../occupations/service.ts';
import type { PricingService } from '../pricing/offer.ts';
import type { Change } from '../workspace/change.ts';
import type { Store } from '../workspace/store.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Workspaces } from '../workspace/workspaces.ts';
import type { OpenedBy, WorkspaceState } from './account/workspace-state.ts';
import type { Kind } from './kind/kind.ts';
import type { Seed, SeedView } from './read/view.ts';

/** The service, as operations on records use it. */
export interface RecordService extends OccupationService, PricingService {
  catalogue: OccupationService['catalogue'] & PricingService['catalogue'] & { seed: Seed };
  operations: readonly Operation[];
  kinds: readonly Kind[];
  seed: SeedView;
  store: Store;
  workspaces: Workspaces;
  /**
   * Lets the people of a graded brief react to a change, as a part of it. Returns the reply after that. In a browser there
   * are none.
   */
  react(brief: GradedBrief, reply: OperationReply, context: ChangeContext): OperationReply;
}

/** The brief of a workspace, as its state has it. */
export type GradedBrief = NonNullable<WorkspaceState['brief']>;

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

/** The context of a rule that changes a workspace. */
export interface ChangeContext<S extends RecordService = RecordService> extends Context<S> {
  change: Change;
}
