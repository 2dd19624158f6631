import { isDeepStrictEqual } from 'node:util';
import { has } from '../../tests/support/tools.ts';
import { type Case, type PeerName, peerTitles } from './cases.ts';
import { type Figures, load, toRatios, toSpread } from './load.ts';
import type { Goal, Rates } from './report.ts';
import { type Server, startOurs, startPeer } from './servers.ts';
import { type Answer, send, type Wire } from './wire.ts';

const comparedHeaders = [
  ...['content-type', 'content-encoding', 'etag', 'cache-control'],
  ...['cdn-cache-control', 'vary', 'link'],
];

/** Returns a JSON value with every plain value replaced by the name of its type. */
function toShape(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toShape);
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toShape(member)]));
}

/**
 * Returns the JSON of an answer, or of the one message of an event stream. For JSON-RPC it returns the tool's result.
 */
function toJson(answer: Answer): unknown {
  const text = answer.body.toString('utf8');
  const isStream = answer.headers['content-type'] === 'text/event-stream';
  const value = JSON.parse(isStream ? /^data: (.*)$/m.exec(text)![1]! : text);
  return value.jsonrpc ? value.result.structuredContent : value;
}

/** What must be equal in the answers of all servers. */
const toCompared: Record<Case['same'], (answer: Answer) => unknown> = {
  bytes: (answer) => [answer.status, answer.body, comparedHeaders.map((name) => answer.headers[name])],
  json: (answer) => [answer.status, toJson(answer)],
  shape: (answer) => [answer.status, toShape(toJson(answer))],
  nothing: () => undefined,
};

/** Creates the workspace of a case on a server, and returns the requests with its id. */
async function inOwn({ own = [] }: Case, { port }: Server, requests: Wire[]): Promise<Wire[]> {
  const headers: Record<string, string> = {};
  for (const create of own) {
    const created = await send(port, { ...create, headers: { ...create.headers, ...headers } });
    headers['X-Workspace'] = created.headers['x-workspace']!;
  }
  return requests.map((request) => ({ ...request, headers: { ...request.headers, ...headers } }));
}

interface Contestant {
  server: Server;
  requests: Wire[];
  figures: Figures[];
}
type Field = Map<string, Contestant>;

/**
 * Starts all servers of a case, and checks that their answers are equal. They are new for each case, because a server
 * that answered many other requests before is slower.
 */
async function gather(benchCase: Case, reference: number): Promise<Field> {
  const field: Field = new Map();
  const enter = async (name: string, server: Server, wanted = benchCase.requests) => {
    const requests = await inOwn(benchCase, server, wanted);
    field.set(name, { server, requests, figures: [] });
    return send(server.port, requests[0]!);
  };
  const ours = await startOurs();
  const answer = await enter('ours', ours);
  if (benchCase.live) await enter('ours, LOG=off', await startOurs({ LOG: 'off' }));
  for (const name of Object.keys(benchCase.peers) as PeerName[]) {
    if (name === 'nginx' && !has('nginx')) continue;
    const requests = benchCase.asks?.[name];
    const request = (requests ?? benchCase.requests)[0]!;
    const constant = requests ? await send(ours.port, request) : answer;
    const peer = name === 'http' ? ours : await startPeer(name, { reference, request, constant });
    const theirs = await enter(name, peer, requests);
    const [expected, actual] = [name === 'http' ? answer : constant, theirs].map(toCompared[benchCase.same]);
    if (!isDeepStrictEqual(expected, actual))
      throw new Error(`${benchCase.title}: ${name} answers otherwise (${benchCase.same})`);
  }
  return field;
}

/** Returns the goals of a case with their results. */
function toGoals({ title, peers, each = 1, rate, p99 }: Case, field: Field): Goal[] {
  const listOf = (who: string, by: keyof Figures) => field.get(who)!.figures.map((figure) => figure[by]);
  const ours = ['ours', 'ours, LOG=off'].filter((who) => field.has(who));
  return ours.flatMap((who): Goal[] => {
    const what = who.replace('ours', title);
    const goals = Object.entries(peers).flatMap(([name, atLeast]): Goal[] => {
      if (!field.has(name) || atLeast === 0) return [];
      const theirs = (by: keyof Figures) => listOf(name, by).map((figure) => figure / each);
      const toRatio = (by: keyof Figures, contestant = who) => toRatios(listOf(contestant, by), theirs(by));
      const limit = who === 'ours' && field.has('raw logged') ? toRatio('cpuRate', 'raw logged') : undefined;
      const unit = `of ${peerTitles[name as PeerName]}`;
      return [{ what, unit, atLeast, reached: toRatio('rate'), byCpu: toRatio('cpuRate'), limit }];
    });
    const spreadOf = (by: keyof Figures) => toSpread(listOf(who, by));
    const [reached, byCpu] = [spreadOf('rate'), spreadOf('cpuRate')];
    if (rate) goals.push({ what, unit: 'a second', atLeast: rate, reached, byCpu });
    if (p99) goals.push({ what: `${what}, p99`, unit: 'ms', atMost: p99, reached: spreadOf('p99') });
    return goals;
  });
}

/**
 * Measures all servers in turn, in reverse order every other round. `reference` is the port of an unmeasured server.
 */
export async function measure(
  one: Case,
  { rounds, seconds, reference }: { rounds: number; seconds: number; reference: number },
): Promise<{ goals: Goal[]; rates: Rates[] }> {
  const field = await gather(one, reference);
  const { title, connections = 32 } = one;
  const all = [...field];
  for (const [, { server, requests }] of all) await load(server, { requests, seconds: 1, connections });
  for (let round = 1; round <= rounds; round += 1) {
    for (const [name, { server, requests, figures }] of round % 2 ? all : all.toReversed()) {
      console.error(`${title}: round ${round} of ${rounds}, ${name}`);
      figures.push(await load(server, { requests, seconds, connections }));
    }
  }
  for (const [, { server }] of all) await server.stop();
  const toName = (who: string) => peerTitles[who as PeerName] ?? who;
  const rates = all.map(([who, { figures }]) => ({ title, who: toName(who), figures }));
  return { goals: toGoals(one, field), rates };
}
