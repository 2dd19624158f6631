import { knownPaths } from '../../documents/suites.ts';
import { ask, type CoreReply, type CoreRequest, service } from './ask.ts';

/** Shortens an id to its prefix, because ids differ with every build. */
const shortenId = (id: string) => id.replace(/^(cand|job|plc)_[0-9a-z]{16}$/, '$1_…');

/** Formats a request as lines of text. */
function formatRequest({ method, target, headers, body }: CoreRequest): string[] {
  const [path, query] = target.split('?');
  const shortenIds = (_: string, value: unknown) => (typeof value === 'string' ? shortenId(value) : value);
  const parts = [query && `?${query}`, headers && 'X-Workspace: ws_…', JSON.stringify(body, shortenIds, 1)];
  return [`${method} ${path}`, ...parts.filter((part) => part !== undefined)];
}

interface Step {
  title: string;
  /** Returns the request, from the bodies of the previous replies. */
  question: (said: CoreReply['body'][]) => CoreRequest;
  /** Returns the reply as lines of text. */
  summarize?: (body: CoreReply['body']) => string[];
  /** What the next request takes from the reply. */
  carries?: string;
}

const get = (target: string) => (): CoreRequest => ({ method: 'GET', target });
const { icp } = service.catalogue.service;
const getFirst = (id: string) =>
  get(icp.agentClasses.find(({ firstCall }) => firstCall.operationId === id)!.firstCall.path);

const steps: Step[] = [
  {
    title: 'Discover',
    question: getFirst('getAgentCard'),
    summarize: ({ interfaces }) => [
      `${interfaces.mcp.tools.length} MCP tools`,
      'the address of each operation over HTTP',
    ],
  },
  {
    title: 'Turn a job title into a code',
    question: getFirst('listOccupations'),
    summarize: ({ occupations }) => [occupations[0].id, occupations[0].title],
    carries: 'code',
  },
  {
    title: 'Read who needs one',
    question: ([, { occupations }]) => get(`/job-orders?status=open&occupation=${occupations[0].id}`)(),
    summarize: ({ total, jobOrders }) => [`${total} open`, `${jobOrders[0].id} ${jobOrders[0].title}`],
    carries: 'job order',
  },
  {
    title: 'Create, without a key',
    question: ([, { occupations }]) => ({
      method: 'POST',
      target: '/candidates',
      body: { name: 'Ada Example', onetCode: occupations[0].id },
    }),
    summarize: ({ candidate, retention }) => [
      `${shortenId(candidate.id)} in workspace ws_…`,
      `retention: ${retention.policy}`,
    ],
    carries: 'candidate, workspace',
  },
  {
    title: 'Propose',
    question: ([, { occupations }, { jobOrders }, { candidate, workspace }]) => ({
      method: 'POST',
      target: '/placements',
      headers: { 'x-workspace': workspace },
      body: {
        candidateId: candidate.id,
        jobOrderId: jobOrders[0].id,
        onetCode: occupations[0].id,
        status: 'proposed',
      },
    }),
    summarize: ({ placement }) => [
      `${shortenId(placement.id)} ${placement.status}`,
      'holds nobody until a person accepts it',
    ],
  },
  {
    title: 'Past the ceiling',
    question: get(`/placements?spend=${service.catalogue.pricing.hardCeiling + 1}`),
  },
  { title: 'Out of bounds', question: get(knownPaths.forbidden[0]) },
  { title: 'Nothing there', question: get(knownPaths.empty[0]) },
];

/** Holds an example conversation with the core during the build. Returns its requests and replies. */
export async function holdConversation() {
  const said: CoreReply['body'][] = [];
  const exchanges = [];
  for (const { title, question, summarize, carries } of steps) {
    const asked = question(said);
    const { status, body } = await ask(asked);
    said.push(body);
    const reply = summarize?.(body) ?? [body.reason ?? body.message ?? body.title];
    exchanges.push({
      title,
      request: formatRequest(asked),
      status,
      type: body.type ?? 'OK',
      reply,
      carries,
    });
  }
  return exchanges;
}
