import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { nodePlatform } from '../../../src/hosts/node-platform.ts';
import type { OperationResult } from '../../../src/kernel/operation-request.ts';
import { Waits } from '../../../src/kernel/waits.ts';
import { withRateCard } from '../../support/metered.ts';
import { until } from '../../support/redis.ts';
import { toBody } from '../../support/sandbox.ts';
import { World } from '../../support/world.ts';

const wait = suite('waits of a process');

/** Starts a read of a workspace that never changes. */
function begin(waits: Waits, key: string, client: string, onRead = () => {}) {
  const options = { capability: key, waitSeconds: 25, ifNoneMatch: '"tag"', isStrict: false };
  const operation = { operationId: 'getAny', access: { capability: {} }, caching: { canWait: () => true } };
  const request = { service: { platform: nodePlatform }, operation, call: { client, query: '' }, options };
  const watched = { key, expiresAt: Number.POSITIVE_INFINITY };
  const perform = async () => {
    onRead();
    return { outcome: { status: 200, headers: { ETag: '"tag"' }, body: {}, watched } };
  };
  const share = () => ({ key, read: perform, finish: (performed: OperationResult) => performed });
  return waits.wait(request as never, { read: perform, share, settle: ({ outcome }) => outcome })!;
}

wait('a process has 2,000 waits at most, and none once it stops', async () => {
  const waits = new Waits();
  // Ten waits of each of two clients on each workspace.
  const toClient = (at: number) => `192.0.2.${(at + (at < 1000 ? 0 : 1)) % 100}`;
  const sent = Array.from({ length: 2000 }, (_, at) => begin(waits, `${at % 100}`, toClient(at)));
  const toHeaders = async (one: ReturnType<typeof begin>) => {
    const { ETag, ...headers } = (await one).headers!;
    return headers;
  };
  await until(() => waits.count() === 2000, 'all wait');
  const full = { 'Retry-After': '5' };
  assert.equal(await toHeaders(begin(waits, 'other', '198.51.100.1')), full);
  waits.end();
  for (const one of sent) assert.equal(await toHeaders(one), { 'Preference-Applied': 'wait=25' });
  assert.is(waits.count(), 0);
  assert.equal(await toHeaders(begin(waits, 'other', '198.51.100.1')), full);
});

wait('a change is read once for all waits that it concerns, and for no others', async () => {
  const waits = new Waits();
  const readings: Record<string, number> = {};
  const sent = Array.from({ length: 15 }, (_, at) => {
    const key = at < 10 ? 'this' : 'that';
    return begin(waits, key, `192.0.2.${at}`, () => (readings[key] = (readings[key] ?? 0) + 1));
  });
  // Each wait reads when it arrives, and once more when it has its place.
  const reads = (own: number, other: number) =>
    until(() => readings.this === 20 + own && readings.that === 10 + other, `${own}, ${other}`);
  await reads(0, 0);
  for (const [key, own, other] of [
    ['this', 1, 0],
    ['none', 1, 0],
    ['that', 1, 1],
    [undefined, 2, 2],
  ] as const) {
    waits.wake(key);
    await reads(own, other);
  }
  waits.end();
  await Promise.all(sent);
  assert.equal(readings, { this: 22, that: 12 });
});

wait('a wait is charged only if it answers 200, and is refused at once at the ceiling', async () => {
  const rates = [{ operation: 'getPlacement', price: 1, unit: 'usd-per-call' }];
  const { ask, service, store } = new World(withRateCard({ hardCeiling: 2, rates } as never));
  service.waits = new Waits();
  store.onChange!((key) => service.waits!.wake(key));
  const made = await ask('POST', '/placements', toBody.placement());
  const mine = { 'x-workspace': made.body.workspace };
  const path = `/placements/${made.body.placement.id}`;
  const total = async () => (await ask('GET', '/workspace', undefined, mine)).body.workspace.usage.total;
  const read = (tag: string, seconds = 25) =>
    ask('GET', path, undefined, { ...mine, 'if-none-match': tag, prefer: `wait=${seconds}` });
  const tag = (await ask('GET', path, undefined, mine)).headers.get('etag')!;
  assert.is((await read(tag, 1)).status, 304);
  assert.is(await total(), 1);
  const answer = read(tag);
  await until(() => service.waits!.count() === 1, 'it waits');
  assert.is((await ask('PATCH', path, { note: 'changed' }, mine)).status, 200);
  const { status, headers } = await answer;
  assert.is(status, 200);
  assert.is(await total(), 2);
  const refused = await read(headers.get('etag')!);
  assert.is(refused.status, 402);
  assert.is(refused.body.type, 'OFFER');
  assert.is(service.waits.count(), 0);
});

wait(
  'a longer wait than the most is cut to it, and what is no number of seconds waits for nothing',
  async () => {
    const { ask, service } = new World(withRateCard({ hardCeiling: 100, rates: [] } as never));
    service.waits = new Waits();
    const made = await ask('POST', '/placements', toBody.placement());
    const read = async (prefer: string) => {
      const headers = { 'x-workspace': made.body.workspace, 'if-none-match': '"stale"', prefer };
      return (await ask('GET', '/workspace', undefined, headers)).headers.get('preference-applied');
    };
    for (const seconds of ['1', '7', '25', '"7"', '07'])
      assert.is(await read(`wait=${seconds}`), `wait=${Number(seconds.replaceAll('"', ''))}`, seconds);
    for (const seconds of ['26', '60', '3600', '99999999999999999999', '9'.repeat(900), '0060'])
      assert.is(await read(`wait=${seconds}`), 'wait=25', seconds);
    for (const seconds of ['0', '00', '-1', 'x', '', '1e3', 'NaN', 'Infinity', '0x19'])
      assert.is(await read(`wait=${seconds}`), null, seconds);
  },
);

wait.run();
