import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildService, legalOperations } from '../../../src/hosts/build/build-service.ts';
import { createAnswer } from '../../../src/kernel/answer.ts';
import { replay } from '../../../src/kernel/freeze.ts';
import { makeFolder } from '../../support/server.ts';

// biome-ignore lint/suspicious/noExplicitAny: content is broken here on purpose
type Json = any;

const root = join(import.meta.dirname, '..', '..', '..');
process.chdir(root);

const build = suite('the build');

/** A copy of the project with one content file changed; the packages are those of the project. */
function copyWith(name: string, change: (content: Json) => void): string {
  const copy = makeFolder();
  for (const part of ['content', 'scripts', 'src'])
    cpSync(join(root, part), join(copy, part), { recursive: true });
  for (const file of ['package.json', 'tsconfig.json', 'astro.config.mjs'])
    cpSync(join(root, file), join(copy, file));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
  const path = join(copy, 'content', name);
  const content = JSON.parse(readFileSync(path, 'utf8'));
  change(content);
  writeFileSync(path, JSON.stringify(content));
  return copy;
}

function run(cwd: string, args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
  return { status, printed: stdout + stderr };
}

/** Reads the content of `copy` in a process of its own. */
function read(copy: string) {
  const module = pathToFileURL(join(root, 'src', 'hosts', 'build', 'read-content.ts')).href;
  const legal = JSON.stringify(legalOperations);
  const program = `import { readContent } from '${module}'; readContent('content', ${legal});`;
  return run(copy, ['--input-type=module', '--eval', program]);
}

const breaches: [what: string, file: string, change: (content: Json) => void, message: RegExp][] = [
  [
    'a metered price without a hard ceiling',
    'pricing.json',
    (pricing) => {
      delete pricing.hardCeiling;
    },
    /content\/pricing\.json[\s\S]*^ {2}hardCeiling: A metered model must have a hardCeiling/m,
  ],
  [
    'a model that has no ceiling to offer',
    'pricing.json',
    (pricing) => {
      Object.assign(pricing, { model: 'free', rates: [] });
    },
    /content\/pricing\.json must have the model "metered"/,
  ],
  [
    'a rate for an operation that is not here',
    'pricing.json',
    ({ rates }) => {
      rates.push({ operation: 'hireEveryone', price: 0 });
    },
    /content\/pricing\.json[\s\S]*^ {2}rates\.\d+\.operation: .*"hireEveryone"/m,
  ],
  [
    'a seed candidate without a name',
    'seed/candidates.json',
    (candidates) => {
      delete candidates[0].name;
    },
    /content\/seed\/candidates\.json[\s\S]*^ {2}0\.name: \S/m,
  ],
  [
    'a member that the service facts do not have',
    'service.json',
    (service) => {
      service.slogan = 'Hire!';
    },
    /content\/service\.json[\s\S]*^ {2}slogan: \S/m,
  ],
];

build('reads the content as it is', () => {
  const { status, printed } = read(copyWith('pricing.json', () => {}));
  assert.is(status, 0, printed);
});

for (const [what, file, change, message] of breaches) {
  build(`is stopped by ${what}, with the path and the rule`, () => {
    const { status, printed } = read(copyWith(file, change));
    assert.is(status, 1);
    assert.match(printed, message);
  });
}

build('is stopped by content that is not JSON, with the file', () => {
  const copy = copyWith('pricing.json', () => {});
  writeFileSync(join(copy, 'content', 'pricing.json'), '{ "model": ');
  const { status, printed } = read(copy);
  assert.is(status, 1);
  assert.match(printed, /content\/pricing\.json/);
});

for (const [what, file, change, message] of [breaches[0]!, breaches[2]!]) {
  build(`ends with 1 and writes nothing: ${what}`, () => {
    const copy = copyWith(file, change);
    const { status, printed } = run(copy, ['scripts/build.ts']);
    assert.is(status, 1);
    assert.match(printed, message);
    assert.not.match(printed, /^\s+at /m, 'a message, not a stack');
    assert.not.ok(existsSync(join(copy, 'dist')));
  });
}

build('ends with 1 and writes nothing: a COMMIT that is none', () => {
  const copy = copyWith('pricing.json', () => {});
  const env = { ...process.env, COMMIT: 'a"b' };
  const { status, stderr } = spawnSync(process.execPath, ['scripts/build.ts'], {
    cwd: copy,
    env,
    encoding: 'utf8',
  });
  assert.is(status, 1);
  assert.match(stderr, /^COMMIT must be /);
  assert.not.ok(existsSync(join(copy, 'dist')));
});

build('freezes no address that does not answer 200', async () => {
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
