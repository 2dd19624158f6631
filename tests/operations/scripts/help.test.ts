import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { useServer } from '../../support/server.ts';

const help = suite('the scripts of package.json');
const root = join(import.meta.dirname, '..', '..', '..');
const { scripts }: { scripts: Record<string, string> } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);

interface Run {
  code: number;
  stdout: string;
  stderr: string;
}

const run = (program: string, args: readonly string[], env = process.env): Promise<Run> =>
  new Promise((resolve) => {
    execFile(program, args, { cwd: root, env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });

const wrapper = 'node scripts/with-node.mjs ';

/** Runs a script with these arguments as npm does, but on the Node of this process. */
function runScript(name: string, ...args: string[]): Promise<Run> {
  const [, command] = scripts[name]!.split(wrapper);
  const env = { ...process.env, npm_lifecycle_event: name };
  return run(process.execPath, [...command!.split(' '), ...args], env);
}

const helpOf = new Map<string, Promise<Run>>();

/** Runs a script with --help, once for all names of a command. */
const readHelp = (name: string) =>
  helpOf.getOrInsertComputed(scripts[name]!, () => runScript(name, '--help'));

help('a script runs on the Node of the project, with the arguments behind its name', async () => {
  const name = 'verify-receipt';
  const { code, stdout } = await run('sh', ['-c', `${scripts[name]} "$@"`, name, '--help']);
  assert.is(code, 0);
  assert.is(stdout, (await readHelp(name)).stdout);
});

/** Astro's own development server describes itself, and ignores options that it does not know. */
const ours = Object.keys(scripts).filter((name) => name !== 'dev');

const trace = /^\s+at /m;

for (const name of Object.keys(scripts))
  help(`npm run ${name} -- --help succeeds`, async () => {
    const { code, stdout } = await readHelp(name);
    assert.is(code, 0);
    assert.ok(stdout.trim().length > 0);
  });

for (const name of ours)
  help(`npm run ${name} -- --help says how it is called, in a few lines`, async () => {
    const { stdout } = await readHelp(name);
    assert.match(stdout, /npm (run|start|test)/);
    assert.ok(stdout.trim().split('\n').length <= 14, stdout);
  });

/** Returns the file of a script in TypeScript. */
const findFile = (name: string) => /scripts\/[\w/-]+\.ts/.exec(scripts[name]!)![0];

/**
 * Scripts that read their command line with `readCommand` refuse alike, so one of them is run. The host, which `start`
 * would build first, has its own test.
 */
const refusesAlike = (name: string) =>
  name === 'start' ||
  (name !== 'verify' && /\breadCommand\(usage\b/.test(readFileSync(join(root, findFile(name)), 'utf8')));

for (const name of ours.filter((each) => !refusesAlike(each)))
  help(`npm run ${name} refuses an unknown option without a stack trace`, async () => {
    const { code, stdout, stderr } = await runScript(name, '--no-such-option');
    assert.ok(code > 0);
    assert.match(stdout + stderr, /no-such-option/);
    assert.not.match(stdout + stderr, trace);
  });

const { origin } = await useServer();
const away = 'http://127.0.0.1:1';

/** Wrong calls: what is wrong, the command, and a part of what it says. */
const mistakes: [what: string, name: string, args: string[], says: string][] = [
  ['no service', 'verify', [], 'Say which service'],
  ['an address that is none', 'verify', ['here'], 'here is no address of a service'],
  ['a service that does not answer', 'verify', [away], `${away} does not answer`],
  ['no agent', 'briefs', [origin], 'Say how to run the agent'],
  ['a service that does not answer', 'briefs', [away, '--agent', 'true'], `${away} does not answer`],
  [
    'an unknown brief',
    'briefs',
    [origin, '--agent', 'true', '--brief', 'none'],
    '/briefs/none/start answered 404',
  ],
  ['a number of runs that is none', 'briefs', [origin, '--agent', 'true', '--times', 'x'], '--times must be'],
  [
    'a long name',
    'briefs',
    [origin, '--agent', 'true', '--name', 'x'.repeat(61)],
    '--name must have at most 60',
  ],
  ['no keys', 'verify-receipt', ['receipt.txt'], 'Say by which keys'],
  ['a missing file', 'verify-receipt', ['none.txt', '--keys', 'none.json'], 'none.txt cannot be read'],
  ['a missing folder', 'import-onet', ['none'], 'no such file or directory'],
  ['no folder', 'import-onet', [], 'Name the folder'],
  ['no name', 'soak', [], 'Name one of briefs, torture'],
  ['a wrong number', 'soak', ['wait', '--runs', 'many'], '--runs must be a whole number from 1'],
  [
    'a wrong list of sizes',
    'soak',
    ['capacity', '--sizes', '10,many'],
    '--sizes must be whole numbers from 1',
  ],
  ['a wrong share', 'soak', ['capacity', '--busy', '101'], '--busy must be a whole number from 1 to 100'],
  ['an unknown case', 'bench', ['--only', 'none'], 'No case is called none'],
  ['an unknown referee', 'referees', ['none'], 'No referee is called none'],
  ['an unknown test', 'test', ['--no-build', 'no such test'], 'No path below tests/ contains no such test'],
];

for (const [what, name, args, says] of mistakes)
  help(`npm run ${name} explains ${what} without a stack trace`, async () => {
    const { code, stderr } = await run(process.execPath, [findFile(name), ...args]);
    assert.ok(code > 0);
    assert.match(stderr, says);
    assert.not.match(stderr, trace);
  });

help('a script that is missing is named', async () => {
  const { code, stderr } = await run(process.execPath, ['scripts/with-node.mjs', 'scripts/none.ts']);
  assert.is(code, 2);
  assert.match(stderr, 'There is no file scripts/none.ts');
});

help.run();
