import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build as bundle, type Plugin } from 'esbuild';
import type { OperationContext } from '../../kernel/operation.ts';
import { live } from '../../live.ts';
import type { Service } from '../../service.ts';
import { hashBytes } from '../files.ts';
import type { WorkerBuild } from '../worker/files.ts';
import type { FrozenDocuments, FrozenRow, WorkerFacts } from '../worker/service.ts';
import { listBundledModules } from './licences.ts';

/**
 * Modules that a worker replaces by a smaller part. It needs no replies for the contract, which is frozen. It needs
 * nothing of the ladder, which takes a key, or of the runs of briefs.
 */
const inParts = [
  { module: /\/operation\.ts$/, importer: /\/src\//, part: 'operation-without-replies.ts' },
  {
    module: /\/(claim|owner|sign-in|work|run-brief)\.ts$/,
    importer: /\/((ladder|briefs)\/operations|src\/service)\.ts$/,
    part: 'not-live.ts',
  },
];

/** Literal texts of rows and kinds. A worker has the texts that it shows in its facts. */
const literalTexts =
  /\b(summary|description|tool|about|idText|points):\s*(['"`])(?:\\.|(?!\2)[^\\])*\2(?=,?\n| \})/g;
/** A file of rows, kinds, filters or factors. In other files the same names hold texts that a worker answers with. */
const declares =
  /\b(defineOperation|defineDocument|defineUnlisted|defineKind|createFrozenOperation)\(|\b(Filters?|Factor<\w+>) = \{|satisfies (Member|Filters)/;
/** Literal texts of schemas, as actions of a pipe. */
const schemaTexts = /,\s*v\.(?:description|title)\(\s*(['"`])(?:\\.|(?!\1)[^\\])*\1,?\s*\)/g;

const withoutContract: Plugin = {
  name: 'without-contract',
  setup({ onResolve, onLoad }) {
    onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      const shorter = declares.test(source) ? source.replace(literalTexts, "$1: '-'") : source;
      return { contents: shorter.replace(schemaTexts, ''), loader: 'ts' };
    });
    for (const { module, importer, part } of inParts) {
      const path = resolve('src', 'hosts', 'worker', part);
      onResolve({ filter: module }, (from) =>
        importer.test(from.importer.replaceAll('\\', '/')) && from.importer !== path ? { path } : undefined,
      );
    }
  },
};

/** A placeholder in the bundle until the id of the build is known. */
const idPlace = 'id-of-this-build';

/** Freezes the rows that a worker does not run, with their replies. */
async function freezeDocuments(service: Service) {
  const run = new Set(live.map(({ operationId }) => operationId));
  const rows: FrozenRow[] = [];
  const documents: FrozenDocuments = {};
  for (const operation of service.operations) {
    const { operationId, path, listed, cache, page = false, markdown, tool, replies } = operation;
    if (run.has(operationId) || !operation.frozen?.(service).includes(path)) continue;
    const { status, ...outcome } = await operation.run({} as never, { service } as OperationContext<Service>);
    if (status !== 200) throw new Error(`${path} answered ${status}, so it cannot be frozen`);
    const second = markdown && { markdown: await markdown(service, undefined) };
    documents[operationId] = { ...outcome, ...second };
    const row = { operationId, path, listed, cache, page, markdown: markdown !== undefined };
    const type = replies[200]?.type;
    rows.push({ ...row, ...(tool && { tool }), ...(type && { type }) });
  }
  return { rows, documents };
}

/** Bundles the worker for the files of a build, and writes it. Returns the modules that it is made of. */
async function bundleWorker(workerBuild: WorkerBuild, client: string): Promise<string[]> {
  const options = {
    bundle: true,
    write: false,
    charset: 'utf8',
    target: 'es2022',
    logLevel: 'error',
  } as const;
  const whole = await bundle({
    ...options,
    entryPoints: ['src/hosts/worker/main.ts'],
    define: { workerBuild: JSON.stringify(workerBuild) },
    minifySyntax: true,
    metafile: true,
    plugins: [withoutContract],
    format: 'esm',
    legalComments: 'none',
  });
  // The second run drops what only dropped calls used.
  const { outputFiles } = await bundle({
    ...options,
    stdin: { contents: whole.outputFiles[0]!.text },
    minify: true,
    format: 'iife',
  });
  const [{ contents, text }] = outputFiles as [(typeof outputFiles)[number]];
  writeFileSync(join(client, 'worker.js'), text.replace(idPlace, hashBytes(contents).slice(0, 12)));
  return listBundledModules(whole.metafile);
}

/**
 * Writes `worker.js` into `client`, and its files into `worker/`, named by content. Returns the modules in it. It must
 * run after the pages are built, because the worker fetches their scripts and styles.
 */
export async function writeWorker(service: Service, client: string): Promise<string[]> {
  const { searchFile, matchTables } = service.catalogue;
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
  const texts = Object.fromEntries(
    service.operations.map(({ operationId, summary, description }) => [
      operationId,
      { summary, description },
    ]),
  );
  const workerFacts: WorkerFacts = {
    ...service.catalogue,
    // Only frozen documents need these.
    executableTests: '',
    papers: {},
    settings: service.settings,
    documents: rows,
    assets: assets.sort(),
    texts,
    tools: service.describeTools(service.operations),
  };
  const search = await searchFile();
  const workerBuild: WorkerBuild = {
    id: idPlace,
    facts: write('facts', workerFacts),
    documents: write('documents', documents),
    searchFile: writeBytes('search', 'bin', search),
    searchBytes: search.length,
    matchTables: write('match-tables', await matchTables()),
  };
  return bundleWorker(workerBuild, client);
}
