/**
 * Starts the Node host, and passes the options on to it. If there is no build of these sources, it builds first, in a
 * separate process so that the host starts with little memory. If `with-node.mjs` started it, the host stops when that
 * process ends. Otherwise the host would keep its port and its data folder.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { hashSources, readBuildFacts } from './build/sources.ts';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');

/** Options of the host that npm takes for its own settings if they come without `--`. */
const hostOptions = ['check', 'stdio', 'tools'];
/** These read no build. */
const buildless = /^(--check|--version|-v|--help|-h)$/;

/** Returns the option that npm has taken for itself, as it was written. */
function findTakenOption(): string | undefined {
  const name = hostOptions.find((option) => process.env[`npm_config_${option}`] !== undefined);
  if (name === undefined) return undefined;
  const value = process.env[`npm_config_${name}`];
  return value === 'true' ? `--${name}` : `--${name}=${value}`;
}

/** Builds, and ends the process if that fails. A client over stdio reads stdout, so the build prints to stderr. */
async function build(options: readonly string[]): Promise<void> {
  const args = [join(import.meta.dirname, 'build.ts'), ...options];
  const child = spawn(process.execPath, args, { stdio: ['ignore', process.stderr, 'inherit'] });
  const stop = () => {
    child.kill();
    process.exit(1);
  };
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.once(signal, stop);
  const [status] = await once(child, 'exit');
  if (status !== 0) process.exit(1);
  for (const signal of signals) process.off(signal, stop);
}

// SIGINT skips the grace period of SIGTERM, because the next host is probably started at once.
process.once('disconnect', () => process.kill(process.pid, 'SIGINT'));

const taken = findTakenOption();
if (taken) {
  console.error(`npm took ${taken} for a setting of its own. Write: npm start -- ${taken}`);
  process.exit(2);
}

const facts = readBuildFacts(dist);
const needsBuild = !process.argv.slice(2).some((argument) => buildless.test(argument));
let hasBuild = facts?.sources === hashSources(root);
if (!hasBuild && needsBuild) {
  const options = facts?.options ?? ['--quick'];
  const reason = facts ? 'The sources have changed since the last build' : 'There is no build yet';
  console.error(`${reason}: npm run build -- ${options.join(' ')}`);
  await build(options);
  hasBuild = true;
}
await import(hasBuild ? join(dist, 'host', 'main.mjs') : '../src/hosts/node/main.ts');
