import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Case, PeerName } from './case.ts';
import { toNginxConfig } from './nginx.ts';
import { findPort, type Launch, root, type Server, start } from './processes.ts';
import { type Answer, headerOf, send, type Wire } from './wire.ts';

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
/** Node's options as npm start has them. */
const nodeOptions: string[] = scripts.start.match(/--\S+/g);

const program = (name: string) => [process.execPath, join(root, 'scripts/referees/servers', `${name}.ts`)];

let started = 0;

/** A folder of its own for one server. */
function toFolder(folder: string): string {
  started += 1;
  const own = join(folder, String(started));
  mkdirSync(own, { recursive: true });
  return own;
}

/** Starts our server as an operator would, without limits; `env` adds to that,  */
export function startOurs(folder: string, env: Record<string, string> = {}): Promise<Server> {
  const own = toFolder(folder);
  return start({
    command: [process.execPath, ...nodeOptions, 'dist/host/main.mjs'],
    env: { RATE_LIMIT: 'off', METER: 'count', DATA_DIR: own, ...env },
    log: join(own, 'log'),
  });
}

/**
 * Starts a peer. `constant` is what the raw limit and nginx answer, at `path`; the others read `facts`, a
 * file of Facts.
 */
export async function startPeer(
  name: Exclude<PeerName, 'http'>,
  { folder, facts, constant, path }: { folder: string; facts: string; constant: Answer; path: string },
): Promise<Server> {
  const own = toFolder(folder);
  const log = join(own, 'log');
  const toLaunch = (peer: string, env: Record<string, string> = {}): Launch => ({
    command: program(peer),
    env: { GIVEN: facts, DATA_DIR: own, ...env },
    log,
  });
  if (name.startsWith('raw')) {
    const given = join(own, 'given.json');
    writeFileSync(given, JSON.stringify({ ...constant, body: constant.body.toString('base64') }));
    return start(toLaunch('raw', { GIVEN: given, LOG: name === 'raw logged' ? 'on' : 'off' }));
  }
  if (name === 'nginx') {
    const port = await findPort();
    const config = join(own, 'nginx.conf');
    writeFileSync(join(own, 'body'), constant.body);
    writeFileSync(config, toNginxConfig(own, port, path, constant));
    return start({ command: ['nginx', '-p', own, '-c', config, '-e', log], port, log });
  }
  if (name === 'fastify map') return start(toLaunch('fastify', { KEEP: 'map' }));
  return start(toLaunch(name));
}

/** The requests of a case as a server is sent them: with the workspace that they are about, made there first. */
export async function toOwn({ own }: Case, { port }: Server, requests: Wire[]): Promise<Wire[]> {
  if (!own) return requests;
  const headers: Record<string, string> = {};
  for (const create of own) {
    const made = await send(port, { ...create, headers: { ...create.headers, ...headers } });
    headers['X-Workspace'] = headerOf(made, 'x-workspace')!;
  }
  return requests.map((request) => ({ ...request, headers: { ...request.headers, ...headers } }));
}
