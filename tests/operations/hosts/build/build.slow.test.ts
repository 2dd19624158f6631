import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildService } from '../../../../src/hosts/build/build-service.ts';
import { readContent } from '../../../../src/hosts/build/read-content.ts';
import { createAnswer } from '../../../../src/kernel/answer.ts';
import { replay } from '../../../../src/kernel/freeze.ts';
import { makeFolder } from '../../../support/server.ts';

// biome-ignore lint/suspicious/noExplicitAny: content is broken here on purpose
type Json = any;

const root = join(import.meta.dirname, '..', '..', '..', '..');
process.chdir(root);

const build = suite('the build');

/** Makes a folder with the content, one file of it changed. */
function copyContent(name: string, change: (content: Json) => unknown): string {
  const folder = makeFolder();
  cpSync(join(root, 'content'), join(folder, 'content'), { recursive: true });
  const path = join(folder, 'content', name);
  const content = JSON.parse(readFileSync(path, 'utf8'));
  const text = change(content);
  writeFileSync(path, typeof text === 'string' ? text : JSON.stringify(content));
  return folder;
}

/** Copies the source and the packages of the project beside the content in `folder`. */
function addSource(folder: string): void {
  for (const part of ['scripts', 'src', 'package.json', 'tsconfig.json', 'astro.config.mjs'])
    cpSync(join(root, part), join(folder, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
}

/** Runs a build in `folder` that must fail. Returns what it printed. */
function buildInVain(cwd: string, more: Record<string, string> = {}): string {
  const options = { cwd, env: { ...process.env, ...more }, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/build.ts'], options);
  assert.is(status, 1);
  assert.not.ok(existsSync(join(cwd, 'dist')), 'nothing is written');
  return stdout + stderr;
}

const breaches: [what: string, file: string, change: (content: Json) => unknown, message: RegExp][] = [
  [
    'a metered price without a hard ceiling',
    'pricing.json',
    (pricing) => delete pricing.hardCeiling,
    /content\/pricing\.json[\s\S]*^ {2}hardCeiling: A metered model must have a hardCeiling/m,
  ],
  [
    'a model that has no ceiling to offer',
    'pricing.json',
    (pricing) => Object.assign(pricing, { model: 'free', rates: [] }),
    /content\/pricing\.json must have the model "metered"/,
  ],
  [
    'a rate for an operation that is not here',
    'pricing.json',
    ({ rates }) => rates.push({ operation: 'hireEveryone', price: 0 }),
    /content\/pricing\.json[\s\S]*^ {2}rates\.\d+\.operation: .*"hireEveryone"/m,
  ],
  [
    'a seed candidate without a name',
    'seed/candidates.json',
    (candidates) => delete candidates[0].name,
    /content\/seed\/candidates\.json[\s\S]*^ {2}0\.name: \S/m,
  ],
  [
    'a member that the service facts do not have',
    'service.json',
    (service) => Object.assign(service, { slogan: 'Hire!' }),
    /content\/service\.json[\s\S]*^ {2}slogan: \S/m,
  ],
  ['content that is not JSON', 'pricing.json', () => '{ "model": ', /content\/pricing\.json is not JSON/],
];

for (const [what, file, change, message] of breaches) {
  build(`stops at ${what}, and names the path and the rule`, () => {
    const folder = join(copyContent(file, change), 'content');
    assert.throws(() => readContent(folder), message);
  });
}

build('exits with 1 and writes nothing if content breaks a rule or COMMIT is invalid', () => {
  const [, file, change, message] = breaches[0]!;
  const folder = copyContent(file, change);
  addSource(folder);
  const printed = buildInVain(folder);
  assert.match(printed, message);
  assert.not.match(printed, /^\s+at /m, 'a message, not a stack');
  assert.match(buildInVain(folder, { COMMIT: 'a"b' }), /^COMMIT must be /m);
});

build('stops if an address to freeze does not answer 200', async () => {
  const answer = createAnswer(buildService());
  for (const [path, status] of [
    ['/nowhere', 404],
    ['/offer', 402],
    ['/candidates/cand_none', 404],
    ['/mcp', 405],
    ['/%ff', 400],
  ] as const) {
    try {
      await replay(answer, path);
    } catch (error) {
      assert.match((error as Error).message, new RegExp(`^${path} answered ${status}, so`));
      continue;
    }
    assert.unreachable(`${path} was frozen`);
  }
});

build.run();
