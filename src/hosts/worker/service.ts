import { type Contracts, describeOperations } from '../../kernel/contract.ts';
import {
  type CacheRule,
  defineOperation,
  type OperationReply,
  type OperationRow,
} from '../../kernel/operation.ts';
import type { Settings } from '../../kernel/service.ts';
import { noSigner } from '../../kernel/signer.ts';
import { StepRunner } from '../../kernel/step-runner.ts';
import { live } from '../../live.ts';
import type { Tool } from '../../mcp/tools.ts';
import type { Catalogue, Service } from '../../service.ts';
import { createService } from '../../service.ts';
import type { Store } from '../../workspace/store.ts';
import type { Files, OnProgress, WorkerBuild } from './files.ts';

/** A worker shares its thread with no page, but it answers the calls of all of them. */
const stepRunner = new StepRunner({
  now: () => performance.now(),
  waitForTurn: () => new Promise((resolve) => setTimeout(resolve)),
});

/** The part of the catalogue that the core always needs. */
export type WorkerFacts = Omit<
  Catalogue,
  'occupation' | 'guide' | 'brief' | 'briefBook' | 'summaries' | 'searchFile' | 'matchTables'
> & {
  /** The settings of the documents of the build. */
  settings: Settings;
  documents: FrozenRow[];
  /** Paths of the scripts and styles of all pages. They are fetched before the worker is installed. */
  assets: string[];
  /** The words of every operation, by operationId. The bundle has none. */
  contracts: Contracts;
  tools: readonly Tool[];
};

/** A document as the build froze it. */
export interface FrozenRow extends Pick<OperationRow, 'operationId' | 'path' | 'listed'> {
  rule: CacheRule;
  page: boolean;
  markdown: boolean;
}

/** The 200 of each document by operationId, with its Markdown representation if it has one. */
export type FrozenDocuments = Record<string, Omit<OperationReply, 'status'> & { markdown?: string }>;

/** Creates the row of a frozen document. It returns the reply that the build stored. */
function createFrozenOperation(
  { rule, markdown, ...row }: FrozenRow,
  documents: () => Promise<FrozenDocuments>,
): OperationRow {
  const find = async () => (await documents())[row.operationId]!;
  return defineOperation({
    ...row,
    method: 'GET',
    caching: { rule, frozen: () => [row.path], ignoresQuery: true },
    ...(markdown && { markdown: async () => (await find()).markdown }),
    async run() {
      const { markdown: _, ...outcome } = await find();
      return { status: 200, ...outcome };
    },
  });
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

interface WorkerParts {
  files: Files;
  store: Store;
  /** The origin of the pages. */
  baseUrl: string;
  /** Called while the file of the search arrives. */
  onProgress: OnProgress;
}

/** Loads the whole service in this browser: facts from the files of the build, workspaces in `store`. */
export async function loadService(
  build: WorkerBuild,
  { files, store, baseUrl, onProgress }: WorkerParts,
): Promise<Service> {
  const readJson = async (path: string) => (await files.read(path)).json();
  const content: WorkerFacts = await readJson(build.facts);
  const { documents, settings, contracts, tools, assets: _, ...facts } = content;
  const rows = [
    ...live,
    ...documents.map((row) => createFrozenOperation(row, () => readJson(build.documents))),
  ];
  return createService({
    operations: describeOperations(rows, contracts),
    describeTools: () => tools,
    catalogue: {
      ...facts,
      guide: async (name) => (await readJson(`/guides/${name}.json`)).guide,
      brief: async (id) => (await readJson(`/briefs/${id}.json`)).brief,
      briefBook: () => ({ briefs: [], names: { people: [], clients: [], metros: [] } }),
      occupation: async (code) => (await readJson(`/occupations/${code}.json`)).occupation,
      summaries: () => readJson(build.summaries),
      searchFile: async () =>
        new Uint8Array(await (await files.read(build.searchFile, onProgress)).arrayBuffer()),
      matchTables: () => readJson(build.matchTables),
    },
    settings: {
      ...settings,
      baseUrl,
      contact: undefined,
      allowedOrigins: [],
      declareTestSuite: false,
      live: true,
    },
    store,
    signer: noSigner,
    platform: {
      now: Date.now,
      runSteps: stepRunner.run.bind(stepRunner),
      randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
      sha256,
    },
    watch: { report: (error) => console.warn(error) },
  });
}
