import { connect, type Socket } from 'node:net';
import { readPeakMemory } from '../../tests/support/bystander.ts';
import { type RunningServer, startServer } from '../../tests/support/server.ts';
import { send } from '../../tests/support/wire.ts';
import { containerCommand, containerEnv } from './container.ts';

const env = { ...containerEnv, TRUST_PROXY: '1', RATE_LIMIT: 'off', BYTES_PER_CLIENT: 'off', LOG: 'off' };
const onetCode = '29-1141.03';
const mostOfBatch = 200;
const mostMb = 450;
const mostP95 = 150;
/** Milliseconds after which a slow reader takes the next bytes. */
const sipMs = 100;
/** The longest that a wave of answers may take. */
const mostWaveMs = 120_000;

/** Returns the header of a client with another address. */
const from = (client: number) => ({ 'X-Forwarded-For': `203.0.${113 + (client >> 8)}.${client & 255}` });
const bystander = from(0);

/** Creates a workspace as large as it may be, and returns its id. Its texts are not the same, and not Latin-1. */
async function fill({ origin }: RunningServer): Promise<string> {
  let workspace: string | undefined;
  for (let made = 0; made < 5 * mostOfBatch; made += mostOfBatch) {
    const candidates = Array.from({ length: mostOfBatch - 1 }, (_, at) => ({
      name: `Zoë ${made + at} ✓`,
      onetCode,
      skills: Array.from({ length: 50 }, (_, one) => `${crypto.randomUUID()} ward ${one} of ${made + at}`),
    }));
    const body = JSON.stringify({ candidates });
    const headers = { ...from(1), ...(workspace && { 'X-Workspace': workspace }) };
    const reply = await send(origin, '/batch', { method: 'POST', headers, body });
    if (reply.status !== 200 && reply.status !== 201) break;
    workspace ??= String(reply.headers['x-workspace']);
  }
  return workspace!;
}

/** How the answers are asked for. */
interface Wave {
  path: string;
  coding: string;
  count: number;
  /** Whether each is of another client. */
  isOfMany: boolean;
}

/** An answer that is read slowly. */
interface SlowAnswer {
  socket: Socket;
  /** The status, or 0 until it has come. */
  status: number;
  code: string;
}

/** Asks for an answer, reads its head, and then a little at a time. */
function askSlowly(port: number, path: string, headers: Record<string, string>): SlowAnswer {
  const lines = Object.entries({ Host: 'a', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const socket = connect(port, '127.0.0.1', () =>
    socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`),
  );
  const answer: SlowAnswer = { socket, status: 0, code: '' };
  socket.on('error', () => {});
  socket.on('data', (bytes: Buffer) => {
    const text = bytes.toString('latin1');
    if (answer.status === 0) answer.status = Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? -1);
    answer.code ||= /"code":"(\w+)"/.exec(text.slice(0, 2000))?.[1] ?? '';
    socket.pause();
    setTimeout(() => socket.resume(), sipMs);
  });
  return answer;
}

/** Reads as another client until `isOver`. Returns how long the answers took, in milliseconds. */
async function observe({ origin }: RunningServer, isOver: () => boolean): Promise<number[]> {
  const times: number[] = [];
  while (!isOver()) {
    const start = performance.now();
    // Each call has another query, so that no reply comes from a cache.
    const path = `/candidates?occupation=29&limit=5&skill=${times.length}`;
    const { status } = await send(origin, path, { headers: bystander });
    if (status >= 500) throw new Error(`another client got ${status}`);
    times.push(performance.now() - start);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return times.sort((a, b) => a - b);
}

/** What a wave of answers came to. */
interface WaveResult {
  /** Statuses and codes that are neither an answer nor a refusal for want of room. */
  wrong: string[];
  /** How long 95 of 100 answers to another client took at most, in milliseconds. */
  p95: number;
  /** The most memory that the host has had so far. */
  peakMb: number;
}

/** Asks for the answers of a wave, until each has begun. */
async function runWave(server: RunningServer, workspace: string, wave: Wave): Promise<WaveResult> {
  const { path, coding, count, isOfMany } = wave;
  const end = performance.now() + mostWaveMs;
  const answers = Array.from({ length: count }, (_, n) =>
    askSlowly(server.port, path, {
      ...from(isOfMany ? n + 1 : 1),
      'X-Workspace': workspace,
      'Accept-Encoding': coding,
    }),
  );
  const isOver = () => performance.now() > end || answers.every(({ status }) => status !== 0);
  const times = await observe(server, isOver);
  for (const { socket } of answers) socket.destroy();
  const kinds = Map.groupBy(answers, ({ status, code }) => `${status || 'none'} ${code}`.trim());
  const tally = [...kinds].map(([kind, all]) => `${all.length} × ${kind}`);
  const p95 = times[Math.floor(times.length * 0.95)] ?? 0;
  const peakMb = readPeakMemory(server) ?? 0;
  console.log(
    `${path}, ${coding}, ${count} of ${isOfMany ? 'as many clients' : 'one client'}: ${tally.join(', ')}; another client's p95 ${p95.toFixed(1)} ms, slowest ${times.at(-1)?.toFixed(1)} ms; peak memory ${peakMb.toFixed(0)} MB`,
  );
  const wrong = [...kinds.keys()].filter((kind) => !/^(200|503 too_busy|\d+ work_share)$/.test(kind));
  return { wrong, p95, peakMb };
}

/** Asks for the largest answers in a new host, many at once, and reads them slowly, in each of `codings`. */
export async function measureAnswers(
  counts: readonly number[],
  codings: readonly string[],
): Promise<WaveResult[]> {
  const server = await startServer(env, containerCommand);
  const workspace = await fill(server);
  const results: WaveResult[] = [];
  for (const path of ['/workspace/export.csv?kind=candidates', '/workspace/export'])
    for (const count of counts)
      for (const coding of codings)
        for (const isOfMany of [false, true])
          results.push(await runWave(server, workspace, { path, coding, count, isOfMany }));
  const code = await server.stop();
  if (code !== 0) throw new Error(`the host ended with ${code}`);
  return results;
}

/** Returns whether a wave was answered as it should be, with memory to spare in 512 MiB, and others in time. */
export const isGoodWave = ({ wrong, p95, peakMb }: WaveResult) =>
  wrong.length === 0 && p95 < mostP95 && peakMb < mostMb;
