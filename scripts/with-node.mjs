/**
 * Runs a script on the Node that the project brings: `node scripts/with-node.mjs FILE [ARGUMENT …]`. This file is
 * plain JavaScript, so that any Node can run it. It looks for the binary itself, because some versions of npm drop its
 * link from node_modules/.bin when they skip the packages for other platforms.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const modules = fileURLToPath(new URL('../node_modules/', import.meta.url));
const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const brought = Object.keys(manifest.optionalDependencies)
  .flatMap((name) => [join(modules, name, 'bin/node'), join(modules, name, 'bin/node.exe')])
  .find((path) => existsSync(path));

const node = brought ?? process.execPath;
const leastNode = 26;
if (!brought && Number(process.versions.node.split('.')[0]) < leastNode) {
  console.error(
    `Node ${process.versions.node} is too old and no other was installed: run npm ci, or use Node 26.`,
  );
  process.exit(1);
}
const script = process.argv.slice(2).find((argument) => !argument.startsWith('-'));
if (script === undefined || !existsSync(script)) {
  console.error(
    script === undefined
      ? 'Name a script: node scripts/with-node.mjs FILE [ARGUMENT ...]'
      : `There is no file ${script}. Run this in the folder of the project, after npm ci.`,
  );
  process.exit(2);
}
// All threads of glibc share one memory arena, because several arenas fragment memory.
const env = { MALLOC_ARENA_MAX: '1', ...process.env };
// The ipc channel tells the host that this process has ended, even after kill -9.
const isHost = process.argv.some((argument) => argument.endsWith('start.ts'));
const stdio = ['inherit', 'inherit', 'inherit', ...(isHost ? ['ipc'] : [])];
const child = spawn(node, process.argv.slice(2), { stdio, env });

/** Whether the script was already asked to end. A second signal would end it before it has drained. */
let isAsked = false;
process.on('SIGTERM', () => {
  child.kill('SIGTERM');
  isAsked = true;
});
// A terminal sends Ctrl-C to the child as well.
process.on('SIGINT', () => {
  if (!process.stdin.isTTY) child.kill('SIGINT');
  isAsked = true;
});
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));

/** How often to check, in milliseconds, that npm is still running. A child gets no signal when its parent ends. */
const lookMs = 250;
const parent = process.ppid;

/** Whether the parent of this process has ended. Systems other than Windows give an orphan another parent. */
function isOrphan() {
  if (process.ppid !== parent) return true;
  try {
    process.kill(parent, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}

// A script that was started by hand may outlive its shell, as with nohup.
if (process.env.npm_lifecycle_event !== undefined) {
  const timer = setInterval(() => {
    if (!isOrphan()) return;
    clearInterval(timer);
    if (!isAsked) child.kill('SIGINT');
  }, lookMs);
}
