/**
 * Runs a script on the Node that the project brings: `node scripts/with-node.mjs FILE [ARGUMENT …]`. Plain
 * JavaScript that any Node runs. It looks for the binary itself, because some versions of npm drop its link
 * from node_modules/.bin when they skip the packages for other platforms.
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
if (!brought && Number(process.versions.node.split('.')[0]) < 24) {
  console.error(
    `Node ${process.versions.node} is too old and no other was installed: run npm ci, or use Node 26.`,
  );
  process.exit(1);
}
// One arena of memory for all threads of glibc: several are left in pieces that nobody uses.
const env = { MALLOC_ARENA_MAX: '1', ...process.env };
const child = spawn(node, process.argv.slice(2), { stdio: 'inherit', env });
process.on('SIGTERM', () => child.kill('SIGTERM'));
// A terminal sends Ctrl-C to the child as well; a second one would end it without its drain.
process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
