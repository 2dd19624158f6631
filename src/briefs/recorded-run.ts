/** A call of a recorded run. Random ids are replaced by numbered ones. */
export interface RecordedCall {
  method: string;
  path: string;
  body?: Record<string, unknown>;
  /** The people and orders that the call names by their ids, in words. */
  about: string[];
  status: number;
}

/** A run of a brief in variant 0: its calls in order, and its grade. */
export interface BriefRun {
  /** The day on which it was started, from which its days are counted. */
  day: string;
  passed: boolean;
  calls: RecordedCall[];
  checks: { text: string; passed: boolean; found: string }[];
}

/** content/brief-runs.json, which scripts/briefs/record-runs.ts writes. A test runs everything again and compares. */
export interface BriefRuns {
  /** The run of the solution of each brief, by its id. */
  runs: Record<string, BriefRun>;
  /** The ids of the briefs that the example agent passes in variant 0. */
  passedByExampleAgent: string[];
}
