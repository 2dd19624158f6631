import { isDeepStrictEqual } from 'node:util';
import type { Case, Goal } from './cases.ts';
import { startOurs, startPeer, toOwn } from './field.ts';
import { type Figures, load, type Spread, toRatios, toSpread } from './load.ts';
import { hasNginx, type Server } from './processes.ts';
import { type Answer, headerOf, send, type Wire } from './wire.ts';

const compared = [
  'content-type',
  'content-encoding',
  'etag',
  'cache-control',
  'cdn-cache-control',
  'vary',
  'link',
];

/** The members of a JSON value and their types, down to single values. */
function toShape(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toShape);
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toShape(member)]));
}

/** The JSON of an answer; of a JSON-RPC response the tool's result, of an event stream its one message. */
function toJson({ body, headers }: Answer): unknown {
  const text = body.toString('utf8');
  const isStream = headers.includes('text/event-stream');
  const value = JSON.parse(isStream ? /^data: (.*)$/m.exec(text)![1]! : text);
  return value.jsonrpc ? value.result.structuredContent : value;
}

/** Throws where two answers that must be the same are not. */
function checkSame({ same, title }: Case, name: string, ours: Answer, theirs: Answer): void {
  if (same === 'nothing') return;
  const fail = (what: string): never => {
    throw new Error(`${title}: ${name} answers with another ${what}`);
  };
  if (ours.status !== theirs.status) fail(`status (${theirs.status})`);
  if (same === 'bytes') {
    if (!ours.body.equals(theirs.body)) fail('body');
    for (const header of compared) {
      if (headerOf(ours, header) !== headerOf(theirs, header)) fail(header);
    }
    return;
  }
  const [one, other] = [toJson(ours), toJson(theirs)];
  const agree =
    same === 'json' ? isDeepStrictEqual(one, other) : isDeepStrictEqual(toShape(one), toShape(other));
  if (!agree) fail(same);
}

interface Rounds {
  rounds: number;
  seconds: number;
  /** Seconds of load before the first round. */
  warmUp: number;
  folder: string;
  facts: string;
}

/** What one server did in a case, round by round. */
interface Entry {
  name: string;
  figures: Figures[];
  rate: Spread;
}

/** A goal, and how far it was reached. `byCpu` is the same ratio by processor time. */
export interface Finding {
  name: string;
  /** 'default' or 'off': the log that our server kept. */
  log: string;
  goal: Goal;
  reached: Spread;
  byCpu?: Spread;
  /** How far `node:http` sends a constant and keeps our log beside the same peer, by processor time: the limit. */
  limit?: Spread;
  met: boolean;
}

export interface Result {
  name: string;
  title: string;
  entries: Entry[];
  findings: Finding[];
}

interface Contestant {
  name: string;
  server: Server;
  requests: Wire[];
  stop: boolean;
}

/** Everybody is started for the one case, ours as well: a server that answered much else before is slower. */
async function gather(one: Case, settings: Rounds): Promise<Contestant[]> {
  const logged = await startOurs(settings.folder);
  const ours = await toOwn(one, logged, one.requests);
  const field: Contestant[] = [{ name: 'ours', server: logged, requests: ours, stop: true }];
  if (one.live) {
    const quiet = await startOurs(settings.folder, { LOG: 'off' });
    const requests = await toOwn(one, quiet, one.requests);
    field.push({ name: 'ours, LOG=off', server: quiet, requests, stop: true });
  }
  const answer = await send(logged.port, ours[0]!);
  for (const { name, requests = one.requests } of one.peers) {
    if (name === 'nginx' && !hasNginx) continue;
    if (name === 'http') {
      field.push({ name, server: logged, requests, stop: false });
    } else {
      const constant = requests === one.requests ? answer : await send(logged.port, requests[0]!);
      const server = await startPeer(name, { ...settings, constant, path: requests[0]!.path });
      field.push({ name, server, requests: await toOwn(one, server, requests), stop: true });
    }
    const theirs = await send(field.at(-1)!.server.port, field.at(-1)!.requests[0]!);
    if (name !== 'raw 200') checkSame(one, name, answer, theirs);
  }
  return field;
}

function judge(
  goal: Goal,
  each: number,
  ours: Figures[],
  peers: Map<string, Figures[]>,
): Omit<Finding, 'name' | 'log'> | undefined {
  if ('figure' in goal) {
    const reached = toSpread(ours.map((figures) => figures[goal.figure]));
    const byCpu = goal.figure === 'rate' ? toSpread(ours.map(({ cpuRate }) => cpuRate)) : undefined;
    const met = 'atLeast' in goal ? reached.median >= goal.atLeast : reached.median <= goal.atMost;
    return { goal, reached, ...(byCpu && { byCpu }), met };
  }
  const theirs = peers.get(goal.against);
  if (!theirs) return undefined;
  const toRates = (some: Figures[], by: 'rate' | 'cpuRate') =>
    toRatios(
      some.map((figures) => figures[by] * each),
      theirs.map((figures) => figures[by]),
    );
  const [reached, byCpu] = [toRates(ours, 'rate'), toRates(ours, 'cpuRate')];
  const logged = peers.get('raw logged');
  const limit = logged && toRates(logged, 'cpuRate');
  return { goal, reached, byCpu, ...(limit && { limit }), met: reached.median >= goal.atLeast };
}

function toFindings({ name, goals, each = 1 }: Case, taken: Map<string, Figures[]>): Finding[] {
  return [
    ['ours', 'default'],
    ['ours, LOG=off', 'off'],
  ].flatMap(([entry, log]) => {
    const ours = taken.get(entry!);
    if (!ours) return [];
    return goals.flatMap((goal) => {
      const judged = judge(goal, each, ours, taken);
      return judged ? [{ name, log: log!, ...judged }] : [];
    });
  });
}

/** Measures one case: everybody in turn, round after round, the order reversed every other round. */
export async function measure(
  one: Case,
  settings: Rounds,
  progress: (line: string) => void,
): Promise<Result> {
  const field = await gather(one, settings);
  const { connections = 32 } = one;
  const taken = new Map<string, Figures[]>(field.map(({ name }) => [name, []]));
  const loadOf = ({ server, requests }: Contestant, seconds: number) =>
    load(server, { requests, seconds, connections, folder: settings.folder });
  try {
    for (const contestant of field) await loadOf(contestant, settings.warmUp);
    for (let round = 1; round <= settings.rounds; round += 1) {
      for (const contestant of round % 2 ? field : field.toReversed()) {
        progress(`${one.title}: round ${round} of ${settings.rounds}, ${contestant.name}`);
        taken.get(contestant.name)!.push(await loadOf(contestant, settings.seconds));
      }
    }
  } finally {
    for (const { server, stop } of field) if (stop) await server.stop();
  }
  const entries = [...taken].map(([name, figures]) => ({
    name,
    figures,
    rate: toSpread(figures.map(({ rate }) => rate)),
  }));
  return { name: one.name, title: one.title, entries, findings: toFindings(one, taken) };
}
