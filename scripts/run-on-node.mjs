/** Runs programs on the Node that npm installs with this package. It is plain JavaScript, so that any Node can run it. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const leastNode = 26;
/** How often to check, in milliseconds, that npm is still running. A child gets no signal when its parent ends. */
const checkMs = 250;

/**
 * Returns the binary of a package with a Node. Undefined if it is not installed, as on all platforms but its own. This
 * does not look in node_modules/.bin, because some versions of npm leave out that link.
 */
function findBinary(name) {
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
    return [join(folder, 'bin', 'node'), join(folder, 'bin', 'node.exe')].find((path) => existsSync(path));
  } catch {
    return undefined;
  }
}

/** Returns the path of a Node that is new enough. Ends the process with 1 if there is none. */
function findNode() {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  for (const name of Object.keys(manifest.optionalDependencies)) {
    const binary = findBinary(name);
    if (binary) return binary;
  }
  if (Number(process.versions.node.split('.')[0]) >= leastNode) return process.execPath;
  console.error(
    `Node ${process.versions.node} is too old and no other was installed. Install this again (npm ci in a checkout), or use Node ${leastNode}.`,
  );
  process.exit(1);
}

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

/**
 * Runs Node with these arguments, and ends this process with its exit code. Passes SIGTERM and SIGINT on. With
 * `hasChannel`, the child gets an IPC channel, which tells it that this process has ended, even after kill -9.
 */
export function runOnNode(args, { hasChannel }) {
  // All threads of glibc share one memory arena, because several arenas fragment memory.
  const env = { MALLOC_ARENA_MAX: '1', ...process.env };
  const stdio = ['inherit', 'inherit', 'inherit', ...(hasChannel ? ['ipc'] : [])];
  const child = spawn(findNode(), args, { stdio, env });

  /** Whether the child has had a signal. A second one would end it before it has drained. */
  let isStopping = false;
  process.on('SIGTERM', () => {
    child.kill('SIGTERM');
    isStopping = true;
  });
  // A terminal sends Ctrl-C to the child as well.
  process.on('SIGINT', () => {
    if (!process.stdin.isTTY) child.kill('SIGINT');
    isStopping = true;
  });
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));

  // A program that was started by hand may outlive its shell, as with nohup.
  if (process.env.npm_lifecycle_event === undefined) return;
  const timer = setInterval(() => {
    if (!isOrphan()) return;
    clearInterval(timer);
    if (!isStopping) child.kill('SIGINT');
  }, checkMs);
}
