import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { constants, createWriteStream, openSync, readFileSync, readSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { describeTable } from '../../../../src/hosts/node/describe-table.ts';
import { Log } from '../../../../src/hosts/node/log.ts';
import { operations } from '../../../../src/table.ts';
import { connect } from '../../../support/http.ts';
import { linesOf, printedBy, toLines } from '../../../support/log-lines.ts';
import { openFor, withOpenServer } from '../../../support/open-host.ts';
import { makeFolder, startFor } from '../../../support/server.ts';
import { send, sendRaw } from '../../../support/wire.ts';

const logs = suite('logs');
const { redactor } = describeTable(operations);
const candidate = { name: 'Nobody Else', onetCode: '15-1252.00' };
const request = { method: 'GET', headers: {} } as never;
const entry = { id: 'an-id', request, path: '/nothing', ms: 1, bytes: 1, client: '203.0.113.1' };
const live = await startFor(logs, {});
const all = await openFor(logs, { LOG: 'all', CDN_BYPASS: 'on' });
const [client, clientOfAll] = await Promise.all([live, all].map(({ origin }) => connect(origin)));

logs('by default, each live request has a line, and frozen answers and probes have none', async () => {
  const lines = await linesOf(live, async () => {
    for (const path of ['/candidates', '/healthz', '/readyz']) await client!.get(path);
    const own = await client!.get('/candidates?limit=1', { 'X-Request-Id': 'my.request_1-a' });
    assert.is(own.headers.get('x-request-id'), 'my.request_1-a');
    await client!.post('/candidates', candidate);
    await client!.get('/nothing');
  });
  assert.equal(
    lines.map(({ method, path, status }) => `${method} ${path} ${status}`),
    ['GET /candidates 200', 'POST /candidates 201', 'GET /nothing 404'],
  );
  assert.is(new Set(lines.map(({ id }) => id)).size, 3);
  const [first] = lines;
  const members = ['agent', 'bytes', 'client', 'id', 'method', 'ms', 'operation', 'path', 'status', 'time'];
  assert.equal(Object.keys(first!).sort(), members);
  assert.is(first!.id, 'my.request_1-a');
  assert.is(new Date(first!.time).toISOString(), first!.time);
  assert.ok(first!.ms > 0 && first!.bytes > 100);
  assert.match(first!.client, /^(127\.0\.0\.1|0:0:0:0:0:0:0:1)$/);
});

logs('each of many requests has one line, in order', async () => {
  const count = 500;
  const lines = await linesOf(live, async () => {
    const ask = async (first: number) => {
      for (let number = first; number < count; number += 10)
        await send(live.origin, '/candidates?limit=1', { headers: { 'X-Request-Id': `r-${number}` } });
    };
    await Promise.all(Array.from({ length: 10 }, (_, first) => ask(first)));
  });
  assert.equal(new Set(lines.map(({ id }) => id)).size, count);
  assert.equal(lines.length, count);
  const times = lines.map(({ time }) => time);
  assert.equal(times, times.toSorted());
});

logs('LOG=all has a line for every request', async () => {
  const lines = await linesOf(all, async () => {
    for (const path of ['/candidates', '/healthz', '/candidates?limit=1']) await clientOfAll!.get(path);
    await clientOfAll!.ask('HEAD', '/pricing');
  });
  assert.equal(
    lines.map(({ method, path }) => `${method} ${path}`),
    ['GET /candidates', 'GET /healthz', 'GET /candidates', 'HEAD /pricing'],
  );
  assert.ok(lines[0]!.bytes > 1000);
  assert.is(lines[3]!.bytes, 0);
});

logs('a line names its workspace by the end of its hash, and nothing else about the caller', async () => {
  let ids: string[] = [];
  const printed = await printedBy(live, async () => {
    const mint = async () => (await client!.post('/candidates', candidate)).body.workspace as string;
    ids = [await mint(), await mint()];
    for (const workspace of ids) await client!.get('/candidates', { 'X-Workspace': workspace });
    await client!.tool('listCandidates', { workspace: ids[0] });
    await client!.post('/candidates', {}, { 'X-Workspace': ids[1]! });
    await client!.get('/candidates', { 'X-Workspace': 'ws_unknown' });
    await client!.get(`/candidates?workspace=${ids[0]}&q=secret`, { 'X-Request-Id': `a-${ids[0]}` });
  });
  const [one, other] = ids.map((id) => createHash('sha256').update(id).digest('hex').slice(-8));
  assert.equal(
    toLines(printed).map(({ workspace }) => workspace),
    [one, other, one, other, one, other, undefined, undefined],
  );
  const secrets = [...ids.map((id) => id.slice(3)), 'Nobody Else', 'secret'].join('|');
  assert.not.match(printed, new RegExp(secrets, 'i'));
});

logs('LOG_SAMPLE drops some successes, and keeps every refusal', async () => {
  const printed = await withOpenServer({ LOG: 'all', LOG_SAMPLE: '0.1' }, async ({ origin }) => {
    const ask = (path: string, more = {}) => send(origin, path, more);
    for (let number = 0; number < 100; number += 1)
      await ask(number % 2 === 0 ? '/candidates?limit=1' : '/pricing');
    const params = { name: 'listPlacements', arguments: { spend: 26 } };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const headers = { 'Content-Type': 'application/json' };
    for (let number = 0; number < 10; number += 1) {
      await ask('/candidates', { method: 'POST', body: '{}' });
      await ask('/mcp', { method: 'POST', body, headers });
    }
  });
  const lines = toLines(printed);
  assert.is(lines.filter(({ status, code }) => status >= 400 || code !== undefined).length, 20);
  assert.ok(lines.length - 20 < 50, `${lines.length - 20} of 100`);
});

logs('lines of refusals are limited in bytes a second, and dropped ones are counted', async () => {
  const file = join(makeFolder(), 'log');
  const log = new Log(redactor, createWriteStream(file));
  // One turn of the event loop, so that no second ends in between.
  for (let n = 0; n < 2000; n += 1) log.request({ ...entry, status: 429, code: 'rate_limited' });
  for (const status of [200, 404]) log.request({ ...entry, status });
  await log.close();
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const told = lines.map((text) => JSON.parse(text));
  const refused = lines.filter((_, at) => told[at].status === 429);
  const { leftOut, bytesLeftOut } = told.find((one) => 'leftOut' in one);
  const bytes = refused.join('\n').length + 1;
  assert.ok(bytes > 65_000 && bytes <= 65_536, String(bytes));
  assert.is(refused.length + leftOut, 2000);
  assert.is(bytesLeftOut, leftOut * (refused[0]!.length + 1));
  assert.is(told.filter(({ status }) => status !== 429 && status).length, 2, 'only refusals are dropped');
});

logs('with a slow reader, lines stay whole and in order, and dropped ones are counted', async () => {
  const path = join(makeFolder(), 'pipe');
  execFileSync('mkfifo', [path]);
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  const readAll = () => {
    const bytes = Buffer.alloc(1_048_576);
    try {
      return bytes.toString('latin1', 0, readSync(fd, bytes));
    } catch {
      return '';
    }
  };
  const out = new Socket({ fd, readable: false, writable: true });
  const log = new Log(redactor, out);
  const ids = Array.from({ length: 60_000 }, (_, id) => `r${id}`);
  for (const id of ids.slice(0, 2000)) log.request({ ...entry, id, status: 200 });
  for (let turns = 0; turns < 20; turns += 1) await new Promise((resolve) => setTimeout(resolve, 20));
  for (const id of ids.slice(2000)) log.request({ ...entry, id, status: 200 });
  const told = [readAll()];
  log.flush();
  while (out.writableLength > 0 || told.at(-1) !== '') {
    await new Promise((resolve) => setTimeout(resolve, 5));
    told.push(readAll());
  }
  const written = toLines(told.join('')).map(({ id }) => id);
  assert.ok(log.dropped() > 1000, String(log.dropped()));
  assert.equal(written, ids.slice(0, -log.dropped()));
  await log.close();
  out.destroy();
});

logs('no request can write a line, a colour or a control character into the log', async () => {
  const start = 'HTTP/1.1\r\nHost: a\r\nConnection: close\r\n';
  const hostile = [
    '/a%0a{"status":200}',
    '/\x9b31m\x85',
    '/"}{"a":"b',
    `/${'x'.repeat(5000)}`,
    '/%1b[31m\xe2',
  ];
  let served = 0;
  const printed = await printedBy(all, async () => {
    for (const path of hostile)
      if ((await sendRaw(all.port, `GET ${path} ${start}\r\n`)).status !== 400) served += 1;
    for (const id of ['a\tb', 'a b', '\x9bm', 'x'.repeat(129), '{"a":1}', '../../../a']) {
      const { head, status } = await sendRaw(all.port, `GET /offer ${start}X-Request-Id: ${id}\r\n\r\n`);
      if (status !== 400) served += 1;
      assert.not.ok(head.includes(id), id);
    }
  });
  assert.match(printed, /^[\x20-\x7e\n]*$/);
  const lines = toLines(printed);
  assert.ok(served >= 8 && lines.length >= served, `${lines.length} lines of ${served} requests`);
  for (const { path, id } of lines) {
    assert.ok(path.length <= 200);
    assert.match(id, /^[A-Za-z0-9._-]{1,128}$/);
  }
  assert.ok(
    lines.some(({ path }) => path.startsWith('/a%0a{')),
    'as it was sent, still encoded',
  );
});

const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const parent = '00f067aa0ba902b7';
const traceparents: [field: string, trace?: string][] = [
  [`00-${trace}-${parent}-01`, trace],
  [`cc-${trace}-${parent}-01-what-may-come`, trace],
  [`00-${'0'.repeat(32)}-${parent}-01`],
  [`00-${trace}-${'0'.repeat(16)}-01`],
  [`00-${trace}-${parent}-01-more`],
  [`00-${trace}-${parent}`],
  [`00-${trace}-${parent}-01, 00-${trace}-${parent}-01`],
  ['ff'],
];

logs('a W3C trace id is in the line of its request, and in no answer', async () => {
  const paths = ['/pricing', '/candidates?limit=1', '/nothing', '/offer'];
  const lines = await linesOf(all, async () => {
    for (const path of paths)
      for (const [traceparent] of traceparents) {
        const { headers, bytes } = await send(all.origin, path, {
          headers: { traceparent, tracestate: 'a=b' },
        });
        assert.not.match(JSON.stringify(headers) + bytes.toString(), trace, path);
        assert.not.match(headers.vary ?? '', /trace/i, path);
      }
    const { headers } = await send(all.origin, '/candidates', { method: 'OPTIONS' });
    assert.match(String(headers['access-control-allow-headers']), 'traceparent, tracestate');
  });
  const expected = paths.flatMap(() => traceparents.map(([, told]) => told));
  assert.equal(
    lines.map((line) => line.trace),
    [...expected, undefined],
  );
});

logs.run();
