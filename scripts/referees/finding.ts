import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { toRefereeFile } from './install.ts';

export const root = join(import.meta.dirname, '..', '..');

/** What a referee found: by which rule, where and in its words. */
interface Finding {
  rule: string;
  where: string;
  message: string;
}

/** The result of a referee: its findings and, where it gives one, a score in percent. */
interface Verdict {
  findings: Finding[];
  score?: number;
  /** Why it could not judge on this machine. */
  leftOut?: string;
}

/** A program that judges the service from outside. `isQuick`: it takes less than a minute. */
export interface Referee {
  name: string;
  isQuick: boolean;
  judge(origin: string, folder: string): Promise<Verdict>;
}

/** A finding that is accepted: `where` is a regular expression, and `reason` says why. */
export interface Accepted {
  referee: string;
  rule: string;
  where: string;
  reason: string;
}

/** Runs a program of a package that is installed here, and gives all that it printed on its standard output. */
export const runPackage = (program: string, args: string[]): Promise<string> =>
  runProgram(process.execPath, [toRefereeFile(program), ...args]);

/** The same of a program of this machine. */
export function runProgram(program: string, args: string[], minutes = 5): Promise<string> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: '1' };
    const child = spawn(program, args, { cwd: root, env });
    let [output, errors] = ['', ''];
    const timer = setTimeout(() => child.kill('SIGKILL'), minutes * 60_000);
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (errors += chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      if (output.trim() === '' && code !== 0)
        reject(new Error(`${program} said nothing (${code}): ${errors.slice(0, 500)}`));
      else resolve(output);
    });
  });
}
