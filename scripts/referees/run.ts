/**
 * Runs a program of a package of the referees: `run.ts PATH [ARGUMENT …]`, such as `@biomejs/biome/bin/biome check .`.
 * `--help` describes the npm script that ran it, because the help of such a program is long.
 */
import { spawnSync } from 'node:child_process';
import { installReferees, toRefereeFile } from './install.ts';

const usages: Record<string, string> = {
  check: `npm run check

Checks the types (tsc --noEmit). Exits with 1 or 2 if there are errors. More options go to tsc.`,
  lint: `npm run lint

Checks the style (biome check). Exits with 1 if something is wrong; npm run format repairs most of it.`,
  format: `npm run format

Repairs the style of all files (biome check --write), and says what it could not repair.`,
};

const [program = '', ...args] = process.argv.slice(2);
const usage = usages[process.env.npm_lifecycle_event ?? ''];
if (usage !== undefined && args.some((argument) => argument === '--help' || argument === '-h')) {
  console.log(usage);
  process.exit(0);
}
installReferees();
process.exitCode =
  spawnSync(process.execPath, [toRefereeFile(program), ...args], { stdio: 'inherit' }).status ?? 1;
