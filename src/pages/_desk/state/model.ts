import type { Match } from '../../../matches/match.ts';
import type { presentOutcome } from '../../../placements/outcome.ts';
import { endStatuses, stages } from '../../../placements/stages.ts';
import type { presentWorkspace } from '../../../records/account/workspace-view.ts';
import type { PresentedRecord as Presented } from '../../../records/kind/record.ts';
import type { workspaceFacts } from '../../_parts/workspace-facts.ts';
import type { ActivityRow } from '../activity/activity-sentence.ts';
import type { EndingCredential } from '../common/ending.ts';

/** The data that the build gives the page. */
export type PageFacts = typeof workspaceFacts;

/** What the page knows about a kind of record. The build reads it from the kinds and the contract. */
export type KindFacts = PageFacts['kinds'][number];

/** A record as the service presents it. */
export interface PageRecord extends Presented {
  ref?: string;
  example: boolean;
  revision?: number;
  createdAt?: string;
  updatedAt?: string;
  transitions?: { at: string; from: string; to: string; reason?: string }[];
}

export type Outcome = ReturnType<typeof presentOutcome>;

export interface Placement extends PageRecord {
  candidateId: string;
  jobOrderId: string;
  startDate?: string;
  plannedEndDate?: string;
  endDate?: string;
  endReason?: string;
  guaranteeDays: number;
  outcome: Outcome;
}

/** A placement with the names of its person and its job, which are null if these are gone. */
export interface NamedPlacement extends Placement {
  candidateName: string | null;
  client: string | null;
  title: string | null;
  note?: string;
}

const isStage = (status: string) => (stages as readonly string[]).includes(status);

/** Whether a record is an accepted placement. Before that it has no course and no outcome. */
export const isPlacement = (row: PageRecord): row is Placement => 'outcome' in row && !isStage(row.status);

/** Whether a placement of this status is accepted and not over. */
export const isHolding = (status: string) => !isStage(status) && !endStatuses.includes(status);

/** The workspace that GET /workspace returns. */
export type WorkspaceFacts = ReturnType<typeof presentWorkspace>;

/** Closes the workspace, and shows why. */
export type Close = (words: string) => unknown;

/** How many records there are, of all kinds. */
export const sumRecords = (records: Record<string, number>) =>
  Object.values(records).reduce((sum, one) => sum + one, 0);

/** A page of a list, how many records there are in all, and where the next page begins. */
export interface ListPage {
  rows: PageRecord[];
  total: number;
  next: string | undefined;
  /** How many there are of each status, if that was asked for. */
  counts?: Record<string, number>;
}

/** A stage with its first placements, those that moved last first, and how many are in it. */
export interface BoardStage extends ListPage {
  status: string;
}

/** The stages of the board, the placements that are over, and how many of these there are. */
export interface Board {
  stages: BoardStage[];
  over: BoardStage;
  ended: { status: string; total: number }[];
}

/** An open record, the ETag of the version that the person sees, the records that refer to it, and its changes. */
export interface OpenedRecord {
  kind: KindFacts;
  row: PageRecord;
  tag: string | undefined;
  holders?: { kind: KindFacts; page: ListPage } | undefined;
  changes?: readonly ActivityRow[];
  /** The credentials of a person that end soon, or have ended. */
  ending?: readonly EndingCredential[];
}

/** A match of a record. The matched record is under the name of its kind. */
export type FoundMatch = Match & Record<string, unknown>;
