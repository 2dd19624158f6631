import { send, type WireReply } from '../../tests/support/wire.ts';
import { toTitles } from '../bench/cases.ts';
import { candidates, get, post, toCall, type Wire } from '../bench/wire.ts';

/** An agent during its visit. */
export interface Agent {
  number: number;
  /** Its address, as a proxy forwards it. Each agent has limits of its own. */
  address: string;
  /** The workspace that its first create makes, and what is in it. */
  workspace: string;
  jobOrder: string;
  candidates: string[];
}

interface Kind {
  /** Whether a CDN may keep the answer. */
  isShared: boolean;
  toWire(agent: Agent): Wire;
  /** Reads what later requests of the visit name. */
  learn?(agent: Agent, reply: WireReply): void;
}

const titles = toTitles(20_000);
let searches = 0;
const nextTitle = () => pick(titles, searches++);
const pick = <T>(list: readonly T[], at: number) => list[at % list.length]!;

const inside = ({ workspace }: Agent) => ({ 'X-Workspace': workspace });
const order = {
  client: 'Mercy Health',
  title: 'Registered nurse',
  onetCode: '29-1141.00',
  metro: 'Columbus, OH',
};
const startDate = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
const documents = ['/llms.txt', '/openapi.json', '/.well-known/agents.json', '/pricing'];
const filtered = ['/candidates?status=available&occupation=15-1252.00', '/job-orders?status=open'];
const toSeed = (at: number) => `/${at % 2 ? 'candidates/cand' : 'job-orders/job'}_0${10 + (at % 20)}`;

function change(path: string, body: object, headers: Record<string, string>): Wire {
  const type = { 'Content-Type': 'application/merge-patch+json' };
  return { method: 'PATCH', path, headers: { ...headers, ...type }, body: JSON.stringify(body) };
}

/** The kinds of requests of a visit. */
export const kinds = {
  documents: { isShared: true, toWire: ({ number }) => get(pick(documents, number)) },
  'searches, HTTP': {
    isShared: true,
    toWire: () => get(`/occupations?q=${encodeURIComponent(nextTitle())}&limit=3`),
  },
  'searches, MCP': { isShared: false, toWire: () => toCall('listOccupations', { q: nextTitle(), limit: 3 }) },
  'filtered lists': { isShared: true, toWire: ({ number }) => get(pick(filtered, number)) },
  'seed records': { isShared: true, toWire: ({ number }) => get(toSeed(number)) },
  'first creates': {
    isShared: false,
    toWire: () => post('/job-orders', order),
    learn(agent, { headers, bytes }) {
      agent.workspace = String(headers['x-workspace']);
      agent.jobOrder = JSON.parse(bytes.toString()).jobOrder.id;
    },
  },
  'batches of ten': {
    isShared: false,
    toWire: (agent) => post('/batch', { candidates: candidates.slice(0, 10) }, inside(agent)),
    learn(agent, { bytes }) {
      agent.candidates = JSON.parse(bytes.toString()).candidates.map(({ id }: { id: string }) => id);
    },
  },
  creates: {
    isShared: false,
    toWire: (agent) => post('/candidates', pick(candidates, agent.number), inside(agent)),
  },
  'own records': {
    isShared: false,
    toWire: (agent) => get(`/candidates/${pick(agent.candidates, agent.number)}`, inside(agent)),
  },
  'own lists': { isShared: false, toWire: (agent) => get('/candidates?limit=20', inside(agent)) },
  changes: {
    isShared: false,
    toWire: (agent) =>
      change(
        `/candidates/${pick(agent.candidates, agent.number)}`,
        { skills: ['SQL', 'ICU'] },
        inside(agent),
      ),
  },
  matches: {
    isShared: false,
    toWire: (agent) => get(`/job-orders/${agent.jobOrder}/matches`, inside(agent)),
  },
  placements: {
    isShared: false,
    toWire(agent) {
      const pair = { candidateId: agent.candidates[0], jobOrderId: agent.jobOrder };
      return post('/placements', { ...pair, onetCode: order.onetCode, startDate }, inside(agent));
    },
  },
  workspaces: { isShared: false, toWire: (agent) => get('/workspace', inside(agent)) },
} satisfies Record<string, Kind>;

export type KindName = keyof typeof kinds;
export const kindNames = Object.keys(kinds) as KindName[];

/** What an agent sends in a visit, in this order. */
export const visit: readonly KindName[] = [
  ...(['documents', 'documents', 'searches, HTTP', 'searches, MCP', 'filtered lists'] as const),
  ...(['seed records', 'searches, HTTP', 'seed records', 'first creates', 'batches of ten'] as const),
  ...(['own lists', 'matches', 'own records', 'creates', 'own lists', 'filtered lists'] as const),
  ...(['changes', 'own records', 'searches, MCP', 'matches', 'changes', 'own records'] as const),
  ...(['searches, HTTP', 'creates', 'own lists', 'placements', 'own records', 'workspaces'] as const),
  ...(['changes', 'workspaces'] as const),
];

/** Creates agents that did not visit before. The first has this number. */
export function createAgents(first: number, count: number): Agent[] {
  return Array.from({ length: count }, (_, at) => {
    const number = first + at;
    const address = `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;
    return { number, address, workspace: '', jobOrder: '', candidates: [] };
  });
}

/** Sends a request of a visit. Returns the bytes of the answer with its headers. Throws if it is refused. */
export async function sendStep(origin: string, agent: Agent, name: KindName): Promise<number> {
  const kind: Kind = kinds[name];
  const { path, headers, ...others } = kind.toWire(agent);
  const forwarded = { 'X-Forwarded-For': agent.address, 'Accept-Encoding': 'gzip' };
  const reply = await send(origin, path, { ...others, headers: { ...headers, ...forwarded } });
  if (reply.status >= 300)
    throw new Error(
      `${others.method} ${path} answered ${reply.status}: ${reply.bytes.toString().slice(0, 500)}`,
    );
  kind.learn?.(agent, reply);
  const lines = Object.entries(reply.headers).map(([title, value]) => `${title}: ${value}\r\n`);
  return reply.bytes.length + lines.join('').length;
}
