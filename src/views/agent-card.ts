import type { Operation } from '../core/operation.ts';
import type { Service } from '../core/service.ts';
import { suitePaths, toSuites } from './suites.ts';
import { toTools } from './tools.ts';

const isHttp = (operation: Operation) => operation.listed && operation.operationId !== 'callMcp';

/** What can be sent at once, and what is known to be answered: read by AXP's probe-manifest rows. */
function toProbes() {
  return {
    keyless: [
      { url: '/placements', method: 'GET' },
      { url: '/candidates', method: 'GET' },
      { url: '/job-orders', method: 'GET' },
    ],
    pricing: [{ url: '/pricing', method: 'GET' }],
    knownEmpty: [
      { url: '/placements?status=no-such-status', method: 'GET' },
      { url: '/candidates?occupation=00-0000.00', method: 'GET' },
    ],
    knownForbidden: [
      { url: '/placements?scope=admin', method: 'GET' },
      { url: '/placements?scope=internal', method: 'GET' },
    ],
    overCeiling: [{ url: '/placements', method: 'GET', param: 'spend' }],
  };
}

/** What a judge with an executable runner needs (AXP, interfaces.testSuite). */
async function toTestSuite(service: Service): Promise<object> {
  const { url, digest, runner } = (await toSuites(service)).find(({ url }) => url === suitePaths.executable)!;
  return { url, digest, environment: 'public', runner };
}

/** The capability card at /.well-known/agents.json. The format is our own; AXP says what is read from it. */
export async function toAgentCard(self: Service): Promise<object> {
  const { operations, catalogue, settings } = self;
  const { service, pricing, offers } = catalogue;
  const { live } = settings;
  const http = operations
    .filter(isHttp)
    .map(({ operationId, method, path, summary }) => [
      operationId,
      { method, url: path, auth: 'none', summary, ...(method === 'POST' && { live }) },
    ]);
  return {
    name: service.name,
    title: service.title,
    description: service.description,
    version: service.version,
    openapi: '/openapi.json',
    llms: '/llms.txt',
    pricing: '/pricing',
    promises: service.promises,
    interfaces: {
      http: Object.fromEntries(http),
      mcp: {
        transport: 'streamable-http',
        url: '/mcp',
        auth: 'none',
        live,
        tools: toTools(operations).map(({ name }) => name),
      },
      ...(settings.declareTestSuite && { testSuite: await toTestSuite(self) }),
    },
    probes: toProbes(),
    monetization: {
      model: pricing.model,
      hardCeiling: pricing.hardCeiling,
      unit: pricing.unit,
      settlement: 'inactive',
      offers: offers.ladder.alternatives,
      probe: { url: '/offer', method: 'GET' },
    },
    attestationLadder: service.attestation,
    g2: service.g2,
    links: {
      home: '/',
      llms: '/llms.txt',
      openapi: '/openapi.json',
      pricing: '/pricing',
      offer: '/offer',
      verify: '/verify',
      icp: '/icp.json',
      family: '/family.json',
      projection: '/projection.json',
      occupations: '/occupations',
      licence: '/onet.json',
      apiCatalog: '/.well-known/api-catalog',
      mcpServerCard: '/mcp/server-card',
      skills: '/.well-known/agent-skills/index.json',
    },
  };
}
