import { IncomingMessage, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { withBody } from '../../../../src/hosts/node/bodies.ts';
import type { Refusal } from '../../../../src/kernel/refusal.ts';

const reading = suite('reading a body');
const mib = 1_048_576;
const from = { limit: 100, client: '10.0.0.1' };

function toRequest(): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  request.headers = { 'content-length': '7' };
  return request;
}

reading('rejects if the caller leaves before or while the body is read', async () => {
  for (const isGoneBefore of [true, false]) {
    const request = toRequest();
    request.on('error', () => {});
    const closed = new Promise((resolve) => request.once('close', resolve));
    request.push('{"a"');
    const leave = () => request.destroy();
    if (isGoneBefore) {
      leave();
      await closed;
    }
    const read = withBody({ req: request } as ServerResponse, from, async () => 'read').catch(
      (error: Error) => error.message,
    );
    if (!isGoneBefore) leave();
    assert.is(await read, 'The body ended early.', String(isGoneBefore));
  }
});

/** Begins bodies of 1 MiB, each with so many bytes, and leaves them unfinished. */
function beginBodies(client: string, count: number, bytes: number): IncomingMessage[] {
  return Array.from({ length: count }, () => {
    const request = toRequest();
    request.headers = { 'content-length': String(mib) };
    request.on('error', () => {});
    request.push(Buffer.alloc(bytes));
    withBody({ req: request } as ServerResponse, { limit: mib, client }, () => {}).catch(() => {});
    return request;
  });
}

/** Closes the connections of these requests. */
async function leave(requests: IncomingMessage[]): Promise<void> {
  const left = requests.map((request) => new Promise((resolve) => request.once('close', resolve)));
  for (const request of requests) request.destroy();
  await Promise.all(left);
}

/** Sends a body of 1 MiB in chunks, and returns its bytes or the code of the refusal. */
async function sendLarge(client: string): Promise<Uint8Array | string> {
  const request = toRequest();
  request.headers = { 'content-length': String(mib) };
  for (let sent = 0; sent < mib; sent += 65_536) request.push(Buffer.alloc(65_536, sent / 65_536));
  request.push(null);
  const read = withBody({ req: request } as ServerResponse, { limit: mib, client }, (body) =>
    Buffer.from(body),
  );
  return read.catch((error: Refusal) => error.envelope.code);
}

reading('bodies that are only announced take no room from others', async () => {
  const begun = ['10.0.0.1', '10.0.0.2', '10.0.0.3'].flatMap((client) => beginBodies(client, 16, 1));
  const body = await sendLarge('10.0.0.4');
  const expected = Buffer.concat(Array.from({ length: 16 }, (_, n) => Buffer.alloc(65_536, n)));
  assert.ok(expected.equals(Buffer.from(body as Uint8Array)));
  await leave(begun);
});

reading('bodies that have arrived take room, until their callers leave', async () => {
  const begun = ['10.0.0.1', '10.0.0.2'].flatMap((client) => beginBodies(client, 16, mib - 1));
  await new Promise((resolve) => setImmediate(resolve));
  assert.is(await sendLarge('10.0.0.4'), 'too_busy');
  await leave(begun);
  assert.is((await sendLarge('10.0.0.4')).length, mib);
});

reading.run();
