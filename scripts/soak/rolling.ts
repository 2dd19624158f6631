import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { startHaproxyBefore, startNginxBefore } from '../../tests/support/balancers.ts';
import { startRedis } from '../../tests/support/redis.ts';
import { findPort, type RunningServer, startServer } from '../../tests/support/server.ts';
import { send } from '../../tests/support/wire.ts';

const proxies = { nginx: startNginxBefore, haproxy: startHaproxyBefore };
export type ProxyName = keyof typeof proxies;

const candidate = JSON.stringify({ name: 'A', onetCode: '15-1252.00' });
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** What happened to requests through a proxy while the instances behind it were restarted. */
interface Rolled {
  gets: number;
  posts: number;
  /** Reads that waited for a change and were answered with one. */
  waits: number;
  restarts: number;
  /** Faults that a caller saw: no answer, or one that is not 200 or 201. */
  failed: string[];
  /** Creates that were answered but are missing afterwards, or are there twice. */
  lost: number;
}

/** Sends reads, creates with a key each, and calls that wait, over kept connections, until it is stopped. */
function startStream(origin: string, workspace: string) {
  const failed: string[] = [];
  const made = new Set<string>();
  const counts = { gets: 0, posts: 0, waits: 0 };
  let isOn = true;
  const call = async (_: unknown, index: number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const isPost = index % 2 === 0;
    for (let turn = 0; isOn; turn += 1) {
      const path = isPost
        ? '/candidates'
        : ['/pricing', '/occupations?q=nurse', '/candidates?limit=2'][turn % 3]!;
      const key = { 'X-Workspace': workspace, 'Idempotency-Key': randomUUID() };
      const what = isPost ? { method: 'POST', body: candidate, headers: key } : {};
      try {
        const { status, bytes } = await send(origin, path, { ...what, agent });
        counts[isPost ? 'posts' : 'gets'] += 1;
        if (status !== (isPost ? 201 : 200))
          failed.push(`${path} ${status} ${bytes.toString().slice(0, 200)}`);
        else if (isPost) made.add(JSON.parse(bytes.toString()).candidate.id);
      } catch (error) {
        failed.push(`${path} ${(error as NodeJS.ErrnoException).code ?? error}`);
      }
      await pause(4);
    }
    agent.destroy();
  };
  const waitAgain = async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let tag = '"none"'; isOn; ) {
      const headers = { 'X-Workspace': workspace, 'If-None-Match': tag, Prefer: 'wait=5' };
      try {
        const answer = await send(origin, '/workspace', { headers, agent });
        if (answer.status === 200 || answer.status === 304) counts.waits += 1;
        else failed.push(`a wait ${answer.status} ${answer.bytes.toString().slice(0, 200)}`);
        tag = answer.headers.etag ?? tag;
      } catch (error) {
        failed.push(`a wait ${(error as NodeJS.ErrnoException).code ?? error}`);
      }
    }
    agent.destroy();
  };
  const callers = [...Array.from({ length: 12 }, call), ...Array.from({ length: 4 }, waitAgain)];
  return {
    made,
    async end() {
      isOn = false;
      await Promise.all(callers);
      return { ...counts, failed };
    },
  };
}

/** Returns the ids of the candidates in a workspace. */
async function readIds(origin: string, workspace: string): Promise<Set<string>> {
  const ids = new Set<string>();
  for (let cursor = ''; ; ) {
    const path = `/workspace/export${cursor && `?cursor=${encodeURIComponent(cursor)}`}`;
    const { status, bytes } = await send(origin, path, { headers: { 'X-Workspace': workspace } });
    // A store that is still busy with the stream says so.
    if (status === 503) {
      await pause(200);
      continue;
    }
    const { candidates, nextCursor } = JSON.parse(bytes.toString());
    if (!candidates) throw new Error(`${status} ${bytes.toString().slice(0, 500)}`);
    for (const { id } of candidates) ids.add(id);
    if (!nextCursor) return ids;
    cursor = nextCursor;
  }
}

/**
 * Starts two hosts on one redis-server behind a real proxy. Stops each with SIGTERM and starts it again in
 * turn, this many times, while requests run.
 */
export async function roll(name: ProxyName, rounds: number): Promise<Rolled> {
  const redis = await startRedis();
  const ports = [await findPort(), await findPort()] as const;
  const start = (port: number) =>
    startServer({
      PORT: String(port),
      STORE_URL: `redis://127.0.0.1:${redis.port}`,
      TRUST_PROXY: '1',
      RATE_LIMIT: 'off',
      BYTES_PER_CLIENT: 'off',
      RECORD_CEILING: '1000000',
      METER: 'count',
      GRACE_SECONDS: '2',
      LOG: 'off',
    });
  const hosts: RunningServer[] = await Promise.all(ports.map(start));
  const all = [...hosts];
  const proxy = await proxies[name](ports);
  try {
    const first = await send(proxy.origin, '/candidates', { method: 'POST', body: candidate });
    const workspace = String(first.headers['x-workspace']);
    const stream = startStream(proxy.origin, workspace);
    await pause(500);
    for (let turn = 0; turn < rounds * 2; turn += 1) {
      const at = turn % 2;
      await hosts[at]!.stop();
      await pause(300);
      hosts[at] = await start(ports[at]!);
      all.push(hosts[at]);
      // HAProxy checks once a second whether an instance is back, and is slower on a busy machine.
      await pause(5000);
    }
    const told = await stream.end();
    if (told.failed.length > 0) told.failed.push(...all.map((host) => host.output()));
    const there = await readIds(proxy.origin, workspace);
    const gone = [...stream.made].filter((id) => !there.has(id)).length;
    const twice = there.size - 1 - stream.made.size;
    return { ...told, restarts: rounds * 2, lost: gone + Math.max(0, twice) };
  } finally {
    proxy.stop();
    await Promise.all(hosts.map((host) => host.stop()));
    await redis.stop();
  }
}
