import type { Operation } from '../kernel/operation.ts';
import { kindsByWeight } from '../kinds.ts';
import { presentOffer } from '../pricing/offer.ts';
import { presentCeilings } from '../records/account/workspace-view.ts';
import { documentLinks } from './home.ts';
import type { DocumentService } from './service.ts';
import { knownPaths, listSuites, suitePaths } from './suites.ts';

const isHttp = (operation: Operation) => operation.listed && operation.operationId !== 'callMcp';

const createProbe = (url: string) => ({ url, method: 'GET' });

/** Requests that a judge can send at once, by the reply that they get. AXP's probe-manifest rows read them. */
const probes = {
  keyless: kindsByWeight.map(({ path }) => createProbe(path)),
  pricing: [createProbe('/pricing')],
  knownEmpty: knownPaths.empty.map(createProbe),
  knownForbidden: knownPaths.forbidden.map(createProbe),
  overCeiling: [{ ...createProbe('/placements'), param: 'spend' }],
};

/** Describes the executable suite for a judge that can run it (AXP, interfaces.testSuite). */
async function describeTestSuite(service: DocumentService): Promise<object> {
  const { url, digest, runner } = (await listSuites(service)).find(
    ({ url }) => url === suitePaths.executable,
  )!;
  return { url, digest, environment: 'public', runner };
}

/** Whether only a live service can reply, because no static file holds the reply. */
const isLiveOnly = ({ effect, access, caching }: Operation) =>
  effect !== 'read' || access.workspace === 'required' || !caching.frozen;

/** Says where to read the meter, and whether the ceiling is enforced. */
const describeMeter = ({ meter }: DocumentService['settings']) => ({
  url: '/workspace',
  method: 'GET',
  member: 'usage',
  mode: meter,
  statement:
    meter === 'on'
      ? 'A metered call above the hard ceiling is answered 402; calls at price 0 go on.'
      : 'Calls are counted and none is refused: the hard ceiling is not held here, for load tests.',
});

/** Creates the capability card at /.well-known/agents.json. The format is our own; AXP defines what judges read. */
export async function createAgentCard(service: DocumentService): Promise<object> {
  const { operations, catalogue, settings } = service;
  const { name, title, description, version, promises, attestation } = catalogue.service;
  const { model, hardCeiling, unit } = catalogue.pricing;
  const { live } = settings;
  const http = operations.filter(isHttp).map((row) => [
    row.operationId,
    {
      method: row.method,
      url: row.path,
      auth: 'none',
      summary: row.contract.summary,
      ...(isLiveOnly(row) && { live: live && (row.access.isLive?.(service) ?? true) }),
    },
  ]);
  return {
    ...{ name, title, description, version },
    openapi: '/openapi.json',
    llms: '/llms.txt',
    pricing: '/pricing',
    promises,
    interfaces: {
      http: Object.fromEntries(http),
      mcp: {
        transport: 'streamable-http',
        url: '/mcp',
        auth: 'none',
        live,
        tools: operations.flatMap(({ tool, operationId }) => (tool ? [operationId] : [])),
      },
      ...(settings.declareTestSuite && { testSuite: await describeTestSuite(service) }),
    },
    probes,
    ceilings: presentCeilings(settings.recordCeiling, settings),
    monetization: {
      ...{ model, hardCeiling, unit },
      settlement: 'inactive',
      meter: describeMeter(settings),
      offers: presentOffer(service, 'ladder').alternatives,
      probe: createProbe('/offer'),
    },
    attestationLadder: attestation,
    links: {
      home: '/',
      occupations: '/occupations',
      ...documentLinks,
      apiCatalog: '/.well-known/api-catalog',
      mcpServerCard: '/mcp/server-card',
      skills: '/.well-known/agent-skills/index.json',
      ...(settings.contact && { security: '/.well-known/security.txt' }),
    },
  };
}
