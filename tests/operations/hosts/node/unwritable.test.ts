import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Connection } from '../../../../src/hosts/node/connection.ts';
import { describeTable } from '../../../../src/hosts/node/describe-table.ts';
import { createLive } from '../../../../src/hosts/node/live.ts';
import type { Reply } from '../../../../src/kernel/call.ts';
import { operations } from '../../../../src/table.ts';

const good: Reply = {
  status: 200,
  headers: { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store' },
  body: 'x'.repeat(2000),
};
/** A header that node:http refuses to write. */
const bad: Reply = { ...good, headers: { ...good.headers, 'X-Broken': 'a\nb' } };

/** A request over a connection of a plain server. */
function toArrival({ socket }: IncomingMessage, response: ServerResponse) {
  const connection = new Connection(socket, '127.0.0.1', { isStopping: false, onPipelined: () => {} });
  connection.begin(response);
  return { connection, client: '127.0.0.1', refusal: undefined, identify: () => '' };
}

test('an answer that cannot be written is a 500 and is reported, and the process goes on', async () => {
  const faults: unknown[] = [];
  const lost: unknown[] = [];
  const note = (error: unknown) => lost.push(error);
  process.on('unhandledRejection', note);
  const serve = createLive({
    answer: ({ path }) => (path === '/good' ? good : path === '/later' ? Promise.resolve(bad) : bad),
    limits: { admitLive: () => ({}), giveBackLive() {} },
    keepReplies: (_request, _target, make) => make(),
    table: describeTable(operations),
    isBypassed: false,
    tag: 'test',
    report: (error) => faults.push(error),
    answers: { reportLive: () => {} },
  });
  const server = createServer((request, response) =>
    serve(request, response, { path: request.url!, query: '' }, toArrival(request, response)),
  ).listen(0);
  const { port } = server.address() as AddressInfo;
  const ask = (path: string, coding = 'identity') =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'Accept-Encoding': coding } });
  for (const [path, coding] of [
    ['/now', 'identity'],
    ['/later', 'identity'],
    ['/now', 'gzip'],
    ['/later', 'br'],
  ] as const) {
    const before = faults.length;
    assert.is((await ask(path, coding)).status, 500, `${path} ${coding}`);
    assert.is(faults.length, before + 1, `${path} ${coding} is reported`);
  }
  assert.is((await ask('/good')).status, 200);
  assert.equal(lost, []);
  process.off('unhandledRejection', note);
  server.close();
  server.closeAllConnections();
});

test.run();
