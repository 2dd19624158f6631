import { spawnSync } from 'node:child_process';
import { copyFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { requireOfReferees } from '../../scripts/referees/install.ts';
import { makeFolder, useServer } from '../support/server.ts';

const typed = suite('a typed client made from the contract');
const root = join(import.meta.dirname, '..', '..');
const folder = makeFolder();
const running = useServer();

typed.before(async () => {
  const { origin } = await running;
  const { default: generate, astToString } = requireOfReferees('openapi-typescript');
  const contract = await (await fetch(`${origin}/openapi.json`)).json();
  writeFileSync(join(folder, 'contract.ts'), astToString(await generate(contract)));
  copyFileSync(join(root, 'tests', 'typed-client', 'client.ts'), join(folder, 'client.ts'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
});

typed('compiles under strict, together with a client that narrows every envelope', () => {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const options = '--noEmit --strict --noUncheckedIndexedAccess --skipLibCheck --allowImportingTsExtensions';
  const { status, stdout } = spawnSync(
    process.execPath,
    [
      compiler,
      ...options.split(' '),
      '--module',
      'preserve',
      '--target',
      'es2024',
      'client.ts',
      'contract.ts',
    ],
    { cwd: folder, encoding: 'utf8' },
  );
  assert.is(status, 0, stdout);
});

typed('runs against the service', async () => {
  const { tellStory } = await import(join(folder, 'client.ts'));
  const { found, nothing, created, read, refused, offered } = await tellStory((await running).origin);
  assert.is(found.length, 3);
  assert.ok(found.every(({ status }: { status: string }) => status === 'available'));
  assert.match(nothing, /\S/);
  assert.is(created.name, 'Ada Example');
  assert.equal(read, created);
  assert.equal(refused, ['limit']);
  assert.match(offered, /\S/);
});

typed.run();
