import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hashSources } from '../../../scripts/build/sources.ts';
import { makeFolder } from '../../support/server.ts';

const start = suite('npm start');
const root = join(import.meta.dirname, '..', '..', '..');

/** A build in three steps that waits for a signal before the step `WAIT_BEFORE`. */
const build = `
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDraft, placeDraft } from ${JSON.stringify('./build/draft.ts')};
import { hashSources, writeBuildFacts } from ${JSON.stringify('./build/sources.ts')};

const root = join(import.meta.dirname, '..');
const draft = openDraft(root);
const options = process.argv.slice(2);
const text = readFileSync(join(root, 'src', 'text'), 'utf8');
const steps = [
  () => mkdirSync(join(draft, 'host')),
  () => writeFileSync(join(draft, 'host', 'main.mjs'), \`console.log('built from \${text}', ...process.argv.slice(2))\`),
  () => writeBuildFacts(draft, { sources: hashSources(root), options }),
  () => placeDraft(draft, join(root, 'dist')),
];
for (const [index, step] of steps.entries()) {
  if (String(index) === process.env.WAIT_BEFORE) {
    console.log('waiting');
    await new Promise((resolve) => setTimeout(resolve, 60_000));
  }
  step();
}
console.log('building', ...options);
`;

/** Makes a project with our scripts, whose host prints what it was built from. */
function makeProject(): string {
  const project = makeFolder();
  const write = (path: string, text: string) => {
    mkdirSync(join(project, path, '..'), { recursive: true });
    writeFileSync(join(project, path), text);
  };
  for (const path of ['scripts/start.ts', 'scripts/build/draft.ts', 'scripts/build/sources.ts'])
    cpSync(join(root, path), join(project, path));
  write('scripts/build.ts', build);
  write('src/text', 'one');
  write('src/hosts/node/main.ts', "console.log('no build is read');");
  write('content/facts.json', '{}');
  write('package.json', '{"type": "module"}');
  return project;
}

interface Run {
  args?: string[];
  env?: Record<string, string>;
}

function run(project: string, { args = [], env = {} }: Run = {}) {
  const options = { cwd: project, env: { PATH: process.env.PATH, ...env }, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/start.ts', ...args], options);
  return { status, stdout, stderr };
}

start('builds once, and prints nothing of the build to stdout', () => {
  const project = makeProject();
  const first = run(project, { args: ['--stdio'] });
  assert.is(first.stdout, 'built from one --stdio\n');
  assert.match(first.stderr, /building --quick/);
  const second = run(project);
  assert.is(second.stdout, 'built from one\n');
  assert.is(second.stderr, '');
});

const changes: ((project: string) => void)[] = [
  (project) => writeFileSync(join(project, 'src', 'text'), 'two'),
  (project) => writeFileSync(join(project, 'src', 'more'), ''),
  (project) => renameSync(join(project, 'src', 'more'), join(project, 'src', 'less')),
  (project) => rmSync(join(project, 'src', 'hosts', 'node', 'main.ts')),
  (project) => writeFileSync(join(project, 'content', 'facts.json'), '[]'),
  (project) => writeFileSync(join(project, 'scripts', 'backup.ts'), ''),
  (project) => writeFileSync(join(project, 'package-lock.json'), '{}'),
];

start('builds again, with the same options, after a change of the sources', () => {
  const project = makeProject();
  spawnSync(process.execPath, ['scripts/build.ts', '--files'], { cwd: project });
  writeFileSync(join(project, 'src', 'text'), 'two');
  const { stdout, stderr } = run(project);
  assert.match(stderr, /sources have changed.*: npm run build -- --files\nbuilding --files/);
  assert.is(stdout, 'built from two\n');
  assert.is(run(project).stderr, '', 'once');
});

start('notices each change of what a build reads, and no other', () => {
  const project = makeProject();
  const hashes = new Set([hashSources(project)]);
  for (const [index, change] of changes.entries()) {
    change(project);
    hashes.add(hashSources(project));
    assert.is(hashes.size, index + 2, String(change));
  }
  mkdirSync(join(project, '.data'));
  writeFileSync(join(project, 'README.md'), 'more');
  writeFileSync(join(project, '.data', 'workspaces.sqlite'), '');
  assert.ok(hashes.has(hashSources(project)));
});

start('builds over what an interrupted build of another release has left', () => {
  const project = makeProject();
  mkdirSync(join(project, 'dist', 'host'), { recursive: true });
  writeFileSync(join(project, 'dist', 'host', 'main.mjs'), 'throw new Error("incomplete")');
  assert.is(run(project).stdout, 'built from one\n');
});

/** Starts, interrupts the build before a step with a signal to the whole group, and waits until all have ended. */
async function interrupt(project: string, step: number, signal: NodeJS.Signals): Promise<void> {
  const env = { PATH: process.env.PATH, WAIT_BEFORE: String(step) };
  const child = spawn(process.execPath, ['scripts/start.ts'], {
    cwd: project,
    env,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let printed = '';
  for await (const chunk of child.stderr.setEncoding('utf8')) {
    printed += chunk;
    if (!printed.includes('waiting')) continue;
    process.kill(-child.pid!, signal);
    break;
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

start('works after an interrupted first start', async () => {
  const project = makeProject();
  for (const step of [0, 1, 2, 3]) await interrupt(project, step, 'SIGINT');
  assert.not.ok(existsSync(join(project, 'dist')));
  assert.is(run(project).stdout, 'built from one\n');
});

start('removes what interrupted builds have left, and nothing of a build that runs', () => {
  const project = makeProject();
  const { pid } = spawnSync(process.execPath, ['--version']);
  for (const each of [pid, process.pid])
    mkdirSync(join(project, '.build', String(each), 'dist'), { recursive: true });
  run(project);
  assert.equal(readdirSync(join(project, '.build')), [String(process.pid)]);
});

start('works after a build that was killed, and has the last build until then', async () => {
  const project = makeProject();
  run(project);
  writeFileSync(join(project, 'src', 'text'), 'two');
  await interrupt(project, 2, 'SIGKILL');
  await interrupt(project, 3, 'SIGKILL');
  assert.ok(existsSync(join(project, 'dist', 'host', 'main.mjs')));
  assert.is(run(project).stdout, 'built from two\n');
});

start('ends if the build fails, and leaves the last one', () => {
  const project = makeProject();
  run(project);
  writeFileSync(join(project, 'scripts', 'build.ts'), 'console.error("content is wrong"); process.exit(1);');
  const { status, stderr } = run(project);
  assert.is(status, 1);
  assert.match(stderr, /content is wrong/);
  assert.ok(existsSync(join(project, 'dist', 'host', 'main.mjs')));
});

start('builds nothing for --version, and reads no build of other sources', () => {
  const project = makeProject();
  for (const args of [['--check'], ['--version'], ['-h']])
    assert.is(run(project, { args }).stdout, 'no build is read\n');
  run(project);
  const args = ['--version'];
  assert.is(run(project, { args }).stdout, 'built from one --version\n');
  writeFileSync(join(project, 'src', 'text'), 'two');
  assert.is(run(project, { args }).stdout, 'no build is read\n');
});

start('names what to write if npm has taken an option for itself', () => {
  const taken = { npm_config_check: ['true', '--check'], npm_config_tools: ['core', '--tools=core'] };
  for (const [name, [value, option]] of Object.entries(taken)) {
    const { status, stderr } = run(makeProject(), { env: { [name]: value! } });
    assert.is(status, 2);
    assert.match(stderr, new RegExp(`Write: npm start -- ${option}\n`));
  }
});

start.run();
