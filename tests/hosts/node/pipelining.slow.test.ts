import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startBystander } from '../../support/bystander.ts';
import { connect } from '../../support/http.ts';
import { until } from '../../support/redis.ts';
import { withServer } from '../../support/server.ts';
import { openWire } from '../../support/wire.ts';

const test = suite('messages of one connection');
const onetCode = '15-1252.00';
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test('requests of one connection are answered one after the other, each in its turn', async () => {
  await withServer({}, async (server) => {
    const body = JSON.stringify({ name: 'A', onetCode });
    const post = `POST /candidates HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const chunked = `POST /job-orders HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`;
    const all = `${post}GET /offer HTTP/1.1\r\nHost: a\r\n\r\n\r\n${chunked}HEAD /pricing HTTP/1.1\r\nHost: a\r\n\r\n`;
    const once = openWire(server, all.repeat(30));
    const slow = openWire(server);
    for (const byte of all) {
      slow.socket.write(byte);
      await pause(0);
    }
    const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status);
    const expected = ['201', '402', '400', '200'];
    await until(() => statuses(once.text()).length === 120, '120 answers');
    await until(() => statuses(slow.text()).length === 4, 'four answers, byte by byte');
    assert.equal(statuses(once.text()), Array(30).fill(expected).flat());
    assert.equal(statuses(slow.text()), expected);
    once.socket.destroy();
    slow.socket.destroy();
  });
});

test('what stands behind a create in one packet is refused after its answer', async () => {
  await withServer({}, async (server) => {
    const body = JSON.stringify({ name: 'A', onetCode });
    const post = `POST /candidates HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    for (const behind of [
      'garbage\r\n\r\n',
      'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n',
      'GET / HTTP/9.9\r\n\r\n',
    ]) {
      const wire = openWire(server, post + behind);
      await wire.closed;
      assert.match(
        wire.text(),
        /^HTTP\/1\.1 201 .*"type":"OK".*HTTP\/1\.1 400 .*"code":"invalid_http"/s,
        behind,
      );
    }
  });
});

test('who asks for a tunnel and is gone before the refusal ends nothing but its own connection', async () => {
  await withServer({}, async (server) => {
    const tunnel = 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n';
    for (let round = 0; round < 40; round += 1) {
      const gone = [tunnel, `GET /pricing HTTP/1.1\r\nHost: a\r\n\r\n${tunnel}`].map((bytes) => {
        const { socket } = openWire(server);
        return new Promise<void>((resolve) => {
          socket.once('close', () => resolve());
          socket.write(bytes, () => socket.resetAndDestroy());
        });
      });
      await Promise.all(gone);
    }
    assert.is(server.process.exitCode, null);
    assert.is((await fetch(`${server.origin}/pricing`)).status, 200);
  });
});

test('a request behind an offer to upgrade is answered, one behind a last one is not run', async () => {
  await withServer({}, async (server) => {
    const upgrade = 'GET /offer HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n';
    const wire = openWire(server, `${upgrade}GET /pricing HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    await wire.closed;
    assert.match(wire.text(), /^HTTP\/1\.1 402 .*HTTP\/1\.1 200 /s);
    const client = await connect(server.origin);
    const { workspace } = (await client.post('/candidates', { name: 'A', onetCode })).body;
    const body = JSON.stringify({ name: 'B', onetCode });
    const post = (connection: string) =>
      `POST /candidates HTTP/1.1\r\nHost: a\r\nX-Workspace: ${workspace}\r\nConnection: ${connection}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const last = openWire(server, post('close') + post('keep-alive'));
    await last.closed;
    assert.is(last.text().match(/HTTP\/1\.1 201/g)?.length, 1);
    const { body: list } = await client.get('/candidates?limit=3', { 'X-Workspace': workspace });
    assert.is(list.candidates.filter(({ name }: { name: string }) => name === 'B').length, 1);
  });
});

test('a caller that has said all and still listens gets every answer', async () => {
  await withServer({}, async (server) => {
    const body = JSON.stringify({ name: 'A', onetCode });
    const post = `POST /candidates HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const client = await connect(server.origin);
    const { workspace } = (await client.post('/candidates', { name: 'A', onetCode })).body;
    for (let n = 0; n < 60; n += 1)
      await client.post('/candidates', { name: 'A', onetCode }, { 'X-Workspace': workspace });
    const list = `GET /candidates?limit=200 HTTP/1.1\r\nHost: a\r\nX-Workspace: ${workspace}\r\n\r\n`;
    for (const [bytes, count] of [
      [post, 1],
      [post.repeat(3), 3],
      [list, 1],
      [post + list + post + list, 4],
    ] as const) {
      const wire = openWire(server);
      wire.socket.end(bytes);
      await wire.closed;
      assert.is(wire.text().match(/HTTP\/1\.1 20[01] /g)?.length, count, wire.text().slice(0, 300));
    }
  });
});

test('nobody waits long for one connection with a packet of requests, or of chunks that look like ends', async () => {
  await withServer({ LOG: 'off' }, async (server) => {
    const search = 'GET /occupations?q=worker&limit=5 HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(3000);
    const chunks = `POST /candidates HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${'2\r\n\r\n\r\n'.repeat(9000)}`;
    const bystander = startBystander(server);
    const wires = [search, chunks, chunks, search].map((bytes) => openWire(server, bytes));
    const before = bystander.answers();
    await until(
      () => (wires[0]!.text().match(/HTTP\/1\.1 200 /g)?.length ?? 0) > 1500,
      'half of the answers',
    );
    const meanwhile = bystander.answers() - before;
    const { slowestMs } = bystander.stop();
    console.log(
      `figure: ${meanwhile} answers to a bystander meanwhile, the slowest in ${slowestMs.toFixed(0)} ms`,
    );
    assert.ok(meanwhile > 10, `${meanwhile} answers`);
    for (const { socket } of wires) socket.destroy();
  });
});

test('a transfer coding that is not known is refused', async () => {
  await withServer({}, async (server) => {
    for (const coding of ['gzip, chunked', 'chunked, chunked']) {
      const head = `POST /candidates HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: ${coding}\r\n\r\n`;
      const wire = openWire(server, `${head}2\r\n{}\r\n0\r\n\r\n`);
      await wire.closed;
      assert.match(wire.text(), /^HTTP\/1\.1 400 .*"code":"invalid_http"/s, coding);
    }
  });
});

test.run();
