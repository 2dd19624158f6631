/** Builds, then runs the test files in tests/, in about as many processes as there are processors. */
import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Mistake, readCommand } from './command.ts';
import { installReferees } from './referees/install.ts';

const usage = `npm test -- [--all | --slow] [--no-build] [--times] [NAME ...]

Builds, then runs the tests: the first tier, or the files whose path below tests/ contains a NAME.
--slow      the second tier (*.slow.test.ts); --all runs both
--no-build  reads the last build
--times     prints how long each file took`;

const root = join(import.meta.dirname, '..');
process.chdir(root);
const flag = { type: 'boolean', default: false } as const;
const options = { all: flag, slow: flag, 'no-build': flag, times: flag } as const;
const { values, positionals: wanted } = readCommand(usage, { allowPositionals: true, options });
const minutes = 10;
/** Node keeps what it compiles here, so that hundreds of processes do not compile the same files. */
process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules', '.cache', 'compile');

const isSlow = (name: string) => name.endsWith('.slow.test.ts');

/**
 * Whether a file needs its own process, because it starts and kills many processes. Files for pages share one, and so a browser and
 * a host.
 */
const needsOwnProcess = (name: string) => isSlow(name) && !name.startsWith('journeys');

function count(output: string, label: string): number {
  const numbers = [...output.matchAll(new RegExp(`^\\s+${label}:?\\s+(\\d+)`, 'gm'))];
  return numbers.reduce((sum, [, n]) => sum + Number(n), 0);
}

/** Runs files one after another in a child process, which it starts if there is none. */
class Runner {
  #child: ChildProcess | undefined;
  #output = '';

  #start(): ChildProcess {
    const stdio = ['ignore', 'pipe', 'pipe', 'ipc'] as const;
    const child = fork(join('scripts', 'test-process.ts'), { detached: true, stdio: [...stdio] });
    this.#child = child;
    const append = (chunk: Buffer) => (this.#output += chunk);
    for (const stream of [child.stdout!, child.stderr!]) stream.on('data', append);
    child.once('close', () => {
      if (this.#child === child) this.#child = undefined;
    });
    return child;
  }

  async run(name: string) {
    if (needsOwnProcess(name)) await this.end();
    const child = this.#child ?? this.#start();
    const started = performance.now();
    this.#output = '';
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      process.kill(-child.pid!, 'SIGKILL');
    }, minutes * 60_000);
    const { promise, resolve } = Promise.withResolvers<number | null>();
    child.once('message', ({ code }: { code: number }) => {
      const end = () => (this.#output.split('\0').length > 2 ? resolve(code) : setTimeout(end, 1));
      end();
    });
    child.once('close', resolve);
    child.send(name);
    const code = await promise;
    clearTimeout(timer);
    child.off('close', resolve).removeAllListeners('message');
    if (needsOwnProcess(name)) await this.end();
    let output = this.#output.replaceAll('\0', '');
    const total = count(output, 'Total');
    const passed = count(output, 'Passed');
    const ranNothing = total === 0 && !/^skipped: /m.test(output);
    if (isLate) output += `\nthis file did not end in ${minutes} minutes\n`;
    else if (ranNothing) output += '\nno test ran in this file: does every suite end in .run()?\n';
    const failed = Math.max(total - passed, code === 0 && !ranNothing ? 0 : 1);
    return { name, passed, failed, seconds: (performance.now() - started) / 1000, output };
  }

  async end(): Promise<void> {
    this.#child?.send('');
    if (this.#child) await once(this.#child, 'close');
  }
}

if (!values['no-build']) {
  const { status } = spawnSync(process.execPath, ['scripts/build.ts', '--files'], { stdio: 'inherit' });
  if (status !== 0) process.exit(1);
} else if (!existsSync('dist/deploy')) {
  throw new Mistake('The tests need the files of static hosts: npm run build -- --files');
}

const isWanted = (name: string) => {
  if (wanted.length > 0) return wanted.some((part) => name.includes(part));
  return values.slow ? isSlow(name) : values.all || !isSlow(name);
};
const names = readdirSync('tests', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts') && isWanted(name))
  .sort((a, b) => Number(needsOwnProcess(b)) - Number(needsOwnProcess(a)) || (a < b ? -1 : 1));
if (names.length === 0) throw new Mistake(`No path below tests/ contains ${wanted.join(' or ')}.`);
if (names.some(isSlow)) installReferees();
const queue = [...names];
/** Tests of the first tier also wait: for a disk, a process to end. Those of the second keep all processors busy. */
const processes = Math.ceil(availableParallelism() * (names.some(isSlow) ? 1 : 1.5));
const runs: Awaited<ReturnType<Runner['run']>>[] = [];
await Promise.all(
  Array.from({ length: processes }, async (_, index) => {
    const runner = new Runner();
    // Files at the end need the processor, and those at the beginning wait, so one process begins at the end.
    const nextName = () => (index === 0 ? queue.pop() : queue.shift());
    for (let name = nextName(); name !== undefined; name = nextName()) {
      const run = await runner.run(name);
      runs.push(run);
      const time = values.times ? ` ${run.seconds.toFixed(1)} s` : '';
      console.log(`${run.failed === 0 ? 'ok  ' : 'FAIL'} ${name} (${run.passed})${time}`);
      const notes = run.output.split('\n').filter((line) => /^(skipped|figure): /.test(line));
      for (const note of notes) console.log(`     ${note}`);
      if (run.failed > 0) console.log(run.output);
    }
    await runner.end();
  }),
);

const sum = (of: 'passed' | 'failed') => runs.reduce((total, run) => total + run[of], 0);
const [passed, failed] = [sum('passed'), sum('failed')];
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
