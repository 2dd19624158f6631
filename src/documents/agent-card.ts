import type { Operation } from '../kernel/operation.ts';
import type { Service } from '../kernel/service.ts';
import { presentOffer } from '../pricing/offer.ts';
import { kindsByWeight } from '../records/kinds.ts';
import { presentCeilings } from '../records/workspace-view.ts';
import { documentLinks } from './home.ts';
import { knownPaths, listSuites, suitePaths } from './suites.ts';

const isHttp = (operation: Operation) => operation.listed && operation.operationId !== 'callMcp';

const createProbe = (url: string) => ({ url, method: 'GET' });

/** What can be sent at once, and what is known to be answered: read by AXP's probe-manifest rows. */
const probes = {
  keyless: kindsByWeight.map(({ path }) => createProbe(path)),
  pricing: [createProbe('/pricing')],
  knownEmpty: knownPaths.empty.map(createProbe),
  knownForbidden: knownPaths.forbidden.map(createProbe),
  overCeiling: [{ ...createProbe('/placements'), param: 'spend' }],
};

/** What a judge with an executable runner needs (AXP, interfaces.testSuite). */
async function describeTestSuite(service: Service): Promise<object> {
  const { url, digest, runner } = (await listSuites(service)).find(
    ({ url }) => url === suitePaths.executable,
  )!;
  return { url, digest, environment: 'public', runner };
}

/** Whether a live service must answer it: no file of a static host has it. */
const isLiveOnly = ({ effect, access, caching }: Operation) =>
  effect !== 'read' || access.workspace === 'required' || !caching.frozen;

/** Where the meter is read, and whether the ceiling holds. */
const describeMeter = ({ meter }: Service['settings']) => ({
  url: '/workspace',
  method: 'GET',
  member: 'usage',
  mode: meter,
  statement:
    meter === 'on'
      ? 'A metered call above the hard ceiling is answered 402; calls at price 0 go on.'
      : 'Calls are counted and none is refused: the hard ceiling is not held here, for load tests.',
});

/** The capability card at /.well-known/agents.json. The format is our own; AXP says what is read from it. */
export async function createAgentCard(self: Service): Promise<object> {
  const { operations, catalogue, settings } = self;
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
      ...(isLiveOnly(row) && { live: live && (row.access.isLive?.(self) ?? true) }),
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
      ...(settings.declareTestSuite && { testSuite: await describeTestSuite(self) }),
    },
    probes,
    ceilings: presentCeilings(settings.recordCeiling, settings),
    monetization: {
      ...{ model, hardCeiling, unit },
      settlement: 'inactive',
      meter: describeMeter(settings),
      offers: presentOffer(self, 'ladder').alternatives,
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
