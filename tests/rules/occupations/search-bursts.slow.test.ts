import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { onetCode } from '../../support/sandbox.ts';
import { startFor } from '../../support/server.ts';
import { openWire } from '../../support/wire.ts';

const test = suite('bursts of searches');
const count = 100;
const server = await startFor(test);
const { host } = new URL(server.origin);

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
const post = (path: string, body: object) => {
  const text = JSON.stringify(body);
  const type = 'Content-Type: application/json';
  return `POST ${path} HTTP/1.1\r\nHost: ${host}\r\n${type}\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
};
const toMessage = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params });
/** Makes a text of many words that no other search contains. */
const toText = (n: number) => `nurze techer drivr clark sales manger ${n} assistnt chief enginer of ${n}`;
const occupation = { ref: { type: 'ref/resource', uri: '' }, argument: { name: 'code', value: '' } };

const bursts: Record<string, (n: number, uri: string) => string> = {
  'GET /occupations?q=': (n) => get(`/occupations?q=${toText(n).replaceAll(' ', '+')}`),
  'POST /titles': (n) => post('/titles', { titles: [toText(n + count)] }),
  listOccupations: (n) =>
    post(
      '/mcp',
      toMessage('tools/call', { name: 'listOccupations', arguments: { q: toText(n + 3 * count) } }),
    ),
  'completion/complete': (n, uri) =>
    post(
      '/mcp',
      toMessage('completion/complete', {
        ref: { ...occupation.ref, uri },
        argument: { ...occupation.argument, value: toText(n + 4 * count) },
      }),
    ),
};

for (const [what, toRequest] of Object.entries(bursts)) {
  test(`${what}: a later caller is answered before most of the burst`, async () => {
    const uri = `${server.origin}/occupations/{code}`;
    const wires = await Promise.all(Array.from({ length: count + 1 }, () => openWire(server).opened));
    const [bystander, ...searchers] = wires;
    const order: number[] = [];
    const answered = wires.map(
      ({ socket }, index) =>
        new Promise<void>((resolve) => {
          socket.once('data', () => {
            order.push(index);
            resolve();
          });
        }),
    );
    // So that all of it reaches the server at once.
    server.process.kill('SIGSTOP');
    for (const [n, { socket }] of searchers.entries()) socket.write(toRequest(n, uri));
    bystander!.socket.write(get(`/candidates?occupation=${onetCode}`));
    await new Promise((resolve) => setTimeout(resolve, 100));
    server.process.kill('SIGCONT');
    await Promise.all(answered);
    const place = order.indexOf(0) + 1;
    assert.ok(place <= count / 10, `answer ${place} of ${order.length}`);
    for (const wire of wires) {
      assert.match(wire.text(), /^HTTP\/1\.1 [24]00 /);
      wire.socket.destroy();
    }
  });
}

test.run();
