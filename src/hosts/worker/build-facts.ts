import type { CacheRule, Operation, Outcome } from '../../kernel/operation.ts';
import type { Catalogue, Settings } from '../../kernel/service.ts';
import type { Tool } from '../../mcp/tools.ts';

/** What the bundler writes into the worker about the build that it is part of. Every name holds a hash of its content. */
export interface WorkerBuild {
  /** Sets this build apart from every other one. */
  id: string;
  /** Path of the `WorkerFacts`. */
  facts: string;
  /** Path of the `FrozenDocuments`. */
  documents: string;
  /** Path of what `createSearch` takes. */
  searchFile: string;
  /** Its bytes. */
  searchBytes: number;
  /** Path of what `createMatcher` takes. */
  matchTables: string;
  /** What is fetched before the worker is installed. */
  shell: string[];
}

/** The part of the catalogue that the core cannot be without. */
export type WorkerFacts = Omit<
  Catalogue,
  'occupation' | 'guide' | 'searchFile' | 'matchTables' | 'executableTests'
> & {
  /** As the documents of the build tell them. */
  settings: Settings;
  documents: DocumentRow[];
  tools: readonly Tool[];
};

/** A document that the worker does not make, but has as the build froze it. */
export interface DocumentRow {
  operationId: string;
  path: string;
  listed: boolean;
  cache: CacheRule;
  page: boolean;
  markdown: boolean;
  tool?: Operation['tool'];
}

/** What a document answers with 200, and its Markdown representation where it has one. */
type FrozenDocument = Omit<Outcome, 'status'> & { markdown?: string };

/** By operationId. */
export type FrozenDocuments = Record<string, FrozenDocument>;
