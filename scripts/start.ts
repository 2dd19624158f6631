/**
 * Starts the Node host. If there is no build it builds first, in a process of its own, so that the host starts with little
 * memory. Started by `with-node.mjs`, the host stops when that process is gone; otherwise it would keep its port and its
 * data folder.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

// Without the grace of SIGTERM: who killed it probably starts the next one at once.
process.once('disconnect', () => process.kill(process.pid, 'SIGINT'));

const main = join(import.meta.dirname, '..', 'dist', 'host', 'main.mjs');
if (!existsSync(main)) {
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, 'build.ts'), '--quick'], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(1);
}
await import(main);
