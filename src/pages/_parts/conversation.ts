import { known } from '../../documents/suites.ts';
import { type Answer, ask, type Question, service } from './ask.ts';

/** One exchange of the picture: what was really sent and what really came back, as lines of text. */
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

/** Characters on a line of the picture at most. */
const lineLength = 42;

/** Words laid on at most `most` lines; what is left out is told by an ellipsis. */
function wrap(text: string, most: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line && line.length + 1 + word.length > lineLength) {
      lines.push(line);
      line = word;
    } else line = line ? `${line} ${word}` : word;
  }
  lines.push(line);
  return lines.length <= most ? lines : [...lines.slice(0, most - 1), `${lines[most - 1]} …`];
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
  tell(answer: Answer): string[];
  carries?: string;
}

/** Ids that are minted anew at every build are told by their prefix. */
const toPrefix = (id: string) => `${id.slice(0, id.indexOf('_') + 1)}…`;

async function run({ title, question, tell, carries }: Step): Promise<[Exchange, Answer]> {
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
    reply: tell(answer),
    ...(carries && { carries }),
  };
  return [exchange, answer];
}

/** How an agent's conversation goes: every exchange is held with the core while the picture is drawn. */
export async function holdConversation(): Promise<Exchange[]> {
  const { agentClasses } = service.catalogue.service.icp;
  const { hardCeiling } = service.catalogue.pricing;
  const firstCall = (id: string) =>
    agentClasses.find(({ firstCall: call }) => call.operationId === id)!.firstCall;
  const get = (target: string): Question => ({ method: 'GET', target });
  const [discover] = await run({
    title: 'Discover',
    question: get(firstCall('getAgentCard').path),
    tell: ({ body: { interfaces } }) => [
      `${Object.keys(interfaces.http).length} HTTP operations, ${interfaces.mcp.tools.length} MCP tools`,
    ],
  });
  const [find, found] = await run({
    title: 'Turn a job title into a code',
    question: get(firstCall('listOccupations').path),
    tell: ({ body: { occupations } }) => [occupations[0].id, occupations[0].title],
    carries: 'code',
  });
  const code: string = found.body.occupations[0].id;
  const [read, orders] = await run({
    title: 'Read who needs one',
    question: get(`/job-orders?status=open&occupation=${code}`),
    tell: ({ body }) => [`${body.total} open`, `${body.jobOrders[0].id} ${body.jobOrders[0].title}`],
    carries: 'job order',
  });
  const [create, created] = await run({
    title: 'Create, without a key',
    question: { method: 'POST', target: '/candidates', body: { name: 'Ada Example', onetCode: code } },
    tell: ({ body }) => [
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
    tell: ({ body: { placement } }) => [
      `${toPrefix(placement.id)} ${placement.status}`,
      `90-day outcome: ${placement.outcome.result}`,
    ],
  });
  const boundary = async (title: string, target: string) => {
    const [exchange] = await run({
      title,
      question: get(target),
      tell: ({ body }) => wrap(body.reason ?? body.message ?? body.title, 2),
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
