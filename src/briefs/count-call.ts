import { toPeriod } from '../pricing/meter.ts';
import type { RecordService, RecordWorkspace } from '../records/service.ts';
import { readWorkspaceState } from '../records/workspace-state.ts';
import type { Head } from '../workspace/head.ts';

/** The names of the totals of a workspace that count its calls. */
const [callsName, refusedName] = ['brief.calls', 'brief.refused'];

/** Counts a call in the workspace of a brief, until it is graded. */
export function countCall(
  { workspaces, platform }: RecordService,
  { contents }: RecordWorkspace,
  isRefused: boolean,
): Promise<unknown> | undefined {
  const { brief } = readWorkspaceState(contents.head.state);
  if (!brief || brief.grade) return undefined;
  const totals = { [callsName]: 1, ...(isRefused && { [refusedName]: 1 }) };
  return workspaces.charge(contents, { period: toPeriod(platform.now()), calls: {}, totals });
}

/** Returns how many calls a workspace of a brief got, and how many of them were refused. */
export function readCallCounts({ used: { totals = {} } }: Head): { calls: number; refused: number } {
  return { calls: totals[callsName] ?? 0, refused: totals[refusedName] ?? 0 };
}
