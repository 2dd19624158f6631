import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { withBody } from '../../../src/hosts/node/read-body.ts';

const test = suite('reading a body');
const from = { limit: 100, client: '10.0.0.1' };
const toText = async (body: Uint8Array) => Buffer.from(body).toString();

test('a body is given whole', async () => {
  const request = new IncomingMessage(new Socket());
  for (const piece of ['{"a"', ':1}', null]) request.push(piece);
  assert.is(await withBody(request, from, toText), '{"a":1}');
});

test('one whose caller goes, or went before it was asked for, is not waited for', async () => {
  for (const isGoneBefore of [true, false]) {
    const request = new IncomingMessage(new Socket());
    request.on('error', () => {});
    const closed = new Promise((resolve) => request.once('close', resolve));
    request.push('{"a"');
    const leave = () => request.destroy();
    if (isGoneBefore) {
      leave();
      await closed;
    }
    const read = withBody(request, from, toText).catch((error: Error) => error.message);
    if (!isGoneBefore) leave();
    assert.is(await read, 'The body ended early.', String(isGoneBefore));
  }
});

test.run();
