import { Refusal } from '../kernel/refusal.ts';
import { toPeriod } from '../pricing/meter.ts';
import { readWorkspaceState } from '../records/account/workspace-state.ts';
import type { RecordService, RecordWorkspace } from '../records/service.ts';
import type { Head } from '../workspace/head.ts';

/** The names of the totals of a workspace that count its calls. */
const [callsName, refusedName] = ['brief.calls', 'brief.refused'];

/** Adds a call to the totals of a workspace, unless the call has deleted it. */
async function addCall({ workspaces, platform }: RecordService, key: string, isRefused: boolean) {
  const totals = { [callsName]: 1, ...(isRefused && { [refusedName]: 1 }) };
  try {
    const workspace = await workspaces.openByKey(key);
    if (workspace)
      await workspaces.charge(workspace, { period: toPeriod(platform.now()), calls: {}, totals });
  } catch (error) {
    // The call has its reply, so a store that fails now costs only the count. It reports its own faults.
    if (!(error instanceof Refusal)) throw error;
  }
}

/** Counts a call in the workspace of a brief, until it is graded. */
export function countCall(
  service: RecordService,
  { key, contents }: RecordWorkspace,
  isRefused: boolean,
): Promise<void> | undefined {
  const { brief } = readWorkspaceState(contents.head.state);
  return brief && !brief.grade ? addCall(service, key, isRefused) : undefined;
}

/** Returns how many calls a workspace of a brief got, and how many of them were refused. */
export function readCallCounts({ used: { totals = {} } }: Head): { calls: number; refused: number } {
  return { calls: totals[callsName] ?? 0, refused: totals[refusedName] ?? 0 };
}
