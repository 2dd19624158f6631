/**
 * Starts the Node host, and passes the options on to it. If there is no build, it builds first, in a separate process so
 * that the host starts with little memory. If `with-node.mjs` started it, the host stops when that process ends.
 * Otherwise the host would keep its port and its data folder.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

// SIGINT skips the grace period of SIGTERM, because the next host is probably started at once.
process.once('disconnect', () => process.kill(process.pid, 'SIGINT'));

const main = join(import.meta.dirname, '..', 'dist', 'host', 'main.mjs');
/** Whether there are options, such as --help. None of them needs a build. */
const hasOptions = process.argv.slice(2).some((argument) => argument !== '--');
if (!existsSync(main) && !hasOptions) {
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, 'build.ts'), '--quick'], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(1);
}
await import(existsSync(main) ? main : '../src/hosts/node/main.ts');
