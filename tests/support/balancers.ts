import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findPort, makeFolder } from './server.ts';
import { startProcess } from './static-host.ts';
import { deployFolder, has } from './tools.ts';

const read = (name: string) => readFileSync(join(deployFolder, name), 'utf8');

/** Starts the nginx of the example as a cache in front of a host. `assets` are files of builds, by path. */
export const startNginxCacheBefore = (
  host: number,
  assets: Readonly<Record<string, string>> = {},
): Promise<Front> =>
  startNginxWith((port, folder) => {
    for (const [path, text] of Object.entries(assets)) {
      mkdirSync(join(folder, 'assets', path, '..'), { recursive: true });
      writeFileSync(join(folder, 'assets', path), text);
    }
    return fillIn(read('nginx-cache.conf'), [
      ['listen 8080;', `listen 127.0.0.1:${port};`],
      ['server 127.0.0.1:4321;', `server 127.0.0.1:${host};`],
      ['/var/cache/nginx/careers', join(folder, 'cache')],
      ['root /srv/careers/assets;', `root ${join(folder, 'assets')};`],
    ]);
  });

const deploy = join(import.meta.dirname, '..', '..', 'dist', 'deploy');

export const hasNginx = has('nginx');

/** Starts nginx with the configuration of the build, in a new folder. */
export const startNginx = (): Promise<Front> =>
  startNginxWith(
    (port) =>
      readFileSync(join(deploy, 'nginx.conf'), 'utf8')
        .replace('listen 8080;', `listen 127.0.0.1:${port};`)
        .replace('root /srv/careers;', `root ${join(deploy, 'site')};`),
    '',
  );

/** A proxy in front of hosts. */
export interface Front {
  origin: string;
  stop(): void;
}

/** Replaces texts of an example. Throws if the example does not contain one of them. */
export function fillIn(example: string, pairs: readonly (readonly [string, string])[]): string {
  return pairs.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`the example has no ${from}`);
    return text.replaceAll(from, to);
  }, example);
}

/** Starts nginx with a configuration for inclusion in `http`, in a new folder. */
export async function startNginxWith(
  toText: (port: number, folder: string) => string,
  ready = '/healthz',
): Promise<Front> {
  const [folder, port] = [makeFolder(), await findPort()];
  const origin = `http://127.0.0.1:${port}`;
  for (const name of ['body', 'proxy', 'fastcgi', 'uwsgi', 'scgi', 'logs']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'careers.conf'), toText(port, folder));
  writeFileSync(
    join(folder, 'nginx.conf'),
    `worker_processes 1;
daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
pid nginx.pid;
error_log stderr crit;
events { worker_connections 1024; }
http {
  access_log off;
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
  include careers.conf;
}
`,
  );
  const args = ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr'];
  const child = await startProcess('nginx', args, folder, origin + ready);
  return { origin, stop: () => child.kill('SIGTERM') };
}

/**
 * Starts the nginx of the example in front of hosts at these ports. `changes` replaces texts of the example.
 */
export const startNginxBefore = (
  [one, two]: readonly [number, number],
  changes: readonly (readonly [string, string])[] = [],
): Promise<Front> =>
  startNginxWith((port) =>
    fillIn(read('nginx.conf'), [
      ['listen 8080;', `listen 127.0.0.1:${port};`],
      ['server 127.0.0.1:4321 ', `server 127.0.0.1:${one} `],
      ['# server 127.0.0.1:4322 ', `server 127.0.0.1:${two} `],
      ...changes,
    ]),
  );

/**
 * Starts the HAProxy of the example in front of hosts at these ports. `pairs` replaces texts of the example.
 */
export async function startHaproxyBefore(
  [one, two]: readonly [number, number],
  bind = '',
  pairs: readonly (readonly [string, string])[] = [],
): Promise<Front> {
  const [folder, port] = [makeFolder(), await findPort()];
  const origin = `http://127.0.0.1:${port}`;
  const text = fillIn(read('haproxy.cfg'), [
    ['bind :8080', `bind 127.0.0.1:${port}\n  ${bind}`],
    ['server one 127.0.0.1:4321', `server one 127.0.0.1:${one}`],
    ['server two 127.0.0.1:4322', `server two 127.0.0.1:${two}`],
    ...pairs,
  ]);
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, text);
  const child = await startProcess('haproxy', ['-db', '-f', file], folder, `${origin}/healthz`);
  return { origin, stop: () => child.kill('SIGKILL') };
}

/** Where Caddy listens for TLS, and the files of its certificate and key. */
interface CaddyTls {
  port: number;
  certificate: string;
  key: string;
}

/**
 * Starts the Caddy of the example in front of hosts at these ports. `pairs` replaces texts of the example.
 */
export async function startCaddyBefore(
  [one, two]: readonly [number, number],
  pairs: readonly (readonly [string, string])[] = [],
  tls?: CaddyTls,
): Promise<Front> {
  const [folder, port, redirects] = [makeFolder(), await findPort(), await findPort()];
  const origin = `http://127.0.0.1:${port}`;
  const address = `http://careers.example:${port}, http://:${port} {`;
  // Without these it listens on all addresses, and on the ports 80 and 2019.
  const options = ['admin off', 'default_bind 127.0.0.1', `http_port ${redirects}`];
  const plain = fillIn(read('Caddyfile'), [
    ['{\n\tservers {', ['{', ...options, 'servers {'].join('\n\t')],
    ['careers.example, https:// {', address],
    ['127.0.0.1:4321', `127.0.0.1:${one}`],
    ['127.0.0.1:4322', `127.0.0.1:${two}`],
    ...pairs,
  ]);
  const site = plain.slice(plain.indexOf(address) + address.length);
  const secure = tls ? `https://:${tls.port} {\n\ttls ${tls.certificate} ${tls.key}${site}` : '';
  const file = join(folder, 'Caddyfile');
  writeFileSync(file, plain + secure);
  const homes = ['HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME'].map((name) => `${name}=${folder}`);
  const args = [...homes, 'caddy', 'run', '--config', file, '--adapter', 'caddyfile'];
  const child = await startProcess('env', args, folder, `${origin}/healthz`);
  return { origin, stop: () => child.kill('SIGKILL') };
}
