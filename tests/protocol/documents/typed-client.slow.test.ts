import { spawnSync } from 'node:child_process';
import { copyFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { requireOfReferees, toRefereeFile } from '../../../scripts/referees/install.ts';
import { words } from '../../support/rows.ts';
import { makeFolder, useServer } from '../../support/server.ts';

const typed = suite('a typed client generated from the contract');
const root = join(import.meta.dirname, '..', '..', '..');
const folder = makeFolder();
const running = useServer();

typed.before(async () => {
  const { origin } = await running;
  const { default: generate, astToString } = requireOfReferees('openapi-typescript');
  const contract = await (await fetch(`${origin}/openapi.json`)).json();
  writeFileSync(join(folder, 'contract.ts'), astToString(await generate(contract)));
  copyFileSync(join(root, 'tests', 'protocol', 'typed-client', 'client.ts'), join(folder, 'client.ts'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
});

typed('compiles under strict, with code that narrows every envelope', () => {
  const compiler = toRefereeFile('typescript-7/bin/tsc');
  const options = words(`--noEmit --strict --noUncheckedIndexedAccess --skipLibCheck
    --allowImportingTsExtensions --module preserve --target es2024 client.ts contract.ts`);
  const ran = spawnSync(process.execPath, [compiler, ...options], { cwd: folder, encoding: 'utf8' });
  assert.is(ran.status, 0, ran.stdout);
});

typed('calls the service', async () => {
  const { tellStory } = await import(join(folder, 'client.ts'));
  const { nothing, created, read, refused, offered } = await tellStory((await running).origin);
  assert.is(created.name, 'Ada Example');
  assert.equal(refused, ['limit']);
  assert.equal(read, created);
  for (const text of [nothing, offered]) assert.match(text, /\S/);
});

typed.run();
