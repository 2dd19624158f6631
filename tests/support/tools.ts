import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** The folder of what an operator copies. */
export const deployFolder = join(import.meta.dirname, '..', '..', 'scripts', 'deploy');

/** Whether a program can be run here. */
export const has = (program: string): boolean =>
  spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined;

/** Says that something is skipped for want of a program, and whether it is. Where `CI` is set that is a failure. */
export function skipsWithout(...programs: string[]): boolean {
  const missing = programs.filter((program) => !has(program));
  if (missing.length === 0) return false;
  console.log(`skipped: no ${missing.join(', no ')} on this machine`);
  if (process.env.CI) process.exitCode = 1;
  return true;
}

/** Runs a program to its end; answers its code and all that it printed. */
export function run(
  program: string,
  args: string[],
  cwd = deployFolder,
): { code: number | null; said: string } {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  return { code: status, said: `${stdout}${stderr}` };
}
