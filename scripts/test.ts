/**
 * Builds, then runs the test files below tests/, each in a process of its own:
 * `node scripts/test.ts [--all] [--no-build] [NAME …]`. `*.slow.test.ts` run with `--all`, or where named.
 */
import { spawn, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
process.chdir(root);
const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const minutes = 10;

interface Run {
  name: string;
  passed: number;
  failed: number;
  skipped: number;
  output: string;
}

function count(output: string, label: string): number {
  const numbers = [...output.matchAll(new RegExp(`^\\s+${label}:?\\s+(\\d+)`, 'gm'))].map(([, n]) =>
    Number(n),
  );
  return numbers.reduce((sum, n) => sum + n, 0);
}

function runFile(name: string): Promise<Run> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join('tests', name)], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    const timer = setTimeout(() => child.kill('SIGKILL'), minutes * 60_000);
    child.on('close', (code) => {
      clearTimeout(timer);
      const total = count(output, 'Total');
      const passed = count(output, 'Passed');
      const skipped = count(output, 'Skipped');
      const ranNothing = total === 0 && !/^skipped: /m.test(output);
      if (ranNothing) output += '\nno test ran in this file: does every suite end in .run()?\n';
      const failed = Math.max(total - passed, code === 0 && !ranNothing ? 0 : 1);
      resolve({ name, passed, failed, skipped, output });
    });
  });
}

if (!process.argv.includes('--no-build')) {
  const { status } = spawnSync(process.execPath, ['scripts/build.ts'], { stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}

const isSlow = (name: string) => name.endsWith('.slow.test.ts');
const names = readdirSync('tests', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .filter((name) =>
    wanted.length === 0
      ? process.argv.includes('--all') || !isSlow(name)
      : wanted.some((part) => name.includes(part)),
  )
  .sort();
const queue = [...names];
const runs: Run[] = [];
await Promise.all(
  Array.from({ length: availableParallelism() }, async () => {
    for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
      const run = await runFile(name);
      runs.push(run);
      console.log(`${run.failed === 0 ? 'ok  ' : 'FAIL'} ${name} (${run.passed})`);
      const notes = run.output.split('\n').filter((line) => /^(skipped|figure): /.test(line));
      for (const note of notes) console.log(`     ${note}`);
      if (run.failed > 0) console.log(run.output);
    }
  }),
);

const sum = (of: (run: Run) => number) => runs.reduce((total, run) => total + of(run), 0);
const failed = sum((run) => run.failed);
const passed = sum((run) => run.passed);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
