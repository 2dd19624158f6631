import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connect } from '../../../support/http.ts';
import { readMetrics } from '../../../support/metrics.ts';
import { until } from '../../../support/redis.ts';
import { onetCode } from '../../../support/sandbox.ts';
import { findPort } from '../../../support/server.ts';
import { startStdio } from '../../../support/stdio.ts';

const flight = suite('requests in flight');

const PORT = String(await findPort());
const host = startStdio({ env: { PORT, METRICS: 'on', LOG: 'off' } });
flight.after(async () => void (await host.end()));
await host.ask('ping');
const origin = `http://localhost:${PORT}`;
const client = await connect(origin);

const read = async (name: string) => (await readMetrics({ origin })).get(name);
const waiting = (count: number) =>
  until(async () => (await read('careers_waiting_calls')) === count, `${count} wait`, 20_000);

const made = await client.tool('createCandidate', { name: 'Ann Sample', onetCode });
const { workspace } = made.structuredContent;

/** What is in flight while nothing else is asked: the request that reads it. */
const atRest = await read('careers_requests_in_flight');

const readTag = async () => (await client.tool('getWorkspace', { workspace })).structuredContent.tag;

/** The ways to wait for a change of the workspace. */
const doors: Record<string, (tag: string) => Promise<unknown>> = {
  'over HTTP': (tag) =>
    client.get('/workspace', { 'X-Workspace': workspace, Prefer: 'wait=25', 'If-None-Match': `"${tag}"` }),
  'over MCP': (tag) => client.tool('getWorkspace', { workspace, tag, waitSeconds: 25 }),
  'over stdio': (tag) =>
    host.ask('tools/call', { name: 'getWorkspace', arguments: { workspace, tag, waitSeconds: 25 } }),
};

for (const [door, wait] of Object.entries(doors))
  flight(`calls that wait ${door} are not in flight`, async () => {
    const tag = await readTag();
    const answers = [wait(tag), wait(tag), wait(tag)];
    await waiting(3);
    assert.is(await read('careers_requests_in_flight'), atRest);
    await client.tool('createCandidate', { workspace, name: `For ${door}`, onetCode });
    await Promise.all(answers);
    await waiting(0);
    assert.is(await read('careers_requests_in_flight'), atRest);
  });

flight.run();
