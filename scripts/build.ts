/**
 * Builds `dist/host`, which is all that a host needs. Prints how long each step took. `dist` is complete at every moment:
 * an interrupted build changes nothing.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { build as bundle, type Plugin } from 'esbuild';
import { openDraft, placeDraft } from './build/draft.ts';
import { hashSources, writeBuildFacts } from './build/sources.ts';
import { readCommand } from './command.ts';
import { step } from './step.ts';

const usage = `npm run build -- [--files | --static] [--indexes] [--quick]

Builds dist/host, which is all that a host needs.
--files   also keeps dist/client and dist/deploy, for a static host or a proxy in front of a live service
--static  the same, with documents that say that there is no live service
--indexes  gives each folder of dist/client an index page, for servers that list folders without one
--quick   compresses less, in a tenth of the time`;

const root = join(import.meta.dirname, '..');
process.chdir(root);
const flag = { type: 'boolean' } as const;
const { values } = readCommand(usage, { options: { files: flag, static: flag, indexes: flag, quick: flag } });
if (values.static) process.env.STATIC_ONLY = '1';
const keepsFiles = values.static || values.files;
const dist = join(root, 'dist');
const draft = openDraft(root);
const client = join(draft, 'client');
const host = join(draft, 'host');
/** Written by the plugin in astro.config.mjs. */
const clientModules = join(draft, 'client-modules.json');

/** Defines `require`, which bundled CommonJS calls for Node's own modules and an ES module lacks. */
const requireForCommonJs =
  "import { createRequire as toRequire } from 'node:module'; const require = toRequire(import.meta.url);";

/**
 * Returns the commit of the build: the environment variable COMMIT, else the first 12 digits of the checked-out
 * commit, else `unknown`. Throws if COMMIT is not 1 to 64 characters of `A-Za-z0-9._+-`.
 */
function toCommit(): string {
  const { COMMIT } = process.env;
  if (COMMIT) {
    if (/^[\w.+-]{1,64}$/.test(COMMIT)) return COMMIT;
    throw new Error('COMMIT must be 1 to 64 letters, digits, dots, underscores, plus signs or hyphens');
  }
  // Without .git here, git would report the commit of a repository around this folder.
  if (!existsSync(join(root, '.git'))) return 'unknown';
  const { stdout } = spawnSync('git', ['rev-parse', '--short=12', 'HEAD'], { encoding: 'utf8' });
  return stdout?.trim() || 'unknown';
}

async function runAstro(): Promise<void> {
  const astro = join(root, 'node_modules/astro/bin/astro.mjs');
  const env = {
    ...process.env,
    ASTRO_TELEMETRY_DISABLED: '1',
    NODE_ENV: 'production',
    BUILD_FOLDER: draft,
  };
  const child = spawn(process.execPath, [astro, 'build'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  process.once('exit', () => child.kill());
  const ended = once(child, 'close');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [status] = await ended;
  if (status === 0) return;
  console.error(`${stdout}\n${stderr}`);
  throw new Error('astro build failed');
}

/** Resolves `command:NAME` to an entry that checks the version of Node before it loads the script of that name. */
const commandEntries: Plugin = {
  name: 'command-entries',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^command:/ }, ({ path }) => ({
      path: path.replace(/^\w+:/, ''),
      namespace: 'command',
    }));
    onLoad({ filter: /./, namespace: 'command' }, ({ path }) => ({
      contents: `import { requireNode } from ${JSON.stringify('./src/hosts/node/require-node.ts')};
        await requireNode(() => import(${JSON.stringify(`./scripts/${path}.ts`)}));`,
      resolveDir: root,
    }));
  },
};

/**
 * Bundles programs into `dist/host`. The names of the files that they share begin with `prefix`. Returns the names of
 * the bundled modules.
 */
async function bundleForNode(entryPoints: Record<string, string>, prefix: string): Promise<string[]> {
  const { listBundledModules } = await import('../src/hosts/build/licences.ts');
  const { metafile } = await bundle({
    entryPoints,
    plugins: [commandEntries],
    outdir: host,
    outExtension: { '.js': '.mjs' },
    chunkNames: `${prefix}-[name]-[hash]`,
    // Modules that are imported on demand, such as the Redis client, stay out of the main file.
    splitting: true,
    bundle: true,
    metafile: true,
    banner: { js: requireForCommonJs },
    platform: 'node',
    format: 'esm',
    target: 'node22',
    logLevel: 'error',
  });
  return listBundledModules(metafile);
}

/** Bundles the Node host. Lists the bundled modules. */
async function bundleHost(): Promise<string[]> {
  const modules = await bundleForNode({ main: 'src/hosts/node/main.ts' }, 'part');
  // The commands for the data run beside the host without npm. They share no file with it.
  const commands = { backup: 'command:backup', restore: 'command:restore', transfer: 'command:transfer' };
  return [...modules, ...(await bundleForNode(commands, 'tool'))];
}

/** Builds everything in the folder of the draft. */
async function buildDraft(): Promise<void> {
  const commit = toCommit();
  const sources = hashSources(root);
  const { buildService, writeCatalogue } = await import('../src/hosts/build/build-service.ts');
  const { writePack } = await import('../src/hosts/build/pack.ts');
  const { computeWorkerTables, writeWorker } = await import('../src/hosts/build/write-worker.ts');
  const { writeDeploy, writeFolderPages } = await import('../src/hosts/build/deploy.ts');
  const { writeLicences } = await import('../src/hosts/build/licences.ts');
  await step('content checked', () => buildService());
  // Astro uses one processor, and the others the second one.
  const [, hostModules, tables] = await step('pages, frozen files and Node host', () =>
    Promise.all([runAstro(), bundleHost(), computeWorkerTables(buildService())]),
  );
  const clientModuleNames: string[] = JSON.parse(readFileSync(clientModules, 'utf8'));
  rmSync(clientModules);
  // Only a host with OPERATOR_TOKEN serves this page, and no static host.
  renameSync(join(client, 'operator.html'), join(host, 'operator.html'));
  await step('service worker', async () => {
    clientModuleNames.push(...(await writeWorker(buildService(), tables, client)));
    writeLicences(client, clientModuleNames, '.txt');
  });
  const manifest = await step('compressed and packed', () =>
    writePack(buildService(), { client, host }, values.quick ? 'quick' : 'dense'),
  );
  if (keepsFiles) {
    await step('deployment rules', () =>
      writeDeploy(manifest, buildService(), { client, host, deploy: join(draft, 'deploy') }),
    );
    if (values.indexes) writeFolderPages(client);
  }
  await step('catalogue', () => writeCatalogue(buildService().catalogue, commit, host));
  writeLicences(host, [...clientModuleNames, ...hostModules]);
  // The pack contains the client, and a host does not run Astro's own server.
  for (const folder of [join(draft, 'server'), ...(keepsFiles ? [] : [client])])
    rmSync(folder, { recursive: true, force: true });
  writeBuildFacts(draft, { sources, options: process.argv.slice(2) });
}

try {
  await buildDraft();
  placeDraft(draft, dist);
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
