import { isDeepStrictEqual } from 'node:util';
import { type Case, type PeerName, peerTitles } from './cases.ts';
import { type Figures, load, toSpread } from './load.ts';
import type { Goal, Rates } from './report.ts';
import { hasNginx, type Server, startOurs, startPeer } from './servers.ts';
import { type Answer, headerOf, send, type Wire } from './wire.ts';

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
  const isStream = headerOf(answer, 'content-type') === 'text/event-stream';
  const value = JSON.parse(isStream ? /^data: (.*)$/m.exec(text)![1]! : text);
  return value.jsonrpc ? value.result.structuredContent : value;
}

/** What must be the same in the answers of everybody who is measured. */
const toCompared: Record<Case['same'], (answer: Answer) => unknown> = {
  bytes: (answer) => [answer.status, answer.body, comparedHeaders.map((name) => headerOf(answer, name))],
  json: (answer) => [answer.status, toJson(answer)],
  shape: (answer) => [answer.status, toShape(toJson(answer))],
  nothing: () => undefined,
};

/** The requests of a case with the workspace that they are about, which is created first on this server. */
async function inOwn({ own }: Case, { port }: Server, requests: Wire[]): Promise<Wire[]> {
  const headers: Record<string, string> = {};
  for (const create of own ?? []) {
    const created = await send(port, { ...create, headers: { ...create.headers, ...headers } });
    headers['X-Workspace'] = headerOf(created, 'x-workspace')!;
  }
  return requests.map((request) => ({ ...request, headers: { ...request.headers, ...headers } }));
}

interface Contestant {
  name: PeerName | 'ours' | 'ours, LOG=off';
  server: Server;
  requests: Wire[];
  figures: Figures[];
}

/** Everybody is started for the one case, ours as well: a server that answered much else before is slower. */
async function gather(one: Case, reference: number): Promise<Contestant[]> {
  const field: Contestant[] = [];
  const enter = async (name: Contestant['name'], server: Server, requests: Wire[]) =>
    void field.push({ name, server, requests: await inOwn(one, server, requests), figures: [] });
  const ours = await startOurs();
  await enter('ours', ours, one.requests);
  if (one.live) await enter('ours, LOG=off', await startOurs({ LOG: 'off' }), one.requests);
  const answer = await send(ours.port, field[0]!.requests[0]!);
  for (const { name, requests = one.requests } of one.peers) {
    if (name === 'nginx' && !hasNginx) continue;
    const request = requests[0]!;
    const constant = requests === one.requests ? answer : await send(ours.port, request);
    const given = { reference, request, constant };
    await enter(name, name === 'http' ? ours : await startPeer(name, given), requests);
    const peer = field.at(-1)!;
    const theirs = await send(peer.server.port, peer.requests[0]!);
    const [mine, other] = [name === 'http' ? answer : constant, theirs].map(toCompared[one.same]);
    if (!isDeepStrictEqual(mine, other))
      throw new Error(`${one.title}: ${name} answers otherwise (${one.same})`);
  }
  return field;
}

/** The goals of a case, and how far each was reached. */
function toGoals({ title, peers, each = 1, rate, p99 }: Case, field: Contestant[]): Goal[] {
  const figuresOf = (name: string) => field.find((one) => one.name === name)?.figures;
  return (['ours', 'ours, LOG=off'] as const).flatMap((name) => {
    const ours = figuresOf(name);
    if (!ours) return [];
    const what = name === 'ours' ? title : `${title}, LOG=off`;
    const goals = peers.flatMap(({ name: against, atLeast }): Goal[] => {
      const theirs = figuresOf(against);
      if (!theirs || atLeast === undefined) return [];
      const toRatio = (by: 'rate' | 'cpuRate', some = ours) =>
        toSpread(some.map((one, round) => (each * one[by]) / theirs[round]![by]));
      const logged = name === 'ours' ? figuresOf('raw logged') : undefined;
      const limit = logged && toRatio('cpuRate', logged);
      const unit = `of ${peerTitles[against]}`;
      return [{ what, unit, atLeast, reached: toRatio('rate'), byCpu: toRatio('cpuRate'), limit }];
    });
    const spreadOf = (by: 'rate' | 'cpuRate' | 'p99') => toSpread(ours.map((one) => one[by]));
    const absolute = { what, unit: 'a second', reached: spreadOf('rate'), byCpu: spreadOf('cpuRate') };
    if (rate) goals.push({ ...absolute, atLeast: rate });
    if (p99) goals.push({ what: `${what}, p99`, unit: 'ms', atMost: p99, reached: spreadOf('p99') });
    return goals;
  });
}

/** Measures one case; the port `reference` is of a server of ours that is not measured. Everybody in turn, round after round, the order reversed every other round. */
export async function measure(
  one: Case,
  { rounds, seconds, reference }: { rounds: number; seconds: number; reference: number },
): Promise<{ goals: Goal[]; rates: Rates[] }> {
  const field = await gather(one, reference);
  const { title, connections = 32 } = one;
  try {
    for (const { server, requests } of field) await load(server, { requests, seconds: 1, connections });
    for (let round = 1; round <= rounds; round += 1) {
      for (const { name, server, requests, figures } of round % 2 ? field : field.toReversed()) {
        console.error(`${title}: round ${round} of ${rounds}, ${name}`);
        figures.push(await load(server, { requests, seconds, connections }));
      }
    }
  } finally {
    for (const { server } of field) await server.stop();
  }
  const toWho = (name: Contestant['name']) => peerTitles[name as PeerName] ?? name;
  const rates = field.map(({ name, figures }) => ({ title, who: toWho(name), figures }));
  return { goals: toGoals(one, field), rates };
}
