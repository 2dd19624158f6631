import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fillIn, startNginxWith } from '../../../support/balancers.ts';
import { makeFolder, startServer, useServer } from '../../../support/server.ts';
import { deployFolder, skipsWithout } from '../../../support/tools.ts';
import { send } from '../../../support/wire.ts';

const atSocket = suite('a host on a unix socket');
const makePath = () => join(makeFolder(), 'careers.sock');
const start = (path: string, env: Record<string, string> = {}) =>
  startServer({ LISTEN: `unix:${path}`, PORT: '1', RATE_LIMIT_LIVE: '2', ...env });

function ask(socketPath: string, path: string, headers = {}): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request({ socketPath, path, headers, agent: false }, (reply) => {
      let text = '';
      reply.on('data', (chunk) => (text += chunk));
      reply.on('end', () => resolve({ status: reply.statusCode!, text }));
    });
    sent.on('error', reject).end();
  });
}
const from = (path: string, address: string) =>
  ask(path, '/candidates?limit=1', { 'X-Forwarded-For': address });

/** Returns how a start ended that must fail. */
async function failToStart(path: string): Promise<string> {
  return start(path).then(
    async (host) => {
      await host.stop();
      return 'it started';
    },
    (error: Error) => error.message,
  );
}

atSocket('answers only there, to its user and group and to the HEALTHCHECK of the container', async () => {
  const [, command] = /HEALTHCHECK[^[]*(\[.*\])/.exec(
    readFileSync(join(deployFolder, 'Dockerfile'), 'utf8'),
  )!;
  const [, ...args] = JSON.parse(command!) as string[];
  const check = (env: Record<string, string>) => spawnSync(process.execPath, args, { env }).status;
  const path = makePath();
  const host = await start(path);
  assert.is(statSync(path).mode & 0o7777, 0o660);
  assert.is((await ask(path, '/pricing')).status, 200);
  const { text } = await ask(path, '/projection.json');
  assert.match(text, /"http:\/\/localhost"/);
  assert.not.match(text, 'localhost:');
  assert.match(host.output(), `Listening on unix:${path}`);
  for (let n = 0; n < 3; n += 1)
    assert.is((await ask(path, '/candidates?limit=1')).status, 200, 'this machine is not limited');
  const forwarded = [];
  for (let n = 0; n < 3; n += 1) forwarded.push((await from(path, `192.0.2.${n}`)).status);
  assert.equal(forwarded, [200, 200, 429], 'callers behind an unknown proxy count as one');
  assert.is(check({ LISTEN: `unix:${path}`, PORT: '1' }), 0);
  const { port } = await useServer();
  assert.is(check({ PORT: String(port) }), 0);
  assert.is(await host.stop(), 0);
  assert.match(host.output(), /"client":"127\.0\.0\.1"/);
  assert.not.ok(existsSync(path));
  assert.is(check({ LISTEN: `unix:${path}`, PORT: '1' }), 1);
  assert.is(check({ PORT: '1' }), 1);
});

atSocket('replaces a file that a killed host left, and no other file', async () => {
  const path = makePath();
  await (await start(path)).kill();
  assert.ok(existsSync(path), 'the killed host left the file');
  const host = await start(path, { TRUST_PROXY: '1' });
  try {
    assert.match(await failToStart(path), /LISTEN is unix:\S+, where a process listens/);
    assert.is((await ask(path, '/healthz')).status, 200, 'the server that listens there still answers');
    const statuses = [];
    for (const at of ['192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2'])
      statuses.push((await from(path, at)).status);
    assert.equal(statuses, [200, 200, 429, 200], 'a caller is the one that a trusted proxy names');
  } finally {
    await host.stop();
  }
  assert.match(host.output(), /"status":429.*"client":"192\.0\.2\.1"/);
  const file = join(makeFolder(), 'file');
  writeFileSync(file, 'kept');
  assert.match(await failToStart(file), /LISTEN is unix:\S+, which is no socket; it was left as it is/);
  assert.is(readFileSync(file, 'utf8'), 'kept');
  const link = join(makeFolder(), 'link');
  symlinkSync('/nowhere/at/all', link);
  assert.match(await failToStart(link), /where something is, such as a link that leads nowhere\. Remove it/);
});

if (!skipsWithout('nginx')) {
  atSocket('nginx reaches it with the line of the example', async () => {
    const path = makePath();
    const host = await start(path, { TRUST_PROXY: '1' });
    const example = readFileSync(join(deployFolder, 'nginx.conf'), 'utf8');
    assert.match(example, '# Or, on one machine, by LISTEN: server unix:/run/careers/careers.sock;');
    const front = await startNginxWith((port) =>
      fillIn(example, [
        ['listen 8080;', `listen 127.0.0.1:${port};`],
        [
          '  server 127.0.0.1:4321 max_fails=1 fail_timeout=1s;',
          `  server unix:${path} max_fails=1 fail_timeout=1s;`,
        ],
      ]),
    );
    const body = '{"name": "A", "onetCode": "15-1252.00"}';
    const { status } = await send(front.origin, '/candidates', { method: 'POST', body });
    front.stop();
    await host.stop();
    assert.is(status, 201);
    assert.match(host.output(), /"operation":"createCandidate","status":201.*"client":"127\.0\.0\.1"/);
  });
}

atSocket.run();
