import { fill } from '../kernel/document.ts';
import { previewWithFiles } from '../kernel/service.ts';
import { formatDuration } from '../kernel/text.ts';
import { kinds } from '../kinds.ts';
import { describeLoss } from '../records/account/workspace-state.ts';
import type { DocumentService } from './service.ts';

/**
 * The first calls: find a code, read candidates and job orders under it, create a record, run a graded brief, and use MCP.
 */
export const start = {
  find: 'GET /occupations?q=android%20developer&limit=5',
  read: 'GET /candidates?status=available&occupation=15-1252.00',
  work: 'GET /job-orders?status=open&occupation=15-1252.00',
  create: {
    method: 'POST',
    url: '/candidates',
    headers: { 'Content-Type': 'application/json' },
    body: { name: 'Ada Example', onetCode: '15-1252.00' },
    afterwards: 'The 201 holds workspace: send it as X-Workspace to read and add there.',
  },
  briefs: {
    list: 'GET /briefs',
    start: 'POST /briefs/{id}/start',
    grade: 'GET /grade with the grader of the 201 as X-Grader, at the end',
  },
  mcp: { method: 'POST', url: '/mcp', body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
};

/** Addresses of the documents that both the home document and the card link to. */
export const documentLinks = {
  pricing: '/pricing',
  offer: '/offer',
  api: '/api.md',
  openapi: '/openapi.json',
  llms: '/llms.txt',
  verify: '/verify',
  icp: '/icp.json',
  family: '/family.json',
  projection: '/projection.json',
  licence: '/onet.json',
};

/** The address of the JSON-LD context of the home document. */
export const contextPath = '/context.json';

/** Creates the document that an agent reads first: what this is, what to call, and how to create a first record. */
export function createHome({ catalogue, settings }: DocumentService): object {
  const { service, seed } = catalogue;
  const { hardCeiling, unit } = catalogue.pricing;
  return {
    type: 'OK',
    '@context': contextPath,
    name: service.title,
    version: service.version,
    description: service.description,
    live: settings.live,
    start,
    promises: service.promises,
    ceiling: { hardCeiling, unit, settlement: 'inactive', meter: '/workspace' },
    seed: {
      asOf: seed.asOf,
      ...Object.fromEntries(kinds.map(({ name, collection }) => [collection, seed.facts[name]!.length])),
      occupations: catalogue.occupations.length,
    },
    links: {
      self: '/',
      occupations: '/occupations',
      ...Object.fromEntries(kinds.map(({ collection, path }) => [collection, path])),
      briefs: '/briefs',
      card: '/.well-known/agents.json',
      ...documentLinks,
    },
  };
}

/** Writes the home page for a model: what this is, and what to call next. */
export function writeHomeMarkdown(self: DocumentService): string {
  const { catalogue, settings, operations } = self;
  const { service, pricing, seed } = catalogue;
  const { headers, body } = start.create;
  const { audience, isNot } = service.icp;
  return fill(self, 'home', {
    ...{ ...service, ...pricing, ...start, ...start.create },
    audience: `${audience.map(({ name, job }) => `${name}? ${job}`).join(' ')}\n\n${isNot.join(' ')}`,
    works: settings.live ? 'Everything below works on first contact.' : previewWithFiles,
    type: headers['Content-Type'],
    record: JSON.stringify(body),
    life: formatDuration(settings.retentionSeconds),
    loss: describeLoss(settings.durability),
    tools: operations.filter(({ tool }) => tool).length,
    occupations: catalogue.occupations.length,
    records: new Intl.ListFormat('en-GB').format(
      kinds.map(({ name, plural }) => `${seed.facts[name]!.length} ${plural}`),
    ),
    asOf: seed.asOf,
  });
}
