import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toTraceId } from '../../../src/hosts/node/request.ts';
import { withServer } from '../../support/server.ts';
import { send, sendRaw } from '../../support/wire.ts';

const trace = suite('traceparent');
const id = '4bf92f3577b34da6a3ce929d0e0e4736';
const parent = '00f067aa0ba902b7';

const taken = [
  `00-${id}-${parent}-01`,
  `00-${id}-${parent}-00`,
  `00-${id}-${parent}-ff`,
  `01-${id}-${parent}-01`,
  `cc-${id}-${parent}-01-what-may-come`,
  `cc-${id}-${parent}-01-`,
];
const ignored = [
  '',
  id,
  `ff-${id}-${parent}-01`,
  `00-${'0'.repeat(32)}-${parent}-01`,
  `00-${id}-${'0'.repeat(16)}-01`,
  `00-${id.toUpperCase()}-${parent}-01`,
  `00-${id}-${parent}-01-more`,
  `00-${id}-${parent}-01.`,
  `cc-${id}-${parent}-01.more`,
  `00-${id}-${parent}`,
  `00-${id}-${parent}-1`,
  `00-${id}0-${parent}-01`,
  `0-${id}-${parent}-01`,
  ` 00-${id}-${parent}-01`,
  `00-${id}-${parent}-01, 00-${id}-${parent}-01`,
  `00-${id}-${parent}-01\n`,
  `01-${id}-${parent}-01-a, 00-${id}-${parent}-01`,
];

trace('is taken as W3C Trace Context says, and ignored where it is not well-formed', () => {
  for (const field of taken) assert.is(toTraceId(field), id, field);
  for (const field of ignored) assert.is(toTraceId(field), undefined, JSON.stringify(field));
  assert.is(toTraceId(undefined), undefined);
  assert.is(toTraceId([taken[0]!, taken[0]!]), undefined);
});

const paths = [
  '/pricing',
  '/candidates',
  '/candidates?limit=1',
  '/occupations?q=nurse',
  '/nothing',
  '/offer',
];

trace('is in the line of its request and in no answer', async () => {
  const told = await withServer({ LOG: 'all', CDN_BYPASS: 'on' }, async ({ origin, port }) => {
    for (const path of paths) {
      const { headers, bytes } = await send(origin, path, {
        headers: { traceparent: taken[0], tracestate: 'a=b' },
      });
      assert.not.match(JSON.stringify(headers) + bytes.toString(), id, path);
      assert.not.match(headers.vary ?? '', /trace/i, path);
      const plain = await send(origin, path, { headers: { traceparent: ignored[2] } });
      assert.is(plain.status < 500, true, path);
    }
    const twice = `traceparent: ${taken[0]}\r\n`.repeat(2);
    await sendRaw(port, `GET /nothing HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${twice}\r\n`);
  });
  const lines = told.split('\n').filter((line) => line.startsWith('{'));
  const traces = lines.map((line) => JSON.parse(line).trace);
  assert.equal(traces, [...paths.flatMap(() => [id, undefined]), undefined]);
});

trace('a page of another origin may send it', async () => {
  await withServer({}, async ({ origin }) => {
    const { headers } = await send(origin, '/candidates', { method: 'OPTIONS' });
    assert.match(String(headers['access-control-allow-headers']), 'traceparent, tracestate');
  });
});

trace.run();
