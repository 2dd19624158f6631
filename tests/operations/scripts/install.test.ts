import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const install = suite('npm ci');
const root = join(import.meta.dirname, '..', '..', '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** A package of a lock file. */
interface LockedPackage {
  hasInstallScript?: boolean;
}

const referees = 'scripts/referees';
const parts = ['clients', 'generators', 'lighthouse', 'static-hosts'];
const folders = ['.', referees, ...parts.map((part) => `${referees}/${part}`)];

for (const folder of folders)
  install(`runs no script of a package in ${folder}, and does not warn of one`, () => {
    const { packages } = JSON.parse(read(join(folder, 'package-lock.json')));
    const { allowScripts = {} } = JSON.parse(read(join(folder, 'package.json')));
    const names = Object.entries<LockedPackage>(packages)
      .filter(([, { hasInstallScript }]) => hasInstallScript)
      .map(([path]) => path.split('node_modules/').at(-1)!);
    assert.equal(allowScripts, Object.fromEntries(names.map((name) => [name, false])));
  });

install.run();
