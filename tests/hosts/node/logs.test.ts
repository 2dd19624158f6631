import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Client, connect } from '../../support/http.ts';
import { findPort, makeFolder, withServer } from '../../support/server.ts';
import { sendRaw } from '../../support/wire.ts';

const logs = suite('logs');
const candidate = { name: 'Nobody Else', onetCode: '15-1252.00' };

interface Line {
  time: string;
  id: string;
  method: string;
  path: string;
  status: number;
  ms: number;
  bytes: number;
  client: string;
  workspace?: string;
  code?: string;
}

/** The JSON lines of what a server printed. */
function toLines(printed: string): Line[] {
  const lines = printed.split('\n').filter((line) => line.startsWith('{'));
  return lines.map((line) => JSON.parse(line));
}

async function linesOf(env: Record<string, string>, call: (client: Client) => Promise<unknown>) {
  return toLines(await withServer(env, async ({ origin }) => call(await connect(origin))));
}

logs('a line for each live request by default, none for what is served from memory', async () => {
  const lines = await linesOf({}, async (client) => {
    await client.get('/candidates');
    await client.get('/candidates?limit=1', { 'X-Request-Id': 'my.request_1-a' });
    await client.post('/candidates', candidate);
    await client.get('/nothing');
  });
  assert.equal(
    lines.map(({ method, path, status }) => [method, path, status]),
    [
      ['GET', '/candidates', 200],
      ['POST', '/candidates', 201],
      ['GET', '/nothing', 404],
    ],
  );
  const [first] = lines;
  const members = ['bytes', 'client', 'id', 'method', 'ms', 'operation', 'path', 'status', 'time'];
  assert.equal(Object.keys(first!).sort(), members);
  assert.is(first!.id, 'my.request_1-a');
  assert.is(new Date(first!.time).toISOString(), first!.time);
  assert.ok(first!.ms > 0 && first!.bytes > 100);
  assert.match(first!.client, /^(127\.0\.0\.1|0:0:0:0:0:0:0:1)$/);
});

logs(
  'each of many requests has its line, once, in order, however many wait when the process ends',
  async () => {
    const count = 3000;
    const lines = await linesOf({}, async (client) => {
      const ask = async (first: number) => {
        for (let number = first; number < count; number += 10)
          await client.get('/candidates?limit=1', { 'X-Request-Id': `r-${number}` });
      };
      await Promise.all(Array.from({ length: 10 }, (_, first) => ask(first)));
    });
    assert.equal([...new Set(lines.map(({ id }) => id))].length, count);
    assert.is(lines.length, count);
    const times = lines.map(({ time }) => time);
    assert.equal(times, times.toSorted());
  },
);

logs('LOG=all has a line for every request, LOG=off for none', async () => {
  const call = async (client: Client) => {
    for (const path of ['/candidates', '/pricing', '/candidates?limit=1']) await client.get(path);
    await client.request('HEAD', '/pricing');
  };
  const all = await linesOf({ LOG: 'all' }, call);
  assert.equal(
    all.map(({ method, path, status }) => `${method} ${path} ${status}`),
    [
      'GET /openapi.json 200',
      'GET /candidates 200',
      'GET /pricing 200',
      'GET /candidates 200',
      'HEAD /pricing 200',
    ],
  );
  assert.ok(all[1]!.bytes > 1000);
  assert.is(all[4]!.bytes, 0);
  assert.is(new Set(all.map(({ id }) => id)).size, all.length);
  assert.equal(await linesOf({ LOG: 'off' }, call), []);
});

logs('nothing that is the caller’s own is in them', async () => {
  let workspace = '';
  const printed = await withServer({ LOG: 'all' }, async (server) => {
    const client = await connect(server.origin);
    workspace = (await client.post('/candidates', candidate)).body.workspace;
    await client.get('/candidates', { 'X-Workspace': workspace });
    await client.get(`/candidates?workspace=${workspace}&q=secret`);
    await client.get(`/candidates/${workspace}`, { 'X-Request-Id': `a-${workspace}` });
    await client.tool('listCandidates', { workspace });
  });
  assert.is(toLines(printed).length, 6);
  assert.not.match(printed, new RegExp(`${workspace.slice(3)}|Nobody Else|secret`, 'i'));
});

logs(
  'a line names its workspace by eight characters of the hash, whichever door and whoever made it',
  async () => {
    let ids: string[] = [];
    const lines = await linesOf({}, async (client) => {
      const mint = async () => (await client.post('/candidates', candidate)).body.workspace as string;
      ids = [await mint(), await mint()];
      for (const workspace of ids) await client.get('/candidates', { 'X-Workspace': workspace });
      await client.tool('listCandidates', { workspace: ids[0] });
      await client.post('/candidates', {}, { 'X-Workspace': ids[1]! });
      await client.get('/candidates', { 'X-Workspace': 'ws_unknown' });
      await client.get('/candidates?limit=1');
    });
    const [one, other] = ids.map((id) => createHash('sha256').update(id).digest('hex').slice(-8));
    assert.equal(
      lines.map(({ workspace }) => workspace),
      [one, other, one, other, one, other, undefined, undefined],
    );
  },
);

logs('LOG_SAMPLE thins out what succeeded, and keeps every refusal', async () => {
  const lines = await linesOf({ LOG: 'all', LOG_SAMPLE: '0.01', RATE_LIMIT: 'off' }, async (client) => {
    for (let number = 0; number < 300; number += 1)
      await client.get(number % 2 === 0 ? '/candidates?limit=1' : '/pricing');
    for (let number = 0; number < 20; number += 1) {
      await client.post('/candidates', {});
      await client.tool('listPlacements', { spend: 26 });
    }
  });
  const isKept = ({ status, code }: Line) => status >= 400 || code !== undefined;
  assert.is(lines.filter(isKept).length, 40);
  const succeeded = lines.length - 40;
  assert.ok(succeeded < 60, `${succeeded} of 300`);
});

logs('no request can write a line, a colour or a control character into them', async () => {
  const hostile = [
    '/a%0a{"status":200}',
    '/\x9b31m\x85',
    '/"}{"a":"b',
    `/${'x'.repeat(5000)}`,
    '/%1b[31m\xe2\x80\xae',
    '/..%2f..%2fetc%2fpasswd',
    '/\\..\\',
  ];
  let served = 0;
  const printed = await withServer({ LOG: 'all' }, async (server) => {
    for (const path of hostile) {
      const { status } = await sendRaw(
        server.port,
        `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
      );
      if (status !== 400) served += 1;
    }
    for (const id of ['a\tb', 'a b', '\x9bm', 'x'.repeat(129), '{"a":1}', '../../../a']) {
      const head = `GET /offer HTTP/1.1\r\nHost: a\r\nX-Request-Id: ${id}\r\nConnection: close\r\n\r\n`;
      const { head: answered, status } = await sendRaw(server.port, head);
      if (status !== 400) served += 1;
      assert.not.ok(answered.includes(id), id);
    }
  });
  assert.match(printed, /^[\x20-\x7e\n]*$/);
  const lines = toLines(printed);
  assert.ok(served >= 8);
  assert.ok(lines.length >= served, `${lines.length} lines of ${served} requests`);
  for (const { path, id } of lines) {
    assert.ok(path.length <= 200);
    assert.match(id, /^[A-Za-z0-9._-]{1,128}$/);
  }
  assert.ok(
    lines.some(({ path }) => path.startsWith('/a%0a{')),
    'as it was sent, still encoded',
  );
});

logs('a live answer carries the request id of its caller, or one of its own', async () => {
  await withServer({}, async (server) => {
    const client = await connect(server.origin);
    const own = await client.get('/offer', { 'X-Request-Id': 'A.z_9-' });
    assert.is(own.headers.get('x-request-id'), 'A.z_9-');
    const ids = new Set<string>();
    for (let n = 0; n < 20; n++) ids.add((await client.get('/offer')).headers.get('x-request-id')!);
    assert.is(ids.size, 20);
    assert.is((await client.get('/pricing')).headers.get('x-request-id'), null);
  });
});

logs('a file gets the same lines, whole', async () => {
  const path = join(makeFolder(), 'log');
  const out = openSync(path, 'w');
  const place = { PORT: String(await findPort()), DATA_DIR: makeFolder() };
  const env = { PATH: process.env.PATH, GRACE_SECONDS: '0', ...place };
  const child = spawn(process.execPath, ['dist/host/main.mjs'], {
    cwd: join(import.meta.dirname, '..', '..', '..'),
    env,
    stdio: ['ignore', out, out],
  });
  const url = `http://localhost:${env.PORT}/candidates?limit=1`;
  const isUp = () =>
    fetch(url).then(
      () => true,
      () => false,
    );
  while (!(await isUp())) await new Promise((resolve) => setTimeout(resolve, 50));
  await Promise.all(Array.from({ length: 500 }, () => fetch(url).then((answer) => answer.text())));
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  assert.is(await ended, 0);
  assert.is(toLines(readFileSync(path, 'utf8')).filter((line) => line.path === '/candidates').length, 501);
});

logs.run();
