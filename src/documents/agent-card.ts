import type { Operation } from '../kernel/operation.ts';
import type { Service } from '../kernel/service.ts';
import { toOffer } from '../pricing/offer.ts';
import { kindsByWeight } from '../records/kinds.ts';
import { toCeilingsOf } from '../records/workspace-view.ts';
import { documents } from './home.ts';
import { known, suitePaths, toSuites } from './suites.ts';

const isHttp = (operation: Operation) => operation.listed && operation.operationId !== 'callMcp';

const toProbe = (url: string) => ({ url, method: 'GET' });

/** What can be sent at once, and what is known to be answered: read by AXP's probe-manifest rows. */
const probes = {
  keyless: kindsByWeight.map(({ path }) => toProbe(path)),
  pricing: [toProbe('/pricing')],
  knownEmpty: known.empty.map(toProbe),
  knownForbidden: known.forbidden.map(toProbe),
  overCeiling: [{ ...toProbe('/placements'), param: 'spend' }],
};

/** What a judge with an executable runner needs (AXP, interfaces.testSuite). */
async function toTestSuite(service: Service): Promise<object> {
  const { url, digest, runner } = (await toSuites(service)).find(({ url }) => url === suitePaths.executable)!;
  return { url, digest, environment: 'public', runner };
}

/** Whether a live service must answer it: no file of a static host has it. */
const isLiveOnly = ({ effect, workspace, frozen }: Partial<Operation>) =>
  effect !== 'read' || workspace === 'required' || !frozen;

/** Where the meter is read, and whether the ceiling holds. */
const toMeterText = ({ meter }: Service['settings']) => ({
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
export async function toAgentCard(self: Service): Promise<object> {
  const { operations, catalogue, settings } = self;
  const { name, title, description, version, promises, attestation } = catalogue.service;
  const { model, hardCeiling, unit } = catalogue.pricing;
  const { live } = settings;
  const http = operations.filter(isHttp).map(({ operationId, method, path, summary, ...row }) => [
    operationId,
    {
      method,
      url: path,
      auth: 'none',
      summary,
      ...(isLiveOnly(row) && { live: live && (row.isLive?.(self) ?? true) }),
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
      ...(settings.declareTestSuite && { testSuite: await toTestSuite(self) }),
    },
    probes,
    ceilings: toCeilingsOf(settings.recordCeiling, settings),
    monetization: {
      ...{ model, hardCeiling, unit },
      settlement: 'inactive',
      meter: toMeterText(settings),
      offers: toOffer(self, 'ladder').alternatives,
      probe: toProbe('/offer'),
    },
    attestationLadder: attestation,
    links: {
      home: '/',
      occupations: '/occupations',
      ...documents,
      apiCatalog: '/.well-known/api-catalog',
      mcpServerCard: '/mcp/server-card',
      skills: '/.well-known/agent-skills/index.json',
      ...(settings.contact && { security: '/.well-known/security.txt' }),
    },
  };
}
