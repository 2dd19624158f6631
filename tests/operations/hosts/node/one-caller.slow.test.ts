import { connect as openSocket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readPeakMemory, startBystander } from '../../../support/bystander.ts';
import { connect } from '../../../support/http.ts';
import { until } from '../../../support/redis.ts';
import { onetCode } from '../../../support/sandbox.ts';
import { withServer } from '../../../support/server.ts';
import { openWire } from '../../../support/wire.ts';

const test = suite('one caller beside others');
const largest = {
  name: 'é'.repeat(200),
  onetCode,
  skills: Array.from({ length: 50 }, (_, index) => `${index} `.padEnd(80, 'é')),
  metro: 'é'.repeat(200),
};

test('unread answers cost one page of memory and delay no other caller', async () => {
  await withServer({ LOG: 'off' }, async (server) => {
    const client = await connect(server.origin);
    const { workspace } = (await client.post('/candidates', largest)).body;
    const inside = { 'X-Workspace': workspace };
    for (let n = 1; n < 200; n += 1)
      assert.is((await client.post('/candidates', largest, inside)).status, 201);
    const bystander = startBystander(server);
    const list = `GET /candidates?limit=200 HTTP/1.1\r\nHost: a\r\nX-Workspace: ${workspace}\r\n\r\n`;
    const deaf = openWire(server, list.repeat(995));
    deaf.socket.pause();
    await until(() => bystander.answers() > 50, 'others are answered', 60_000);
    bystander.stop();
    const peak = readPeakMemory(server);
    assert.ok(peak === undefined || peak < 400, `${peak} MB`);
    deaf.socket.resume();
    const count = () => deaf.text().match(/HTTP\/1\.1 200 /g)?.length ?? 0;
    await until(() => count() > 20, 'it continues when it is read');
    deaf.socket.destroy();
    const ids: string[] = [];
    let pages = 0;
    for (let next: string | undefined = '/candidates?limit=200'; next; pages += 1) {
      const { text, body } = await client.get(next, inside);
      assert.ok(Buffer.byteLength(text) <= 262_144 + 200, `${Buffer.byteLength(text)} bytes`);
      ids.push(...body.candidates.map(({ id }: { id: string }) => id));
      next = body.nextCursor && `/candidates?limit=200&cursor=${body.nextCursor}`;
    }
    const { total } = (await client.get('/candidates?limit=1', inside)).body;
    assert.equal([ids.length, new Set(ids).size], [total, total], 'each is on one page');
    assert.ok(pages > 2, `${pages} pages`);
  });
});

test('one client has its share of the connections, and another one its own', async () => {
  const env = { TRUST_PROXY: '1', MAX_CONNECTIONS: '20', CONNECTIONS_PER_CLIENT: '8' };
  await withServer(env, async (server) => {
    const ask = (client: string) => `GET /pricing HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${client}\r\n\r\n`;
    const greedy = Array.from({ length: 19 }, () => openWire(server, ask('203.0.113.9')));
    await until(() => greedy.every(({ text }) => text() !== ''), 'every connection is answered');
    const answered = (status: string) =>
      greedy.filter(({ text }) => text().startsWith(`HTTP/1.1 ${status} `)).length;
    assert.is(answered('200'), 8);
    assert.is(answered('429'), 11);
    assert.ok(greedy.some(({ text }) => /"code":"connection_share"/.test(text())));
    for (const client of ['203.0.113.10', '2001:db8::1']) {
      const other = openWire(server, ask(client));
      await until(() => other.text() !== '', 'another client is answered');
      assert.match(other.text(), /^HTTP\/1\.1 200 /);
      other.socket.destroy();
    }
    for (const { socket } of greedy) socket.destroy();
  });
});

/** An address of this machine that the host treats as remote. */
const ownAddress = Object.values(networkInterfaces())
  .flat()
  .find((face) => face && !face.internal && face.family === 'IPv4')?.address;

if (!ownAddress)
  console.log('skipped: connections without a request (this machine has no address but loopback)');
else {
  test('one client has a share of the connections without a request', async () => {
    await withServer({ CONNECTIONS_PER_CLIENT: '4' }, async (server) => {
      const ask = 'GET /pricing HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
      const send = async (bytes: string) => {
        let text = '';
        const socket = openSocket(server.port, ownAddress, () =>
          bytes ? socket.write(bytes) : socket.end(),
        );
        socket.on('data', (chunk) => (text += chunk)).on('error', () => {});
        await new Promise((resolve) => socket.once('close', resolve));
        return text;
      };
      for (let count = 0; count < 20; count += 1) assert.match(await send(ask), /^HTTP\/1\.1 200 /);
      for (let count = 0; count < 8; count += 1) await send('');
      assert.is(await send(ask), '');
      const other = await connect(server.origin);
      assert.is((await other.get('/pricing')).status, 200);
    });
  });
}

test.run();
