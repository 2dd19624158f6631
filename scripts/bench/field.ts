import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Facts } from '../referees/servers/facts.ts';
import type { Case, PeerName } from './cases.ts';
import { findPort, type Launch, root, type Server, start } from './processes.ts';
import { creates } from './requests.ts';
import { type Answer, get, headerOf, post, send, type Wire } from './wire.ts';

/** Headers that nginx makes from the file itself. */
const itsOwn = ['content-type', 'content-length'];

function toHeaderLines({ headers }: Answer): string[] {
  return headers.flatMap((name, index) =>
    index % 2 === 0 && !itsOwn.includes(name.toLowerCase())
      ? [`add_header ${name} '${headers[index + 1]}';`]
      : [],
  );
}

/**
 * One nginx worker that serves the file `body` in `folder` at `path`, with the headers of `answer`. It keeps the
 * access log that Debian's package keeps, and like there no open_file_cache.
 */
function toNginxConfig(folder: string, port: number, path: string, answer: Answer): string {
  const type = answer.headers[answer.headers.findIndex((name) => name.toLowerCase() === 'content-type') + 1];
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  return `daemon off;
master_process off;
pid ${join(folder, 'pid')};
events { worker_connections 1024; }
http {
  ${temporary.join('\n  ')}
  access_log ${join(folder, 'access.log')};
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000000;
  server_tokens off;
  etag off;
  max_ranges 0;
  types {}
  default_type '${type}';
  server {
    listen 127.0.0.1:${port};
    location = ${path} {
      alias ${join(folder, 'body')};
      add_header Last-Modified '';
      ${toHeaderLines(answer).join('\n      ')}
    }
  }
}
`;
}

const ofTheBody = ['content-length', 'content-type'];
const ofTheCreate = ['location', 'x-workspace'];

function toHeaders({ headers }: Answer): Record<string, string> {
  const pairs = headers.flatMap((name, index) => (index % 2 ? [] : [[name, headers[index + 1]!] as const]));
  const left = pairs.filter(([name]) => ![...ofTheBody, ...ofTheCreate].includes(name.toLowerCase()));
  return { 'Content-Type': 'application/json; charset=utf-8', ...Object.fromEntries(left) };
}

/** Asks our server what the peers are to answer, and writes it into `folder`; answers the file. */
export async function writeFacts(port: number, folder: string): Promise<string> {
  const ask = async (path: string) => JSON.parse((await send(port, get(path))).body.toString('utf8'));
  const list = await send(port, get('/placements?status=completed'));
  const created = await send(port, creates[0]!);
  const tools = await send(port, post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }));
  const facts: Facts = {
    placements: (await ask('/placements')).placements,
    candidates: (await ask('/candidates')).candidates,
    codes: (await ask('/occupations')).occupations.map(({ id }: { id: string }) => id),
    listHeaders: toHeaders(list),
    createHeaders: toHeaders(created),
    created: JSON.parse(created.body.toString('utf8')),
    tool: JSON.parse(tools.body.toString('utf8')).result.tools.find(
      ({ name }: { name: string }) => name === 'listPlacements',
    ),
  };
  const file = join(folder, 'facts.json');
  writeFileSync(file, JSON.stringify(facts));
  return file;
}

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
