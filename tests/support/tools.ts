import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** The folder with the examples for operators. */
export const deployFolder = join(import.meta.dirname, '..', '..', 'scripts', 'deploy');

/** Returns whether a program can be run here. */
export const has = (program: string): boolean =>
  spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined;

/**
 * Returns whether something is skipped because a program is missing, and prints that. If `CI` is set, that is
 * a failure.
 */
export function skipsWithout(...programs: string[]): boolean {
  const missing = programs.filter((program) => !has(program));
  if (missing.length === 0) return false;
  console.log(`skipped: no ${missing.join(', no ')} on this machine`);
  if (process.env.CI) process.exitCode = 1;
  return true;
}

/** Runs a program to its end. Returns its exit code and output. */
export function run(
  program: string,
  args: string[],
  cwd = deployFolder,
): { code: number | null; said: string } {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  return { code: status, said: `${stdout}${stderr}` };
}
