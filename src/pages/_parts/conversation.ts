import { known } from '../../documents/suites.ts';
import { type Answer, ask, type Question, service } from './ask.ts';

/** One exchange: what was really sent and what really came back, as lines of text. */
export interface Exchange {
  title: string;
  request: string[];
  status: string;
  /** `OK`, `EMPTY`, `BLOCKED` or `OFFER`. */
  type: string;
  reply: string[];
  /** What the next request takes from this answer. */
  carries?: string;
}

function toRequestLines({ method, target, headers = {}, body }: Question, workspaceText: string): string[] {
  const [path, query] = target.split('?');
  const members = Object.entries((body ?? {}) as object).map(
    ([name, value]) => `"${name}": ${JSON.stringify(value)}`,
  );
  return [
    `${method} ${path}`,
    ...(query ? [`?${query}`] : []),
    ...(headers['x-workspace'] ? [`X-Workspace: ${workspaceText}`] : []),
    ...members.map((text, index) => {
      const open = index === 0 ? '{' : ' ';
      return `${open}${text}${index === members.length - 1 ? '}' : ','}`;
    }),
  ];
}

interface Step {
  title: string;
  question: Question;
  /** What the answer says, as lines. */
  toLines(answer: Answer): string[];
  carries?: string;
}

/** Ids that differ at every build are shown by their prefix. */
const toPrefix = (id: string) => `${id.slice(0, id.indexOf('_') + 1)}…`;

async function run({ title, question, toLines, carries }: Step): Promise<[Exchange, Answer]> {
  const shown = structuredClone(question);
  const body = (shown.body ?? {}) as Record<string, string>;
  for (const [name, value] of Object.entries(body)) {
    if (/^(cand|job|plc)_[0-9a-z]{16}$/.test(value)) body[name] = toPrefix(value);
  }
  const answer = await ask(question);
  const exchange = {
    title,
    request: toRequestLines(shown, 'ws_…'),
    status: String(answer.status),
    type: answer.body.type ?? 'OK',
    reply: toLines(answer),
    ...(carries && { carries }),
  };
  return [exchange, answer];
}

/** How an agent's conversation goes: every exchange is made with the core while the page is built. */
export async function holdConversation(): Promise<Exchange[]> {
  const { agentClasses } = service.catalogue.service.icp;
  const { hardCeiling } = service.catalogue.pricing;
  const firstCall = (id: string) =>
    agentClasses.find(({ firstCall: call }) => call.operationId === id)!.firstCall;
  const get = (target: string): Question => ({ method: 'GET', target });
  const [discover] = await run({
    title: 'Discover',
    question: get(firstCall('getAgentCard').path),
    toLines: ({ body: { interfaces } }) => [
      `${Object.keys(interfaces.http).length} HTTP operations, ${interfaces.mcp.tools.length} MCP tools`,
    ],
  });
  const [find, found] = await run({
    title: 'Turn a job title into a code',
    question: get(firstCall('listOccupations').path),
    toLines: ({ body: { occupations } }) => [occupations[0].id, occupations[0].title],
    carries: 'code',
  });
  const code: string = found.body.occupations[0].id;
  const [read, orders] = await run({
    title: 'Read who needs one',
    question: get(`/job-orders?status=open&occupation=${code}`),
    toLines: ({ body }) => [`${body.total} open`, `${body.jobOrders[0].id} ${body.jobOrders[0].title}`],
    carries: 'job order',
  });
  const [create, created] = await run({
    title: 'Create, without a key',
    question: { method: 'POST', target: '/candidates', body: { name: 'Ada Example', onetCode: code } },
    toLines: ({ body }) => [
      `${toPrefix(body.candidate.id)} in workspace ws_…`,
      `retention: ${body.retention.policy}`,
    ],
    carries: 'candidate, workspace',
  });
  const [place] = await run({
    title: 'Place',
    question: {
      method: 'POST',
      target: '/placements',
      headers: { 'x-workspace': created.body.workspace },
      body: {
        candidateId: created.body.candidate.id,
        jobOrderId: orders.body.jobOrders[0].id,
        onetCode: code,
      },
    },
    toLines: ({ body: { placement } }) => [
      `${toPrefix(placement.id)} ${placement.status}`,
      `90-day outcome: ${placement.outcome.result}`,
    ],
  });
  const boundary = async (title: string, target: string) => {
    const [exchange] = await run({
      title,
      question: get(target),
      toLines: ({ body }) => [body.reason ?? body.message ?? body.title],
    });
    return exchange;
  };
  return [
    discover,
    find,
    read,
    create,
    place,
    await boundary('Past the ceiling', `/placements?spend=${hardCeiling + 1}`),
    await boundary('Out of bounds', known.forbidden[0]),
    await boundary('Nothing there', known.empty[0]),
  ];
}
