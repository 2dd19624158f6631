/** The files of a release. */
import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Mistake } from '../command.ts';

/** Runs a program, and returns what it prints. Throws a Mistake with its words if it fails. */
function run(program: string, args: string[]): string {
  // npm of Windows is a script, which only a shell starts.
  const shell = process.platform === 'win32';
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    encoding: 'utf8',
    shell,
    maxBuffer: 64 * 1024 * 1024,
  });
  if (error) throw new Mistake(`${program} does not run: ${error.message}`);
  if (status !== 0) throw new Mistake(`${program} ${args.join(' ')} failed:\n${stderr}${stdout}`);
  return stdout;
}

const build = (kind: '--files' | '--static') => run(process.execPath, ['scripts/build.ts', kind]);

/** Lists the packages that the project is built and tested with, as CycloneDX. */
function listPackages(name: string): string {
  const bill = JSON.parse(run('npm', ['sbom', '--sbom-format', 'cyclonedx']));
  // npm names the project after its folder.
  bill.metadata.component.name = name;
  return `${JSON.stringify(bill, null, 2)}\n`;
}

/** Formats SHA256SUMS as `sha256sum --check` reads it. */
function formatSums(folder: string): string {
  const names = readdirSync(folder).sort();
  return names.map((name) => `${hash('sha256', readFileSync(join(folder, name)))}  ${name}\n`).join('');
}

/**
 * Builds what is checked out, and writes the files of the release into `folder`: the package, the files for a static
 * host, the list of packages and the sums. Returns their names. `dist` then has the build of a host.
 */
export function writeReleaseFiles(folder: string, name: string, version: string): string[] {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  build('--static');
  run('tar', ['-czf', join(folder, `${name}-${version}-static.tgz`), '-C', 'dist', 'client', 'deploy']);
  build('--files');
  // A script that npm runs before it packs would build again.
  run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder]);
  writeFileSync(join(folder, 'sbom.cdx.json'), listPackages(name));
  writeFileSync(join(folder, 'SHA256SUMS'), formatSums(folder));
  return readdirSync(folder).sort();
}
