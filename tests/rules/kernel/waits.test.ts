import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { CallNotes } from '../../../src/kernel/call.ts';
import type { OperationReply } from '../../../src/kernel/operation.ts';
import type { OperationResult } from '../../../src/kernel/operation-request.ts';
import { Waits } from '../../../src/kernel/waits.ts';
import { withRateCard } from '../../support/metered.ts';
import { until } from '../../support/redis.ts';
import { toBody } from '../../support/sandbox.ts';
import { World } from '../../support/world.ts';

const waiting = suite('waits of clients');

interface Waited {
  key?: string;
  client?: string;
  seconds?: number;
  /** Milliseconds until the workspace expires. */
  left?: number;
  /** Returns the tag of the answer. The caller has the tag "old". */
  readTag?: () => string;
  offer?: OperationReply;
  noted?: CallNotes;
  onGone?: (leave: () => void) => void;
}

/** Starts a read that waits. Returns how often it was read, and its reply. */
function begin(
  waits: Waits,
  { key = 'key', client = '192.0.2.1', seconds = 25, left = Infinity, ...more }: Waited,
) {
  const { readTag = () => '"old"', offer, noted, onGone } = more;
  let reads = 0;
  const workspace = { key, expiresAt: left };
  const read = async () => {
    reads += 1;
    return {
      outcome: { status: 200, headers: { ETag: readTag() }, body: {} },
      workspace,
    } as unknown as OperationResult;
  };
  const request = {
    service: { platform: { now: () => 0 }, findReadOffer: () => offer },
    operation: {},
    call: { client, noted, ...(onGone && { onGone }) },
    options: { waitSeconds: seconds, ifNoneMatch: '"old"', isStrict: false },
  };
  const share = () => ({ key: `${client} ${key}`, read, finish: (result: OperationResult) => result });
  const reply = waits.wait(request as never, { read, share, settle: ({ outcome }) => outcome });
  return { reply, reads: () => reads };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Starts waits one after another. Returns how many have a place, and ends all. */
async function countPlaces(sent: readonly Waited[]): Promise<number> {
  const waits = new Waits();
  const replies = sent.map((one) => begin(waits, one).reply);
  await settle();
  const count = waits.count();
  waits.end();
  const statuses = (await Promise.all(replies)).map(({ headers }) => headers?.['Retry-After']);
  assert.is(statuses.filter((seconds) => seconds === undefined).length, count);
  assert.ok(statuses.every((seconds) => seconds === undefined || seconds === '5'));
  return count;
}
const many = (count: number, make: (at: number) => Waited) =>
  Array.from({ length: count }, (_, at) => make(at));

waiting('one client has 10 waits on a workspace, and 20 in all', async () => {
  assert.is(await countPlaces(many(30, () => ({}))), 10);
  assert.is(await countPlaces(many(40, (at) => ({ key: `key ${at % 4}` }))), 20);
});

waiting('a workspace has 20 waits', async () => {
  assert.is(await countPlaces(many(40, (at) => ({ client: `192.0.2.${at}` }))), 20);
});

waiting('a network is one client, and all networks of an IPv6 /56 are four', async () => {
  const client = (network: number, host: number) => `2001:db8:1:${network}:0:0:0:${host}`;
  assert.is(await countPlaces(many(30, (at) => ({ client: client(1, at), key: `key ${at}` }))), 20);
  assert.is(await countPlaces(many(120, (at) => ({ client: client(at % 8, at), key: `key ${at}` }))), 80);
});

waiting('a process has 2,000 waits, and none once it stops', async () => {
  // Ten waits of each of two clients on each workspace.
  const toClient = (at: number) => `192.0.2.${(at + (at < 1000 ? 0 : 1)) % 100}`;
  const sent = many(2000, (at) => ({ key: `${at % 100}`, client: toClient(at) }));
  assert.is(await countPlaces([...sent, { key: 'other', client: '198.51.100.1' }]), 2000);
  const waits = new Waits();
  waits.end();
  const { headers } = await begin(waits, {}).reply;
  assert.is(headers?.['Retry-After'], '5');
});

waiting('a change is read once for all waits that share a read, and for no others', async () => {
  const waits = new Waits();
  const share = { client: '192.0.2.1' };
  const here = many(10, () => ({ ...share, key: 'this' })).map((one) => begin(waits, one));
  const there = many(5, () => ({ ...share, key: 'that' })).map((one) => begin(waits, one));
  const count = (all: typeof here) => all.reduce((sum, { reads }) => sum + reads(), 0);
  // Each wait reads when it arrives, and once more when it has its place.
  const reads = (own: number, other: number) =>
    until(() => count(here) === 20 + own && count(there) === 10 + other, `${own}, ${other}`);
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
  await Promise.all([...here, ...there].map(({ reply }) => reply));
});

waiting('a wait that has ended leaves its place to another', async () => {
  const waits = new Waits();
  const leave: (() => void)[] = [];
  const first = many(10, () => ({ onGone: (one: () => void) => void leave.push(one) })).map((one) =>
    begin(waits, one),
  );
  await settle();
  assert.is(waits.count(), 10);
  leave[0]!();
  await first[0]!.reply;
  assert.is(waits.count(), 9);
  const next = begin(waits, {});
  await settle();
  assert.is(waits.count(), 10);
  waits.end();
  await Promise.all([...first, next].map(({ reply }) => reply));
  assert.is(waits.count(), 0);
});

waiting('a change of another answer is waited for further, and that of this one ends the wait', async () => {
  const waits = new Waits();
  let tag = '"old"';
  const { reply, reads } = begin(waits, { readTag: () => tag });
  await until(() => reads() === 2, 'it waits');
  waits.wake('key');
  await until(() => reads() === 3, 'it has read again');
  assert.is(waits.count(), 1);
  waits.wake('another key');
  tag = '"new"';
  waits.wake('key');
  const { headers } = await reply;
  assert.equal(headers, { ETag: '"new"', 'Preference-Applied': 'wait=25' });
  assert.is(reads(), 4);
});

waiting('an answer that differs already is sent at once', async () => {
  const waits = new Waits();
  const { reply, reads } = begin(waits, { readTag: () => '"new"', seconds: 7 });
  assert.is((await reply).headers?.['Preference-Applied'], 'wait=7');
  assert.is(reads(), 1);
});

waiting('a wait ends after its seconds, or when the workspace expires', async () => {
  const waits = new Waits();
  const { reply, reads } = begin(waits, { seconds: 0.05 });
  assert.is((await reply).headers?.ETag, '"old"');
  assert.ok(reads() <= 5, `${reads()} reads`);
  let readings = 0;
  const readTag = () => {
    readings += 1;
    return readings > 2 ? '"expired"' : '"old"';
  };
  const expiring = begin(waits, { left: 20, readTag });
  assert.is((await expiring.reply).headers?.ETag, '"expired"');
});

waiting('a read that cannot be charged does not wait', async () => {
  const waits = new Waits();
  const { reply } = begin(waits, { offer: { status: 402, body: {} } });
  assert.is((await reply).status, 402);
  assert.is(waits.count(), 0);
});

waiting('the log knows that a call waits, and how long it has waited', async () => {
  const waits = new Waits();
  const noted: CallNotes = {};
  const { reply } = begin(waits, { noted, seconds: 0.05 });
  await settle();
  assert.is(noted.isWaiting, true);
  await reply;
  assert.is(noted.isWaiting, false);
  assert.ok(noted.waited! >= 45 && noted.waited! < 10_000, `${noted.waited} ms`);
});

waiting('a call can wait for what it has a tag of, if it names what it reads', () => {
  const canWait = (options: object, access: object = {}, caching: object = { canWait: () => true }) =>
    new Waits().canWait({
      service: {},
      operation: { access, caching },
      options: { waitSeconds: 5, ifNoneMatch: '"a"', workspaceId: 'ws_1', ...options },
    } as never);
  assert.is(canWait({}), true);
  assert.is(canWait({ waitSeconds: undefined }), false);
  assert.is(canWait({ ifNoneMatch: undefined }), false);
  assert.is(canWait({ ifNoneMatch: '*' }), false);
  assert.is(canWait({ workspaceId: undefined }), false);
  assert.is(canWait({ workspaceId: undefined }, { capability: {} }), true);
  assert.is(canWait({}, {}, { canWait: () => false }), false);
  assert.is(canWait({}, {}, {}), false);
});

waiting('a wait is charged only if it answers 200, and is refused at once at the ceiling', async () => {
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

waiting(
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

waiting.run();
