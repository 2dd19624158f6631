import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const folder = import.meta.dirname;

/** Loads a package of the referees by its name. */
export const requireOfReferees = createRequire(join(folder, 'package.json'));

/** The path of a file of an installed package of the referees. */
export const toRefereeFile = (path: string) => join(folder, 'node_modules', path);

/**
 * Installs the package of the referees, or one in a folder of it, unless its lock file is installed already. Throws if
 * npm fails.
 */
export function installReferees(part = '.'): void {
  const place = join(folder, part);
  const [lock, installed] = ['package-lock.json', join('node_modules', '.package-lock.json')].map((name) =>
    join(place, name),
  ) as [string, string];
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return;
  const args = ['ci', '--no-audit', '--no-fund', '--prefix', place];
  const { status } = spawnSync('npm', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`npm ci failed in scripts/referees/${part}`);
}
