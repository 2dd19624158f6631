import { PassThrough } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ServedRequest } from '../../../../src/hosts/node/request.ts';
import { Stdio } from '../../../../src/hosts/node/stdio.ts';
import type { Call, Reply } from '../../../../src/kernel/call.ts';
import type { Body } from '../../../support/http.ts';

const streams = suite('the streams of MCP over stdio');

interface Harness {
  stdio: Stdio;
  input: PassThrough;
  output: PassThrough;
  /** The calls that the core got. */
  calls: Call[];
  answered: ServedRequest[];
  faults: unknown[];
  /** Writes a message to stdin. */
  send(message: object): void;
  /** Returns the next message of stdout. */
  receive(): Promise<Body>;
}

const request = (id: string | number, method = 'ping') => ({ jsonrpc: '2.0', id, method });
const reply = (body: object): Reply => ({ status: 200, headers: {}, body: JSON.stringify(body) });
const pong = (call: Call) => reply({ jsonrpc: '2.0', id: JSON.parse(call.body.toString()).id, result: {} });

/** Connects streams in memory with a core that answers by `answer`. */
function open(answer: (call: Call) => Reply | Promise<Reply>): Harness {
  const input = new PassThrough();
  const output = new PassThrough();
  const [calls, answered, faults]: [Call[], ServedRequest[], unknown[]] = [[], [], []];
  const parts = {
    answer(call: Call) {
      calls.push(call);
      return answer(call);
    },
    answers: { reportLive: (one: ServedRequest) => void answered.push(one) },
    report: (fault: unknown) => void faults.push(fault),
  };
  const stdio = new Stdio(parts, { input, output, tools: '' });
  stdio.start();
  const lines = output[Symbol.asyncIterator]();
  return {
    stdio,
    input,
    output,
    calls,
    answered,
    faults,
    send: (message) => void input.write(`${JSON.stringify(message)}\n`),
    async receive() {
      const { value } = await lines.next();
      return JSON.parse(value.toString());
    },
  };
}

/** Returns a promise that resolves when `release` is called. */
function holdReply() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { held: promise, release: resolve };
}

streams('answers requests in the order in which they are done', async () => {
  const { held, release } = holdReply();
  const { send, receive } = open(async (call) => {
    const answer = pong(call);
    if (answer.body.includes('slow')) await held;
    return answer;
  });
  send(request('slow'));
  send(request('fast'));
  assert.is((await receive()).id, 'fast');
  release();
  assert.is((await receive()).id, 'slow');
});

streams('does not answer a cancelled request', async () => {
  const { held, release } = holdReply();
  const { send, receive, stdio, answered } = open(async (call) => {
    if (pong(call).body.includes('cancelled-one')) await held;
    return pong(call);
  });
  send(request('cancelled-one'));
  send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'cancelled-one' } });
  send(request('next'));
  release();
  assert.is((await receive()).id, 'next');
  await stdio.stop(1);
  assert.equal(answered.map(({ status }) => status).sort(), [200, 499]);
});

streams('ends the wait of a call that its client cancels', async () => {
  const gone = Promise.withResolvers<void>();
  const { send } = open(async (call) => {
    call.onGone?.(() => gone.resolve());
    await gone.promise;
    return pong(call);
  });
  send(request(7));
  send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } });
  await gone.promise;
});

streams('reports a fault, and answers with the id of its request', async () => {
  const { send, receive, faults } = open(() => {
    throw new Error('a fault of the test');
  });
  send(request(9));
  const { id, error } = await receive();
  assert.is(id, 9);
  assert.is(error.code, -32603);
  assert.match(String(faults[0]), 'a fault of the test');
});

streams('answers the requests that run before it stops', async () => {
  const { held, release } = holdReply();
  const { send, receive, stdio, input, calls } = open(async (call) => {
    await held;
    return pong(call);
  });
  send(request('last'));
  input.end();
  assert.is(await stdio.ended, 'stdin was closed');
  assert.is(calls.length, 1);
  const stopped = stdio.stop(60);
  release();
  assert.is((await receive()).id, 'last');
  await stopped;
});

streams('reads a line that comes in pieces, cut within a character', async () => {
  const { input, receive, calls } = open(pong);
  const bytes = Buffer.from(`${JSON.stringify(request('Zoë ☃'))}\n`);
  for (const byte of bytes) input.write(Buffer.of(byte));
  assert.is((await receive()).id, 'Zoë ☃');
  assert.is(calls.length, 1);
});

streams('reads no further while 64 requests run', async () => {
  const { held, release } = holdReply();
  const full = Promise.withResolvers<void>();
  const { send, calls, input, stdio } = open(async (call) => {
    if (calls.length === 64) full.resolve();
    await held;
    return pong(call);
  });
  for (let id = 1; id <= 64; id++) send(request(id));
  await full.promise;
  // The stream pauses when its current chunk is read.
  await new Promise((resolve) => setImmediate(resolve));
  assert.ok(input.isPaused());
  release();
  send(request('after'));
  input.end();
  await stdio.ended;
  assert.is(calls.length, 65);
});

streams('repeats the revision, method and name of a message as headers do', async () => {
  const { send, receive, calls } = open(pong);
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
  send({ ...request(1, 'tools/call'), params: { name: 'Zoë', _meta } });
  await receive();
  const { headers } = calls[0]!;
  assert.is(headers['mcp-protocol-version'], '2026-07-28');
  assert.is(headers['mcp-method'], 'tools/call');
  assert.is(headers['mcp-name'], '=?base64?Wm/Dqw==?=');
});

streams.run();
