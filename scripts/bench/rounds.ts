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

/** The members of a JSON value and their types, down to single values. */
function toShape(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toShape);
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toShape(member)]));
}

/** The JSON of an answer; of a JSON-RPC response the tool's result, of an event stream its one message. */
function toJson(answer: Answer): unknown {
  const text = answer.body.toString('utf8');
  const isStream = answer.headers['content-type'] === 'text/event-stream';
  const value = JSON.parse(isStream ? /^data: (.*)$/m.exec(text)![1]! : text);
  return value.jsonrpc ? value.result.structuredContent : value;
}

/** What must be the same in the answers of everybody who is measured. */
const toCompared: Record<Case['same'], (answer: Answer) => unknown> = {
  bytes: (answer) => [answer.status, answer.body, comparedHeaders.map((name) => answer.headers[name])],
  json: (answer) => [answer.status, toJson(answer)],
  shape: (answer) => [answer.status, toShape(toJson(answer))],
  nothing: () => undefined,
};

/** The requests of a case with the workspace that they are about, which is created first on this server. */
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

/** Everybody is started for the one case, ours as well: a server that answered much else before is slower. */
async function gather(one: Case, reference: number): Promise<Field> {
  const field: Field = new Map();
  const enter = async (name: string, server: Server, wanted = one.requests) => {
    const requests = await inOwn(one, server, wanted);
    field.set(name, { server, requests, figures: [] });
    return send(server.port, requests[0]!);
  };
  const ours = await startOurs();
  const answer = await enter('ours', ours);
  if (one.live) await enter('ours, LOG=off', await startOurs({ LOG: 'off' }));
  for (const name of Object.keys(one.peers) as PeerName[]) {
    if (name === 'nginx' && !has('nginx')) continue;
    const requests = one.asks?.[name];
    const request = (requests ?? one.requests)[0]!;
    const constant = requests ? await send(ours.port, request) : answer;
    const peer = name === 'http' ? ours : await startPeer(name, { reference, request, constant });
    const theirs = await enter(name, peer, requests);
    const [mine, other] = [name === 'http' ? answer : constant, theirs].map(toCompared[one.same]);
    if (!isDeepStrictEqual(mine, other))
      throw new Error(`${one.title}: ${name} answers otherwise (${one.same})`);
  }
  return field;
}

/** The goals of a case, and how far each was reached. */
function toGoals({ title, peers, each = 1, rate, p99 }: Case, field: Field): Goal[] {
  const listOf = (who: string, by: keyof Figures) => field.get(who)!.figures.map((one) => one[by]);
  const ours = ['ours', 'ours, LOG=off'].filter((who) => field.has(who));
  return ours.flatMap((who): Goal[] => {
    const what = who.replace('ours', title);
    const goals = Object.entries(peers).flatMap(([name, atLeast]): Goal[] => {
      if (!field.has(name) || atLeast === 0) return [];
      const theirs = (by: keyof Figures) => listOf(name, by).map((figure) => figure / each);
      const toRatio = (by: keyof Figures, one = who) => toRatios(listOf(one, by), theirs(by));
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

/** Measures all in turn, in reverse every other round. `reference` is the port of our server that is not measured. */
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
