import type { Service } from '../core/service.ts';

/** The first calls: a code, people and work under it, a first record, and the door of MCP. */
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
  mcp: { method: 'POST', url: '/mcp', body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
};

/** Where the documents are that the home document and the card both link to. */
export const documents = {
  pricing: '/pricing',
  offer: '/offer',
  openapi: '/openapi.json',
  llms: '/llms.txt',
  verify: '/verify',
  icp: '/icp.json',
  family: '/family.json',
  projection: '/projection.json',
  licence: '/onet.json',
};

/** What an agent reads first: what this is, what to call, and how a first record is made. */
export function toHome({ catalogue, settings }: Service): object {
  const { service, pricing, seed } = catalogue;
  return {
    type: 'OK',
    name: service.title,
    version: service.version,
    description: service.description,
    live: settings.live,
    start,
    promises: service.promises,
    ceiling: { hardCeiling: pricing.hardCeiling, unit: pricing.unit, settlement: 'inactive' },
    seed: {
      asOf: seed.asOf,
      candidates: seed.candidates.length,
      jobOrders: seed.jobOrders.length,
      placements: seed.placements.length,
      occupations: catalogue.occupations.length,
    },
    links: {
      self: '/',
      occupations: '/occupations',
      candidates: '/candidates',
      jobOrders: '/job-orders',
      placements: '/placements',
      card: '/.well-known/agents.json',
      ...documents,
    },
  };
}
