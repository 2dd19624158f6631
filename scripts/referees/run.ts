/** Runs a program of a package of the referees: `run.ts PATH [ARGUMENT …]`, such as `@biomejs/biome/bin/biome check .`. */
import { spawnSync } from 'node:child_process';
import { installReferees, toRefereeFile } from './install.ts';

const [program = '', ...args] = process.argv.slice(2);
installReferees();
process.exitCode =
  spawnSync(process.execPath, [toRefereeFile(program), ...args], { stdio: 'inherit' }).status ?? 1;
