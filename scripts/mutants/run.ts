import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { Mutant } from './list.ts';

const root = join(import.meta.dirname, '..', '..');
const hooks = join(import.meta.dirname, 'hooks.ts');

const children = new Set<ChildProcess>();

/** Ends a process of tests, and the hosts that it started, which are in its group. */
function endGroup(child: ChildProcess): void {
  children.delete(child);
  try {
    process.kill(-child.pid!, 'SIGKILL');
  } catch {
    // All have ended.
  }
}
process.on('exit', () => children.forEach(endGroup));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

/**
 * Runs test files in a process of their own, with a mutant or without one. Returns the first file that fails or does not
 * end in time; undefined if all pass.
 */
export async function findFailure(
  files: readonly string[],
  mutant: Mutant | undefined,
  secondsForEach: number,
): Promise<string | undefined> {
  const { NODE_COMPILE_CACHE = join(root, 'node_modules', '.cache', 'compile') } = process.env;
  const env = { ...process.env, NODE_COMPILE_CACHE, MUTANT: mutant ? JSON.stringify(mutant) : '' };
  const child = fork(join(root, 'scripts', 'test-process.ts'), {
    ...{ cwd: root, env, detached: true, stdio: 'ignore' },
    execArgv: ['--import', hooks],
  });
  children.add(child);
  const runFile = (file: string) =>
    new Promise<boolean>((resolve) => {
      const timer = setTimeout(resolve, secondsForEach * 1000, false);
      const finish = (passes: boolean) => {
        clearTimeout(timer);
        child.removeAllListeners();
        resolve(passes);
      };
      child.once('message', ({ code }: { code: number }) => finish(code === 0));
      child.once('exit', () => finish(false));
      child.send(file, (error) => error && finish(false));
    });
  try {
    for (const file of files) if (!(await runFile(file))) return file;
    return undefined;
  } finally {
    endGroup(child);
  }
}
