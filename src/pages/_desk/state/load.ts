import { dayFromNow } from '../../_scripts/format.ts';
import { read } from './client.ts';
import type { WorkspaceFacts } from './model.ts';
import { type LoadedParts, type PartFailure, type PartState, type ReadParts, state } from './state.ts';
import { updateState } from './update.ts';

export const hasFailed = <T>(loaded: PartState<T>): loaded is PartFailure =>
  typeof loaded === 'object' && loaded !== null && 'failed' in loaded;

/** Reads a part of the page, and shows it or why it could not be read. */
export async function load<P extends keyof ReadParts>(part: P, run: () => Promise<LoadedParts[P]>) {
  const mine = {};
  state.reading.latest[part] = mine;
  const loaded = await run().catch((error: Error): PartFailure => ({ failed: error.message }));
  if (state.reading.latest[part] === mine) updateState({ [part]: loaded });
}

const partNames = [
  'list',
  'board',
  'needs',
  'activity',
  'plan',
  'record',
  'fits',
] as const satisfies (keyof ReadParts)[];

/** Whether a part, or the code of one, failed and can be read again. Waiting for a change would not reload it. */
export const hasFailedPart = () =>
  state.views.failed.size > 0 ||
  partNames.some((name) => {
    const part: PartState<object> = state[name];
    return hasFailed(part) && !part.isGone;
  });

/** Sets the function that is called whenever the records of the workspace or the date have changed. */
export function onChanged(loadShown: () => Promise<unknown>): void {
  state.hooks.loadShown = loadShown;
}

/**
 * Reads the workspace and, if it has changed, all shown parts. Resolves once what is shown is of this version, even if another
 * call reads it. Throws an ApiError if the workspace cannot be read.
 */
export async function refresh(): Promise<void> {
  const { reading } = state;
  reading.readAt = Date.now();
  const workspace = (await read('/workspace', { isFresh: true })).body.workspace as WorkspaceFacts;
  updateState({ workspace });
  const now = `${workspace.createdAt} ${workspace.revision} ${dayFromNow()}`;
  if (now !== reading.seen || hasFailedPart()) {
    reading.seen = now;
    reading.shown = state.hooks.loadShown();
  }
  await reading.shown;
}
