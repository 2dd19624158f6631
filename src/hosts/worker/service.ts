import { toDocument } from '../../kernel/document.ts';
import type { Operation } from '../../kernel/operation.ts';
import type { Service } from '../../kernel/service.ts';
import { notHere } from '../../kernel/signer.ts';
import { live } from '../../live.ts';
import type { Store } from '../../records/store.ts';
import { createService } from '../../service.ts';
import type { DocumentRow, FrozenDocuments, WorkerBuild, WorkerFacts } from './build-facts.ts';
import type { Files, Tell } from './files.ts';

/** The row of a frozen document: it answers what the build wrote down. */
function toFrozenRow(
  { markdown, ...row }: DocumentRow,
  documents: () => Promise<FrozenDocuments>,
): Operation {
  const find = async () => (await documents())[row.operationId]!;
  const document = toDocument({ summary: '', description: '', ...row, make: () => undefined });
  return {
    ...document,
    ...(markdown && { markdown: async () => (await find()).markdown }),
    async run() {
      const { markdown: _, ...outcome } = await find();
      return { status: 200, ...outcome };
    },
  };
}

/** The table of a worker: what it runs, and the documents that the build froze. */
function toWorkerTable(
  rows: readonly DocumentRow[],
  documents: () => Promise<FrozenDocuments>,
): readonly Operation[] {
  return [...live, ...rows.map((row) => toFrozenRow(row, documents))];
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The whole service in this browser: facts from the files of the build, workspaces in `store`. */
export async function loadService(
  build: WorkerBuild,
  files: Files,
  store: Store,
  baseUrl: string,
  tell: Tell,
): Promise<Service> {
  const readJson = async (path: string) => (await files.read(path)).json();
  const { documents, settings, tools, ...facts } = (await readJson(build.facts)) as WorkerFacts;
  return createService({
    operations: toWorkerTable(documents, () => readJson(build.documents)),
    toTools: () => tools,
    catalogue: {
      ...facts,
      // Only documents that come frozen are made of it.
      executableTests: '',
      guide: async (name) => (await readJson(`/guides/${name}.json`)).guide,
      occupation: async (code) => (await readJson(`/occupations/${code}.json`)).occupation,
      searchFile: () => files.readSlowly(build.searchFile, tell),
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
    signer: notHere,
    platform: {
      now: Date.now,
      pause: () => new Promise((resolve) => setTimeout(resolve)),
      randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
      sha256,
    },
    watch: { report: (error) => console.warn(error) },
  });
}
