import type { SuiteRow } from '../../src/documents/suite-runner.ts';
import type { Body } from './http.ts';
import type { Seen, Wire } from './visit.ts';

/** The most requests of the verifier to one service. */
const mostRequests = 64;
/** The most rows of a declarative suite. */
export const mostRows = 25;

/** The result of one row: the problem, or undefined if it passed. */
type RowResult = [id: string, problem: string | undefined];

interface VerifierRun {
  /** Requests before the first row. */
  discovery: number;
  requests: number;
  rows: RowResult[];
}

const json = { accept: 'application/json' };
const html = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const markdown = { accept: 'text/markdown' };

/** Sends requests until the budget is used up. */
class Visitor {
  sent = 0;
  readonly #wire: Wire;

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  #spend(): void {
    if (this.sent === mostRequests) throw new Error('budget exhausted');
    this.sent += 1;
  }

  get(url: string, headers: Record<string, string> = {}): Promise<Seen> {
    this.#spend();
    return this.#wire.get(url, headers);
  }

  post(url: string, body: object): Promise<Seen> {
    this.#spend();
    return this.#wire.post(url, body, { accept: 'application/json, text/event-stream' });
  }
}

/** Reads the home page as each class of client, and each face at the address that the others link to. */
async function visitHome(visitor: Visitor): Promise<void> {
  const seen = [await visitor.get('/'), await visitor.get('/', html), await visitor.get('/', markdown)];
  await visitor.get('/', json);
  await visitor.get('/', { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' });
  await visitor.get('/', { 'user-agent': 'Claude-User/1.0 (+https://api.qa)' });
  const faces = seen.flatMap(({ headers }) =>
    String(headers.link).match(/(?<=<)[^>]+(?=>; rel="alternate")/g),
  );
  for (const face of new Set(faces)) if (face) await visitor.get(face);
}

/** Lists the reads that need no parameter. */
const listOpenPaths = (contract: Body): string[] =>
  Object.entries<Body>(contract.paths).flatMap(([path, { get }]) =>
    get && !path.includes('{') && !get.parameters?.some(({ required }: Body) => required) ? [path] : [],
  );

async function visitTools(visitor: Visitor, url: string): Promise<void> {
  const ask = (method: string) => visitor.post(url, { jsonrpc: '2.0', id: 1, method, params: {} });
  await visitor.get(url, json);
  await ask('initialize');
  await visitor.get('/.well-known/oauth-protected-resource');
  await visitor.get('/.well-known/mcp/server.json');
  await ask('initialize');
  await ask('tools/list');
}

/** Reads what the card and the contract name, as the verifier does before it runs a suite. */
async function discover(visitor: Visitor, suite: string): Promise<Seen> {
  await visitHome(visitor);
  await visitor.get('/llms.txt');
  const { body: card } = await visitor.get('/.well-known/agents.json');
  await visitor.get('/icp.json');
  await visitor.get('/.well-known/agent-configuration');
  const { body: contract } = await visitor.get(card.openapi);
  const { probes, monetization, interfaces } = card;
  await visitor.get([probes.pricing].flat()[0].url, json);
  const open = listOpenPaths(contract);
  for (const path of open.slice(0, 3)) await visitor.get(path, json);
  for (const path of open.slice(-2)) for (const accept of [{}, html]) await visitor.get(path, accept);
  await visitor.get(monetization.probe.url, json);
  await visitTools(visitor, interfaces.mcp.url);
  for (const { url } of [probes.knownEmpty, probes.knownForbidden].flat())
    for (const address of [url, url.split('?')[0]]) await visitor.get(address, json);
  return visitor.get(suite, json);
}

/** Returns what is wrong with the reply to a row, or undefined. */
function judge({ status, headers, body }: Seen, { expect }: SuiteRow): string | undefined {
  if (status !== expect.status) return `answered ${status}, not ${expect.status}`;
  const { contentTypeIncludes: type = '', paths = [] } = expect;
  if (!headers['content-type']?.includes(type)) return `is not ${type}`;
  return paths.find(({ path, equals }) => body?.[path] !== equals)?.path;
}

/** Runs a declarative suite in the order and with the budget of the verifier (api.qa/suite@1). */
export async function runInVerifier(wire: Wire, suite: string): Promise<VerifierRun> {
  const visitor = new Visitor(wire);
  const { requirements }: { requirements: SuiteRow[] } = (await discover(visitor, suite)).body;
  const discovery = visitor.sent;
  const rows: RowResult[] = [];
  for (const row of requirements) {
    try {
      rows.push([row.id, judge(await visitor.get(row.path, json), row)]);
    } catch (error) {
      rows.push([row.id, (error as Error).message]);
    }
  }
  return { discovery, requests: visitor.sent, rows };
}
