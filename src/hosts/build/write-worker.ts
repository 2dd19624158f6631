import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { build as bundle, type Plugin } from 'esbuild';
import type { Words } from '../../kernel/contract.ts';
import { finishWork, type Operation, type OperationContext } from '../../kernel/operation.ts';
import { live } from '../../live.ts';
import type { Service } from '../../service.ts';
import { hashBytes } from '../files.ts';
import type { WorkerBuild } from '../worker/files.ts';
import type { FrozenDocuments, FrozenRow, WorkerFacts } from '../worker/service.ts';
import { listBundledModules } from './licences.ts';

/**
 * Modules in place of which a worker has `not-live.ts`. It needs nothing of the ladder, which takes a key, or of the runs
 * of briefs.
 */
const notLive = [
  'src/ladder/claim.ts',
  'src/ladder/owner.ts',
  'src/ladder/sign-in.ts',
  'src/ladder/work.ts',
  'src/briefs/run-brief.ts',
  'src/briefs/react-to-change.ts',
];

/** All that a worker has of the ladder: its operations, which refuse. */
const ladderOfWorker = ['src/ladder/ladder.ts', 'src/ladder/operations.ts', 'src/ladder/refusals.ts'];

const toModuleName = (path: string) => relative('.', path).replaceAll('\\', '/');

/** Replaces the modules of `notLive`, and adds their names to `replaced`. */
const createReplacement = (replaced: Set<string>): Plugin => ({
  name: 'not-live',
  setup({ onResolve }) {
    const path = resolve('src', 'hosts', 'worker', 'not-live.ts');
    onResolve({ filter: /^\.\.?\// }, (args) => {
      const name = toModuleName(resolve(args.resolveDir, args.path));
      if (!notLive.includes(name)) return undefined;
      replaced.add(name);
      return { path };
    });
  },
});

/** Throws if a module of `notLive` was not replaced, because it has moved, or if another part of the ladder is bundled. */
function refuseLadder(replaced: ReadonlySet<string>, bundled: readonly string[]): void {
  const missing = notLive.filter((name) => !replaced.has(name));
  if (missing.length > 0)
    throw new Error(`a worker no longer imports ${missing.join(', ')}: correct notLive`);
  const shipped = bundled.filter((name) => name.startsWith('src/ladder/') && !ladderOfWorker.includes(name));
  if (shipped.length > 0) throw new Error(`the worker contains ${shipped.join(', ')}: name it in notLive`);
}

/** A placeholder in the bundle until the id of the build is known. */
const idPlace = 'id-of-this-build';

/** Freezes the rows that a worker does not run, with their replies. */
async function freezeDocuments(service: Service) {
  const run = new Set(live.map(({ operationId }) => operationId));
  const rows: FrozenRow[] = [];
  const documents: FrozenDocuments = {};
  for (const operation of service.operations) {
    const { operationId, path, listed, caching, page = false, markdown } = operation;
    if (run.has(operationId) || !caching.frozen?.(service).includes(path)) continue;
    const context = { service, operation, call: {} } as OperationContext<Service>;
    const { status, ...outcome } = await finishWork(context, operation.run({}, context));
    if (status !== 200) throw new Error(`${path} answered ${status}, so it cannot be frozen`);
    const second = markdown && { markdown: await markdown(service, undefined) };
    documents[operationId] = { ...outcome, ...second };
    rows.push({ operationId, path, listed, rule: caching.rule, page, markdown: markdown !== undefined });
  }
  return { rows, documents };
}

/** Picks the words of an operation without schemas. A worker has frozen documents, which show the schemas. */
function pickWords({ contract, tool }: Operation): Words {
  const { tag, summary, description, replies } = contract;
  const type = replies[200]?.type;
  return {
    tag,
    summary,
    description,
    replies: type ? { 200: { description: '', type } } : {},
    ...(tool && { tool: { description: tool.description, isCore: tool.isCore === true } }),
  };
}

/** Bundles the worker for the files of a build, and writes it. Returns the modules that it is made of. */
async function bundleWorker(workerBuild: WorkerBuild, client: string): Promise<string[]> {
  const replaced = new Set<string>();
  const { outputFiles, metafile } = await bundle({
    bundle: true,
    write: false,
    charset: 'utf8',
    target: 'es2022',
    logLevel: 'error',
    entryPoints: ['src/hosts/worker/main.ts'],
    define: { workerBuild: JSON.stringify(workerBuild) },
    minify: true,
    metafile: true,
    plugins: [createReplacement(replaced)],
    format: 'iife',
    legalComments: 'none',
  });
  refuseLadder(replaced, Object.keys(metafile.inputs));
  const { contents, text } = outputFiles[0]!;
  writeFileSync(join(client, 'worker.js'), text.replace(idPlace, hashBytes(contents).slice(0, 12)));
  return listBundledModules(metafile);
}

/** The data of searches and matches that a worker reads. */
interface WorkerTables {
  search: Uint8Array;
  summaries: unknown;
  matchTables: unknown;
}

/** Computes the data that a worker reads. It takes seconds, and needs no page. */
export async function computeWorkerTables({ catalogue }: Service): Promise<WorkerTables> {
  return {
    search: await catalogue.searchFile(),
    summaries: await catalogue.summaries(),
    matchTables: await catalogue.matchTables(),
  };
}

/**
 * Writes `worker.js` into `client`, and its files into `worker/`, named by content. Returns the modules in it. It must
 * run after the pages are built, because the worker fetches their scripts and styles.
 */
export async function writeWorker(service: Service, tables: WorkerTables, client: string): Promise<string[]> {
  mkdirSync(join(client, 'worker'), { recursive: true });
  const writeBytes = (name: string, suffix: string, bytes: Uint8Array) => {
    const path = `/worker/${name}.${hashBytes(bytes).slice(0, 12)}.${suffix}`;
    writeFileSync(join(client, path), bytes);
    return path;
  };
  const write = (name: string, content: unknown) =>
    writeBytes(name, 'json', Buffer.from(JSON.stringify(content)));
  const { rows, documents } = await freezeDocuments(service);
  const assets = readdirSync(join(client, '_astro')).map((name) => `/_astro/${name}`);
  const workerFacts: WorkerFacts = {
    ...service.catalogue,
    // Only frozen documents need these.
    executableTests: '',
    papers: {},
    settings: service.settings,
    documents: rows,
    assets: assets.sort(),
    contracts: Object.fromEntries(service.operations.map((row) => [row.operationId, pickWords(row)])),
    tools: service.describeTools(service.operations),
  };
  const workerBuild: WorkerBuild = {
    id: idPlace,
    facts: write('facts', workerFacts),
    documents: write('documents', documents),
    summaries: write('summaries', tables.summaries),
    searchFile: writeBytes('search', 'bin', tables.search),
    searchBytes: tables.search.length,
    matchTables: write('match-tables', tables.matchTables),
  };
  return bundleWorker(workerBuild, client);
}
