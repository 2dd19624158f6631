import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type Front,
  fillIn,
  startCaddyBefore,
  startHaproxyBefore,
  startNginx,
  startNginxBefore,
  startNginxCacheBefore,
  startNginxWith,
} from '../../../support/balancers.ts';
import { findPort } from '../../../support/server.ts';
import { deployFolder, skipsWithout } from '../../../support/tools.ts';
import { send, sendRaw } from '../../../support/wire.ts';

const own = suite('replies of a proxy');

const fronts: Record<string, () => Promise<Front>> = {
  'nginx.conf': async () => startNginxBefore([await findPort(), await findPort()]),
  'nginx-cache.conf': async () => startNginxCacheBefore(await findPort()),
  'haproxy.cfg': async () => startHaproxyBefore([await findPort(), await findPort()]),
  Caddyfile: async () => startCaddyBefore([await findPort(), await findPort()]),
  'the nginx.conf of the build': startNginx,
};

const programs: Record<string, string> = { 'haproxy.cfg': 'haproxy', Caddyfile: 'caddy' };
const programOf = (name: string) => programs[name] ?? 'nginx';

const started = new Map<string, Promise<Front>>();
own.after(async () => {
  for (const front of started.values()) (await front).stop();
});

/** Returns a proxy without an instance. All tests of a configuration share one. */
async function useFront(name: string): Promise<Front & { port: number }> {
  const starting = started.get(name) ?? fronts[name]!();
  started.set(name, starting);
  const front = await starting;
  return { ...front, port: Number(new URL(front.origin).port) };
}

interface Answered {
  status: number;
  type: string | undefined;
  text: string;
}

/**
 * Asserts the status of an answer, and JSON with a type: EMPTY for a 404, otherwise BLOCKED with a reason.
 */
function hold({ status, type, text }: Answered, wanted: number): void {
  assert.is(status, wanted, text);
  assert.match(type ?? '', /^application\/json/);
  const body = JSON.parse(text);
  if (wanted === 404) {
    assert.is(body.type, 'EMPTY');
    assert.match(body.message, /\w/);
    return;
  }
  assert.is(body.type, 'BLOCKED');
  assert.match(body.code, /^[a-z_]+$/);
  assert.match(body.reason, /^[A-Z].*\.$/);
}

async function ask(origin: string, path: string, options = {}): Promise<Answered & { headers: object }> {
  const { status, headers, bytes } = await send(origin, path, { agent: false, ...options });
  return { status, type: headers['content-type'], text: bytes.toString(), headers };
}

async function askRaw(port: number, bytes: string): Promise<Answered> {
  const { status, head, text } = await sendRaw(port, bytes);
  return { status, type: /^content-type: (.*)$/im.exec(head)?.[1], text };
}

const toRaw = (line: string, ...headers: string[]) =>
  [line, 'Host: localhost', 'Connection: close', ...headers, '', ''].join('\r\n');
const large = 'x'.repeat(200_000);

/** Requests that each proxy refuses itself, and the status; `raw` is sent as it is. */
const refusals: Record<string, { what: string; status: number; path?: string; raw?: string }[]> = {
  'nginx.conf': [
    { what: 'no instance', status: 502, path: '/candidates' },
    {
      what: 'a POST that may be sent again',
      status: 502,
      raw: `${toRaw('POST /candidates HTTP/1.1', 'Idempotency-Key: "0123456789abcdef"', 'Content-Length: 0')}`,
    },
    { what: 'a probe that is hidden', status: 404, path: '/readyz' },
    { what: 'metrics', status: 404, path: '/metrics' },
    { what: 'no HTTP', status: 400, raw: toRaw('GET /candidates HTTP/1.1', 'Host: two') },
    { what: 'a line that is no request', status: 400, raw: 'nonsense\r\n\r\n' },
    { what: 'a large body', status: 413, raw: toRaw('POST /candidates HTTP/1.1', 'Content-Length: 2000000') },
    { what: 'a long address', status: 414, raw: toRaw(`GET /${large} HTTP/1.1`) },
    { what: 'large headers', status: 431, raw: toRaw('GET / HTTP/1.1', `X-Large: ${large}`) },
    { what: 'another version', status: 505, raw: toRaw('GET / HTTP/4.0') },
  ],
  // HAProxy answers what is not HTTP with a page of its own, before it reads its rules.
  'haproxy.cfg': [
    { what: 'no instance', status: 503, path: '/candidates' },
    { what: 'a probe that is hidden', status: 404, path: '/readyz' },
    { what: 'metrics', status: 404, path: '/metrics' },
  ],
  // Caddy answers large headers, other versions and what is not HTTP in plain text, before it reads its
  // rules.
  Caddyfile: [
    { what: 'no instance', status: 503, path: '/candidates' },
    {
      what: 'a POST without an instance',
      status: 503,
      raw: toRaw('POST /candidates HTTP/1.1', 'Content-Length: 0'),
    },
    { what: 'a probe that is hidden', status: 404, path: '/readyz' },
    { what: 'metrics', status: 404, path: '/metrics' },
    { what: 'a large body', status: 413, raw: toRaw('POST /candidates HTTP/1.1', 'Content-Length: 2000000') },
  ],
  'the nginx.conf of the build': [
    { what: 'a line that is no request', status: 400, raw: 'nonsense\r\n\r\n' },
    { what: 'a large body', status: 413, raw: toRaw('GET /pricing HTTP/1.1', 'Content-Length: 2000000') },
    { what: 'a long address', status: 431, raw: toRaw(`GET /${large} HTTP/1.1`) },
    { what: 'large headers', status: 431, raw: toRaw('GET / HTTP/1.1', `X-Large: ${large}`) },
    { what: 'another version', status: 505, raw: toRaw('GET / HTTP/4.0') },
  ],
};
refusals['nginx-cache.conf'] = refusals['nginx.conf']!;

for (const [name, cases] of Object.entries(refusals)) {
  if (skipsWithout(programOf(name))) continue;
  for (const { what, status, path, raw } of cases)
    own(`${name}: ${what} is ${status}, with a type`, async () => {
      const { origin, port } = await useFront(name);
      hold(path === undefined ? await askRaw(port, raw!) : await ask(origin, path), status);
    });
}

for (const name of ['nginx.conf', 'nginx-cache.conf', 'haproxy.cfg', 'Caddyfile']) {
  if (skipsWithout(programOf(name))) continue;
  own(`${name}: without an instance it allows any origin, no cache, and sends Retry-After`, async () => {
    const { origin } = await useFront(name);
    const headers = (await ask(origin, '/candidates')).headers as Record<string, string>;
    assert.is(headers['access-control-allow-origin'], '*');
    assert.is(headers['cache-control'], 'no-store');
    assert.is(headers['retry-after'], '2');
    assert.is(headers['x-content-type-options'], 'nosniff');
  });
}

/** Starts an instance that is ready, and answers everything else with these bytes, or never. */
async function startBroken(answer?: string) {
  const sockets = new Set<Socket>();
  const ready = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}';
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      if (/^GET \/(readyz|healthz)/.test(chunk.toString('latin1'))) socket.write(ready);
      else if (answer !== undefined) socket.end(answer);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { port: (server.address() as AddressInfo).port, stop };
}

/** Proxies that wait for a second at most, in front of an instance at this port. */
const impatient: Record<string, (instance: number) => Promise<Front>> = {
  'nginx.conf': (instance) => {
    const example = readFileSync(join(deployFolder, 'nginx.conf'), 'utf8');
    return startNginxWith((port) =>
      fillIn(example, [
        ['listen 8080;', `listen 127.0.0.1:${port};`],
        ['127.0.0.1:4321', `127.0.0.1:${instance}`],
        ['proxy_read_timeout 35s;', 'proxy_read_timeout 1s;'],
      ]),
    );
  },
  'haproxy.cfg': (instance) =>
    startHaproxyBefore([instance, instance], '', [['timeout server 35s', 'timeout server 1s']]),
  Caddyfile: (instance) =>
    startCaddyBefore(
      [instance, instance],
      [
        ['response_header_timeout 35s', 'response_header_timeout 1s'],
        ['lb_try_duration 30s', 'lb_try_duration 1s'],
      ],
    ),
};

for (const [name, start] of Object.entries(impatient)) {
  if (skipsWithout(programOf(name))) continue;
  for (const [what, status, answer] of [
    ['does not answer in time', 504, undefined],
    ['ends without an answer', 502, ''],
  ] as const)
    own(`${name}: an instance that ${what} is ${status}, with a type`, async () => {
      const instance = await startBroken(answer);
      const front = await start(instance.port);
      try {
        hold(await ask(front.origin, '/candidates'), status);
      } finally {
        front.stop();
        instance.stop();
      }
    });
}

if (!skipsWithout('caddy'))
  own('Caddyfile: a large body without a length is 413, with a type', async () => {
    const instance = await startBroken();
    const front = await startCaddyBefore([instance.port, instance.port]);
    const chunk = `${large.length.toString(16)}\r\n${large}\r\n`;
    const head = toRaw('POST /candidates HTTP/1.1', 'Transfer-Encoding: chunked');
    try {
      hold(await askRaw(Number(new URL(front.origin).port), head + chunk.repeat(8)), 413);
    } finally {
      front.stop();
      instance.stop();
    }
  });

own.run();
