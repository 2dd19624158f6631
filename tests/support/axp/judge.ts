import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Body } from '../http.ts';
import { behaviourRows, expectFace, homeRows } from './behaviour-rows.ts';
import { suiteRows } from './suite-rows.ts';
import { judgeCard, judgeKeylessFlow, judgeLlms, judgeOpenApi, surfaceRows } from './surface-rows.ts';
import {
  firstFailing,
  firstOf,
  isHtml,
  isOk,
  jsonAccept,
  type Row,
  shuffle,
  tell,
  type Verdict,
  type Visit,
} from './visit.ts';
import type { Seen } from './wire.ts';

const judgeOffers = behaviourRows.find(({ id }) => id === 'check-offers-402')!.check;

/** The ten points. */
const points: readonly Row[] = [
  { id: 'llms-txt', check: judgeLlms },
  { id: 'agents-json', check: judgeCard },
  {
    id: 'icp-json',
    check({ icp }) {
      const { agent_classes, agentClasses, classes } = icp.body ?? {};
      return isOk(icp) && Array.isArray(agent_classes ?? agentClasses ?? classes) ? undefined : tell(icp);
    },
  },
  {
    id: 'content-negotiation',
    check: ({ home }) =>
      firstOf([
        isOk(home.bare) && !isHtml(home.bare) ? undefined : `a bare client: ${tell(home.bare)}`,
        expectFace('html', home.browser, 'a browser Accept'),
        expectFace('json', home.json, 'Accept: application/json'),
      ]),
  },
  { id: 'openapi', check: judgeOpenApi },
  {
    id: 'mcp-declared',
    check({ card }) {
      const { transport, url, tools } = card.body?.interfaces?.mcp ?? {};
      const names = (tools ?? []).filter((tool: unknown) => typeof tool === 'string');
      const isDeclared = typeof (transport ?? url) === 'string' && names.length > 0;
      return isDeclared ? undefined : JSON.stringify(card.body?.interfaces?.mcp ?? null);
    },
  },
  { id: 'keyless-flow', check: judgeKeylessFlow },
  { id: 'offers-402', check: judgeOffers },
  {
    id: 'linkset',
    check({ llms, home }) {
      const named = ['agents.json', 'icp.json', 'openapi', 'llms.txt'].filter((name) =>
        llms.text.includes(name),
      );
      return named.length >= 2 || home.bare.headers.link ? undefined : `llms.txt names only ${named}`;
    },
  },
  {
    id: 'attestation',
    check({ card, icp }) {
      const { attestationLadder, attestation } = card.body ?? {};
      const found = attestationLadder ?? attestation ?? icp.body?.ladder ?? icp.body?.attestation;
      return found === undefined ? 'no ladder in the card or icp.json' : undefined;
    },
  },
];

const extraPaths = 8;
const requestBudget = 64;

const toPath = ({ url }: Seen) => new URL(url).pathname;

/** Holds an answer to what the contract says of its GET: the status, the first media type, the body. */
function toContractCheck({ openapi }: Visit): (seen: Seen) => Verdict {
  const ajv = new Ajv2020({ strict: false });
  (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
  ajv.addSchema({ $id: 'contract', ...openapi.body });
  const toStep = (part: string) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
  return (seen) => {
    const { responses } = openapi.body.paths[toPath(seen)]?.get ?? {};
    if (!responses) return undefined;
    const status = [String(seen.status), `${String(seen.status)[0]}XX`, 'default'].find(
      (code) => responses[code],
    );
    if (seen.status === 404 || status === undefined) return `not declared: ${tell(seen)}`;
    const [[type, media] = []] = Object.entries((responses[status].content ?? {}) as Record<string, Body>);
    if (type === undefined) return undefined;
    if (type !== seen.type) return `the contract says ${type}: ${tell(seen)}`;
    if (!type.includes('json') || !media.schema) return undefined;
    const pointer = ['paths', toPath(seen), 'get', 'responses', status, 'content', type, 'schema'];
    const isValid = ajv.validate({ $ref: `contract#/${pointer.map(toStep).join('/')}` }, seen.body);
    return isValid ? undefined : `${ajv.errorsText()}: ${tell(seen)}`;
  };
}

async function judgeContractDiff(visit: Visit): Promise<Verdict> {
  const check = toContractCheck(visit);
  const sampled = visit.samples.map(toPath);
  const declared = visit.candidates.filter((path) => visit.openapi.body.paths[path]?.get);
  const rest = declared.filter((path) => !sampled.includes(path));
  const more = shuffle(rest, visit.random).slice(0, extraPaths);
  return (
    firstOf(visit.samples.map(check)) ??
    (await firstFailing(more, async (path) => check(await visit.wire.get(path, jsonAccept))))
  );
}

const handshake = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'api.qa', version: '0.1.0' },
  },
};
const mcpAccept = { accept: 'application/json, text/event-stream' };

/** The door needs no key: a GET that does not ask for one, then a handshake, then tools without a page of their own. */
async function judgeKeylessMcp({ wire, card }: Visit): Promise<Verdict> {
  const url = card.body?.interfaces?.mcp?.url;
  if (typeof url !== 'string' || new URL(url, wire.origin).origin !== wire.origin) return `not ours: ${url}`;
  const plain = await wire.get(url, jsonAccept);
  if (plain.headers['www-authenticate'] || plain.status === 401 || plain.status === 403) return tell(plain);
  const hello = await wire.post(url, handshake, mcpAccept);
  if (!isOk(hello) || !hello.body?.result?.protocolVersion) return tell(hello);
  const session = hello.headers['mcp-session-id'];
  const headers = { ...mcpAccept, ...(session && { 'mcp-session-id': String(session) }) };
  const listed = await wire.post(url, { jsonrpc: '2.0', id: 2, method: 'tools/list' }, headers);
  const tools = (listed.body?.result?.tools ?? []) as Body[];
  if (!isOk(listed) || tools.length === 0) return tell(listed);
  const framed = tools.find(({ _meta }) => _meta?.ui || _meta?.['openai/outputTemplate']);
  return framed ? `${framed.name} carries a ui` : undefined;
}

/** An address whose document is served whole or not at all: ours is not at all. */
const absentRow = (id: string, path: string): Row => ({
  id,
  async check({ wire }) {
    const seen = await wire.get(path, jsonAccept);
    return seen.status === 404 ? undefined : tell(seen);
  },
});

/** Checks outside the points; one failure spoils the grade. */
const honesty: readonly Row[] = [
  {
    id: 'schema-conformance',
    check: (visit) => firstOf(visit.samples.filter(isOk).map(toContractCheck(visit))),
  },
  {
    id: 'claims-honesty',
    check: ({ samples }) =>
      firstOf(
        samples.map((seen) =>
          seen.status === null || seen.status === 404 || seen.status >= 500 ? tell(seen) : undefined,
        ),
      ),
  },
  { id: 'contract-diff', check: judgeContractDiff },
  { id: 'mcp-keyless', check: judgeKeylessMcp },
  absentRow('aap-discovery', '/.well-known/agent-configuration'),
  absentRow('mcp-server-json', '/.well-known/mcp/server.json'),
  absentRow('mcp-oauth-protected-resource', '/.well-known/oauth-protected-resource'),
  {
    id: 'ui-stream',
    check: ({ card }) =>
      card.body?.interfaces?.uiMessageStream === undefined ? undefined : 'uiMessageStream is declared',
  },
  {
    id: 'body-cap',
    check: ({ wire }) =>
      firstOf(
        wire.seen.map((seen) =>
          isOk(seen) && seen.text === '' ? `empty or too long: ${tell(seen)}` : undefined,
        ),
      ),
  },
  {
    id: 'request-budget',
    check: ({ wire }) => (wire.seen.length <= requestBudget ? undefined : `${wire.seen.length} requests`),
  },
];

/** The rows of apis-ax-axp@2.6.0. */
export const pinnedRows: readonly Row[] = [...surfaceRows, ...homeRows, ...suiteRows, ...behaviourRows];

/** Everything that a running origin is judged by. The checks of the whole run come last. */
export const allRows: readonly Row[] = [
  ...pinnedRows,
  ...points.map((row) => ({ ...row, id: `AX: ${row.id}` })),
  ...honesty.map((row) => ({ ...row, id: `honesty: ${row.id}` })),
];
