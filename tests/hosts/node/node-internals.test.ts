import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Head, readShared, writeHead } from '../../../src/hosts/node/node-internals.ts';
import { until } from '../../support/redis.ts';
import { withServer } from '../../support/server.ts';
import { openWire } from '../../support/wire.ts';

const test = suite('what is taken from Node beneath what it documents');

const toDateless = (text: string) => text.replace(/^Date: .*$/gm, 'Date: now');

test('this Node offers both: a buffer that is shared, and a head that is sent again', async () => {
  const head: Head = {
    status: 200,
    list: ['Content-Type', 'text/plain', 'Content-Length', '2'],
    isReused: true,
  };
  const given: Uint8Array[] = [];
  const server = createServer((_, response) => {
    writeHead(response, head, ['X-Told', '1']);
    response.end('ok');
  });
  server.on('connection', (socket: Socket) => {
    const [parse] = socket.listeners('data') as ((bytes: Uint8Array) => void)[];
    socket.removeListener('data', parse!);
    socket.on('data', () => assert.unreachable('read beside the buffer'));
    readShared(socket, (bytes) => {
      given.push(bytes);
      parse!.call(socket, bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const answers = [];
  for (let count = 0; count < 3; count += 1) {
    const response = await fetch(url);
    answers.push([response.status, [...response.headers.keys()], await response.text()]);
    assert.ok(head.written, 'the head is known after its first answer');
  }
  server.close();
  server.closeAllConnections();
  assert.equal(answers, Array(3).fill(answers[0]));
  assert.ok(given.length >= 3 && given.every(({ buffer }) => buffer === given[0]!.buffer), 'one buffer');
});

test('without them a socket is read as it was', () => {
  for (const socket of [{}, { _handle: null }, { _handle: {} }] as unknown as Socket[]) {
    readShared(socket, () => assert.unreachable());
    assert.equal(Object.getOwnPropertySymbols(socket), []);
  }
});

test('an answer that is sent again has the head of the first, told of its own caller', async () => {
  await withServer({ RATE_LIMIT: 'on', TRUST_PROXY: '1' }, async (server) => {
    for (const [path, status] of [
      ['/pricing', 200],
      ['/candidates?limit=1', 200],
      ['/offer', 402],
    ] as const) {
      const toRequest = (id: string) =>
        `GET ${path} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 10.0.0.${id}\r\nX-Request-Id: ${id}\r\n\r\n`;
      const wire = openWire(server);
      const heads: string[] = [];
      for (const id of ['1', '2', '3']) {
        const before = wire.text().length;
        wire.socket.write(toRequest(id));
        await until(() => /\r\n\r\n./s.test(wire.text().slice(before)), 'an answer');
        const [head] = wire.text().slice(before).split('\r\n\r\n');
        assert.ok(head!.startsWith(`HTTP/1.1 ${status} `), head);
        if (path.includes('?')) {
          assert.match(head!, new RegExp(`^X-Request-Id: ${id}\r$`, 'm'));
          assert.match(head!, /^RateLimit: "live";r=\d+;t=\d+\r$/m);
        } else if (path === '/pricing') {
          assert.not.match(head!, /^X-Request-Id/m);
        }
        assert.match(head!, /^Date: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\r$/m);
        assert.match(head!, /^Connection: keep-alive\r\nKeep-Alive: timeout=\d+$/m);
        heads.push(toDateless(head!).replace(/(X-Request-Id|RateLimit): .*\r\n/g, ''));
      }
      wire.socket.destroy();
      assert.equal(heads, Array(3).fill(heads[0]), path);
    }
  });
});

test('who asks for the last answer, for a head alone, or in HTTP/1.0 is told as node:http tells it', async () => {
  await withServer({}, async (server) => {
    for (const path of ['/pricing', '/candidates?limit=1']) {
      for (const [line, expected] of [
        [`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close`, /\r\nConnection: close\r\n/],
        [`HEAD ${path} HTTP/1.1\r\nHost: a\r\nConnection: close`, /\r\n\r\n$/],
        [`GET ${path} HTTP/1.0`, /\r\nConnection: close\r\n/],
        [`GET ${path} HTTP/1.0\r\nConnection: keep-alive`, /\r\nConnection: keep-alive\r\n/],
      ] as const) {
        const usual = openWire(server, `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
        await until(() => usual.text().includes('\r\n\r\n'), 'the usual answer');
        usual.socket.destroy();
        const wire = openWire(server, `${line}\r\n\r\n`);
        await until(() => wire.text().includes('\r\n\r\n'), 'an answer');
        assert.match(wire.text(), expected, line);
        wire.socket.destroy();
      }
    }
  });
});

test('a head alone has the fields of the answer, whichever is asked for first', async () => {
  await withServer({}, async (server) => {
    for (const path of ['/pricing', '/candidates?limit=1']) {
      const wire = openWire(server);
      const heads: string[] = [];
      for (const method of ['HEAD', 'GET', 'HEAD']) {
        const before = wire.text().length;
        wire.socket.write(`${method} ${path} HTTP/1.1\r\nHost: a\r\nX-Request-Id: 1\r\n\r\n`);
        await until(() => wire.text().slice(before).includes('\r\n\r\n'), 'a head');
        const [head = ''] = wire.text().slice(before).split('\r\n\r\n');
        const length = method === 'HEAD' ? 0 : Number(/^Content-Length: (\d+)\r$/m.exec(head)![1]);
        await until(() => wire.text().length === before + head.length + 4 + length, 'no byte more');
        heads.push(toDateless(head));
      }
      wire.socket.destroy();
      assert.equal(heads, Array(3).fill(heads[0]), path);
    }
  });
});

test('what many send at once, in pieces, is never mixed: they are read into one buffer', async () => {
  await withServer({}, async (server) => {
    const callers = Array.from({ length: 60 }, (_, index) => {
      const letter = String.fromCharCode(97 + (index % 26));
      const name = `${index} ${letter.repeat(150)}`;
      const skills = Array.from({ length: 30 }, (__, skill) => `${index}-${skill}-${letter.repeat(60)}`);
      const body = JSON.stringify({ name, onetCode: '15-1252.00', skills });
      const framed = index % 2 === 0;
      const head = `POST /candidates HTTP/1.1\r\nHost: a\r\n`;
      const text = framed
        ? `${head}Content-Length: ${body.length}\r\n\r\n${body}`
        : `${head}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
      return { name, skills, text, wire: openWire(server) };
    });
    const piece = 97;
    const longest = Math.max(...callers.map(({ text }) => text.length));
    for (let at = 0; at < longest; at += piece) {
      for (const { wire, text } of callers)
        if (at < text.length) wire.socket.write(text.slice(at, at + piece));
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    for (const { name, skills, wire } of callers) {
      await until(() => wire.text().endsWith('}'), 'an answer');
      const { candidate } = JSON.parse(wire.text().split('\r\n\r\n')[1]!);
      assert.is(candidate.name, name);
      assert.equal(candidate.skills, skills);
      wire.socket.destroy();
    }
  });
});

test.run();
