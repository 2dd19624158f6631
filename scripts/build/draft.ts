/** A build is made beside the last one, and put in its place when it is complete. An interrupted one changes nothing. */
import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const draftsFolder = (root: string) => join(root, '.build');

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user is running too.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Removes a folder, or leaves it to the next build if a process of an interrupted one still writes into it. */
function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // The next build removes it.
  }
}

/** Removes what this process has left, and the folder of all drafts if no other process builds. */
function removeDraft(root: string): void {
  const drafts = draftsFolder(root);
  remove(join(drafts, String(process.pid)));
  try {
    rmdirSync(drafts);
  } catch {
    // Another process builds.
  }
}

/**
 * Makes an empty folder for the build of this process, which is removed when the process exits. Removes those of builds
 * that a signal has ended.
 */
export function openDraft(root: string): string {
  const drafts = draftsFolder(root);
  mkdirSync(drafts, { recursive: true });
  for (const name of readdirSync(drafts)) if (!isRunning(Number(name))) remove(join(drafts, name));
  const draft = join(drafts, String(process.pid), 'dist');
  remove(draft);
  mkdirSync(draft, { recursive: true });
  process.once('exit', () => removeDraft(root));
  return draft;
}

/** Replaces `dist` by the draft. If this is killed between the two steps, there is no build, and the next start builds. */
export function placeDraft(draft: string, dist: string): void {
  if (existsSync(dist)) renameSync(dist, join(draft, '..', 'last'));
  renameSync(draft, dist);
}
