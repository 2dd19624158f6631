import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { type RequestOptions, request } from 'node:https';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type Front,
  fillIn,
  startCaddyBefore,
  startHaproxyBefore,
  startNginxWith,
} from '../../../support/balancers.ts';
import { findPort, makeFolder, useServer } from '../../../support/server.ts';
import { deployFolder, skipsWithout } from '../../../support/tools.ts';

/** Half a year: the least that checkers of such headers accept. */
const leastSeconds = 15_768_000;
const front = suite('TLS in front of the host');
const folder = makeFolder();
const host = await useServer();
const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
const read = (...parts: string[]) => readFileSync(join(...parts), 'utf8');

/** Returns the headers of an answer over TLS. The certificate is our own. */
function ask(address: RequestOptions, path: string, method = 'GET'): Promise<IncomingHttpHeaders> {
  const options = { ...address, path, method, rejectUnauthorized: false, agent: false } as const;
  return new Promise((resolve, reject) => {
    const sent = request(options, (reply) => {
      reply.resume().on('end', () => resolve(reply.headers));
    });
    sent.on('error', reject).end();
  });
}

/** Starts nginx with an example, at a port, and with TLS at a socket. */
const startNginx = (example: string, tls: string, pairs: [string, string][]): Promise<Front> =>
  startNginxWith((port, inside) => {
    const lines = [`listen 127.0.0.1:${port};`, `listen unix:${tls} ssl;`];
    const own = [`ssl_certificate ${certificate};`, `ssl_certificate_key ${key};`];
    const text = fillIn(example, [['listen 8080;', [...lines, ...own].join(' ')], ...pairs]);
    return text.replaceAll('/var/cache/nginx', inside);
  }, '/index.html');

/** Starts nginx with the lines for TLS that its example has in comments. `plain` is the port that redirects. */
function startNginxWithTls(tls: string, host: number, plain: number): Promise<Front> {
  const line = /^( *)# ?(?=\s*(listen (\[::\]:)?(443 ssl|80);|ssl_certificate|server \{|return 308|\}))/gm;
  const example = read(deployFolder, 'nginx.conf').replace(line, '$1');
  return startNginxWith((port) =>
    fillIn(example, [
      ['127.0.0.1:4321', `127.0.0.1:${host}`],
      ['listen 8080;', `listen 127.0.0.1:${port};`],
      ['listen 443 ssl;', `listen unix:${tls} ssl;`],
      ['listen [::]:443 ssl;', ''],
      ['/etc/ssl/careers.pem', certificate],
      ['/etc/ssl/careers.key', key],
      ['listen 80;', `listen 127.0.0.1:${plain};`],
      ['listen [::]:80;', ''],
    ]),
  );
}

/** A proxy, and where it listens for TLS if that is not the socket. */
interface TlsFront extends Front {
  address?: RequestOptions;
}

/** What each proxy needs besides its ports. */
const examples: Record<string, (tls: string, host: number) => Promise<TlsFront>> = {
  'nginx.conf': async (tls, host) => startNginxWithTls(tls, host, await findPort()),
  'nginx-cache.conf': (tls, host) => {
    const assets = join(folder, 'assets');
    mkdirSync(join(assets, '_astro'), { recursive: true });
    writeFileSync(join(assets, '_astro', 'a.css'), 'a{}');
    return startNginx(read(deployFolder, 'nginx-cache.conf'), tls, [
      ['127.0.0.1:4321', `127.0.0.1:${host}`],
      ['/srv/careers/assets', assets],
    ]);
  },
  'the nginx.conf of the build': (tls) => {
    const built = join(import.meta.dirname, '..', '..', '..', '..', 'dist', 'deploy');
    return startNginx(read(built, 'nginx.conf'), tls, [['/srv/careers', join(built, 'site')]]);
  },
  'haproxy.cfg': async (tls, host) => {
    const both = join(folder, 'both.pem');
    writeFileSync(both, read(certificate) + read(key));
    return startHaproxyBefore([host, await findPort()], `bind unix@${tls} ssl crt ${both}`);
  },
  Caddyfile: async (_, host) => {
    const port = await findPort();
    const front = await startCaddyBefore([host, await findPort()], [], { port, certificate, key });
    return { ...front, address: { host: '127.0.0.1', port, servername: 'localhost' } };
  },
};
const programs: Record<string, string> = { 'haproxy.cfg': 'haproxy', Caddyfile: 'caddy' };

/** Answers of the host, of a file, and of the proxy itself. */
const asked: [path: string, method?: string][] = [
  ['/'],
  ['/candidates?x=1'],
  ['/_astro/a.css'],
  ['/metrics'],
  ['/nothing-is-here'],
  ['/', 'OPTIONS'],
  ['/pricing', 'PUT'],
];

if (!skipsWithout('openssl')) {
  const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  spawnSync('openssl', [...args, '-subj', '/CN=localhost', '-keyout', key, '-out', certificate]);
  if (!skipsWithout('nginx'))
    front('nginx.conf leads plain requests to https, and keeps their method', async () => {
      const plain = await findPort();
      const { stop } = await startNginxWithTls(join(makeFolder(), 'tls.sock'), host.port, plain);
      try {
        const address = `http://127.0.0.1:${plain}/candidates?x=1`;
        const { status, headers } = await fetch(address, { method: 'POST', redirect: 'manual' });
        assert.is(status, 308);
        assert.is(headers.get('location'), 'https://127.0.0.1/candidates?x=1');
      } finally {
        stop();
      }
    });
  for (const [name, start] of Object.entries(examples)) {
    if (skipsWithout(programs[name] ?? 'nginx')) continue;
    front(`${name} sends Strict-Transport-Security in every answer over TLS, and in no other`, async () => {
      const tls = join(makeFolder(), 'tls.sock');
      const { origin, stop, address = { socketPath: tls } } = await start(tls, host.port);
      try {
        for (const [path, method] of asked) {
          const { 'strict-transport-security': told } = await ask(address, path, method);
          const [, seconds] = /^max-age=(\d+)$/.exec(String(told)) ?? [];
          assert.ok(Number(seconds) >= leastSeconds, `${method} ${path}: ${told}`);
          const plain = await fetch(origin + path, { ...(method && { method }) });
          assert.is(plain.headers.get('strict-transport-security'), null, path);
        }
      } finally {
        stop();
      }
    });
  }
}

front.run();
