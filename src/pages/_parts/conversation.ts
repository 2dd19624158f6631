import { known } from '../../documents/suites.ts';
import { type Answer, ask, type Question, service } from './ask.ts';

/** Ids that differ at every build are shown by their prefix. */
const toPrefix = (id: string) => id.replace(/^(cand|job|plc)_[0-9a-z]{16}$/, '$1_…');

/** What was sent, as lines of text. */
function toRequestLines({ method, target, headers, body }: Question): string[] {
  const [path, query] = target.split('?');
  const toShown = (_: string, value: unknown) => (typeof value === 'string' ? toPrefix(value) : value);
  const parts = [query && `?${query}`, headers && 'X-Workspace: ws_…', JSON.stringify(body, toShown, 1)];
  return [`${method} ${path}`, ...parts.filter((part) => part !== undefined)];
}

interface Step {
  title: string;
  /** What is sent, by what was answered to the steps before it. */
  question: (said: Answer['body'][]) => Question;
  /** The answer, as lines of text. */
  toLines?: (body: Answer['body']) => string[];
  /** What the next request takes from the answer. */
  carries?: string;
}

const get = (target: string) => (): Question => ({ method: 'GET', target });
const { icp } = service.catalogue.service;
const getFirst = (id: string) =>
  get(icp.agentClasses.find(({ firstCall }) => firstCall.operationId === id)!.firstCall.path);

const steps: Step[] = [
  {
    title: 'Discover',
    question: getFirst('getAgentCard'),
    toLines: ({ interfaces }) => [
      `${Object.keys(interfaces.http).length} HTTP operations, ${interfaces.mcp.tools.length} MCP tools`,
    ],
  },
  {
    title: 'Turn a job title into a code',
    question: getFirst('listOccupations'),
    toLines: ({ occupations }) => [occupations[0].id, occupations[0].title],
    carries: 'code',
  },
  {
    title: 'Read who needs one',
    question: ([, { occupations }]) => get(`/job-orders?status=open&occupation=${occupations[0].id}`)(),
    toLines: ({ total, jobOrders }) => [`${total} open`, `${jobOrders[0].id} ${jobOrders[0].title}`],
    carries: 'job order',
  },
  {
    title: 'Create, without a key',
    question: ([, { occupations }]) => ({
      method: 'POST',
      target: '/candidates',
      body: { name: 'Ada Example', onetCode: occupations[0].id },
    }),
    toLines: ({ candidate, retention }) => [
      `${toPrefix(candidate.id)} in workspace ws_…`,
      `retention: ${retention.policy}`,
    ],
    carries: 'candidate, workspace',
  },
  {
    title: 'Place',
    question: ([, { occupations }, { jobOrders }, { candidate, workspace }]) => ({
      method: 'POST',
      target: '/placements',
      headers: { 'x-workspace': workspace },
      body: { candidateId: candidate.id, jobOrderId: jobOrders[0].id, onetCode: occupations[0].id },
    }),
    toLines: ({ placement }) => [
      `${toPrefix(placement.id)} ${placement.status}`,
      `outcome of ${placement.guaranteeDays} days: ${placement.outcome.result}`,
    ],
  },
  {
    title: 'Past the ceiling',
    question: get(`/placements?spend=${service.catalogue.pricing.hardCeiling + 1}`),
  },
  { title: 'Out of bounds', question: get(known.forbidden[0]) },
  { title: 'Nothing there', question: get(known.empty[0]) },
];

/** How an agent's conversation goes: what is really sent to the core while the page is built, and what comes back. */
export async function holdConversation() {
  const said: Answer['body'][] = [];
  const exchanges = [];
  for (const { title, question, toLines, carries } of steps) {
    const asked = question(said);
    const { status, body } = await ask(asked);
    said.push(body);
    const reply = toLines?.(body) ?? [body.reason ?? body.message ?? body.title];
    exchanges.push({
      title,
      request: toRequestLines(asked),
      status,
      type: body.type ?? 'OK',
      reply,
      carries,
    });
  }
  return exchanges;
}
