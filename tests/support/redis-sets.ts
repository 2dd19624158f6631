import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { askRedis, type RedisProcess, startRedis, until } from './redis.ts';
import { makeFolder } from './server.ts';

/** Servers that belong together; `started` has all of them. */
export interface RedisSet {
  url: string;
  started: RedisProcess[];
}

const master = 'careers';
const local = '127.0.0.1';
const toScheme = (tls: Tls | undefined) => (tls ? 'rediss' : 'redis');

/** Replicas get writes at once. The system keeps what a killed server wrote, so servers do not flush. */
const quick = ['--repl-diskless-sync-delay', '0', '--appendfsync', 'no'];

/** Returns the server that the sentinels call the master. */
export function findMaster({ sentinels, servers }: SentinelSet): RedisProcess | undefined {
  const live = sentinels.find(({ process }) => process.exitCode === null && process.signalCode === null)!;
  const told = askRedis(live.port, 'SENTINEL', 'GET-MASTER-ADDR-BY-NAME', master).split('\n');
  return servers.find(({ port }) => String(port) === told[1]);
}

export interface SentinelSet extends RedisSet {
  servers: RedisProcess[];
  sentinels: RedisProcess[];
}

/**
 * Starts three sentinels for a master and its replicas. They fail over within a second or two. All have the
 * password, and speak only TLS if `tls` is given.
 */
export async function startSentinelSet(
  replicas = 1,
  { password = '', tls }: { password?: string; tls?: Tls | undefined } = {},
): Promise<SentinelSet> {
  const options = [
    ...(password && ['--requirepass', password, '--masterauth', password]),
    ...['--min-replicas-to-write', '1', '--min-replicas-max-lag', '3', ...quick],
  ];
  const first = await startRedis(options, { tls });
  const rest = Array.from({ length: replicas }, () =>
    startRedis([...options, '--replicaof', local, String(first.port)], { tls }),
  );
  const servers = [first, ...(await Promise.all(rest))];
  const startSentinel = async () => {
    const file = join(makeFolder(), 'sentinel.conf');
    const lines = [
      `sentinel monitor ${master} ${local} ${first.port} 2`,
      `sentinel down-after-milliseconds ${master} 1000`,
      `sentinel failover-timeout ${master} 3000`,
      `sentinel parallel-syncs ${master} 2`,
      ...(password && [`sentinel auth-pass ${master} ${password}`, `requirepass ${password}`]),
    ];
    writeFileSync(file, lines.join('\n'));
    return startRedis([], { sentinel: file, tls });
  };
  const sentinels = await Promise.all([startSentinel(), startSentinel(), startSentinel()]);
  const isWatched = () =>
    sentinels.every(({ port }) => {
      const told = askRedis(port, 'SENTINEL', 'MASTER', master);
      return told.includes(`num-slaves\n${replicas}\n`) && told.includes('num-other-sentinels\n2\n');
    });
  await until(isWatched, 'the sentinels know all servers', 30_000);
  const nodes = sentinels.map(({ port }) => `${local}:${port}`).join();
  const url = `${toScheme(tls)}-sentinel://${password && `:${password}@`}${nodes}/${master}`;
  return { url, servers, sentinels, started: [...servers, ...sentinels] };
}

/** Returns what `CLUSTER NODES` says about each node. */
export const readNodes = (port: number) =>
  askRedis(port, 'CLUSTER', 'NODES')
    .trim()
    .split('\n')
    .map((line) => {
      const [id = '', address = '', flags = '', master = '', , , , , ...slots] = line.split(' ');
      return {
        id,
        port: Number(/:(\d+)/.exec(address)?.[1]),
        isMaster: /master/.test(flags),
        isDown: /fail/.test(flags),
        /** The id of the master of a replica. */
        master,
        slots,
      };
    });

/** Starts three masters that share the slots, and a replica of each, as `redis-cli --cluster create` does. */
export async function startClusterSet(tls?: Tls, more: string[] = []): Promise<RedisSet> {
  const options = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '1500', ...quick, ...more];
  const started = await Promise.all(Array.from({ length: 6 }, async () => startRedis(options, { tls })));
  const nodes = started.map(({ port }) => `${local}:${port}`);
  const create = ['--cluster', 'create', ...nodes, '--cluster-replicas', '1', '--cluster-yes'];
  const made = askRedis(started[0]!.port, ...create);
  if (!made.includes('All 16384 slots covered')) throw new Error(made);
  const isWhole = ({ port }: RedisProcess) =>
    /cluster_state:ok/.test(askRedis(port, 'CLUSTER', 'INFO')) &&
    readNodes(port).filter(({ isMaster }) => isMaster).length === 3 &&
    /connected_slaves:1|master_link_status:up/.test(askRedis(port, 'INFO', 'replication'));
  await until(() => started.every(isWhole), 'the cluster is whole', 30_000);
  return { url: `${toScheme(tls)}-cluster://${nodes.slice(0, 3).join()}`, started };
}

/** What a server needs to speak only TLS, and the file of its authority. */
export interface Tls {
  authority: string;
  options: string[];
}

const here = 'IP:127.0.0.1,DNS:localhost';

/**
 * Makes an authority, and a certificate for these names that is valid for this many days, in a new folder.
 */
export function makeTls({ names = here, days = 2 } = {}): Tls {
  const folder = makeFolder();
  const at = (name: string) => join(folder, name);
  const run = (...args: string[]) => execFileSync('openssl', args, { stdio: 'pipe' });
  const ask = (name: string, ...more: string[]) => {
    const fresh = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-subj', `/CN=${name}`];
    run('req', ...fresh, '-keyout', at(`${name}.key`), ...more);
  };
  ask('authority', '-x509', '-days', '2', '-out', at('authority.pem'));
  ask('server', '-new', '-addext', `subjectAltName=${names}`, '-out', at('asked.pem'));
  const signer = ['-CA', at('authority.pem'), '-CAkey', at('authority.key'), '-copy_extensions', 'copy'];
  run('x509', '-req', '-in', at('asked.pem'), ...signer, '-days', String(days), '-out', at('server.pem'));
  const files = ['--tls-cert-file', at('server.pem'), '--tls-key-file', at('server.key')];
  const vouched = ['--tls-ca-cert-file', at('authority.pem'), '--tls-auth-clients', 'no'];
  return {
    authority: at('authority.pem'),
    options: [...files, ...vouched, '--tls-replication', 'yes', '--tls-cluster', 'yes'],
  };
}

/** Makes this process trust an authority from here on, as NODE_EXTRA_CA_CERTS does at the start. */
export function trust({ authority }: Tls): void {
  setDefaultCACertificates([...getCACertificates(), readFileSync(authority, 'utf8')]);
}
