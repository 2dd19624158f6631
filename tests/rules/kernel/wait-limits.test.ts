import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { CallNotes } from '../../../src/kernel/call.ts';
import type { OperationReply } from '../../../src/kernel/operation.ts';
import type { OperationResult } from '../../../src/kernel/operation-request.ts';
import { Waits } from '../../../src/kernel/waits.ts';
import { until } from '../../support/redis.ts';

const limits = suite('waits of clients');

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
  const share = () => ({ key: client, read, finish: (result: OperationResult) => result });
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

limits('one client has 10 waits on a workspace, and 20 in all', async () => {
  assert.is(await countPlaces(many(30, () => ({}))), 10);
  assert.is(await countPlaces(many(40, (at) => ({ key: `key ${at % 4}` }))), 20);
});

limits('a workspace has 20 waits', async () => {
  assert.is(await countPlaces(many(40, (at) => ({ client: `192.0.2.${at}` }))), 20);
});

limits('a network is one client, and all networks of an IPv6 /56 are four', async () => {
  const client = (network: number, host: number) => `2001:db8:1:${network}:0:0:0:${host}`;
  assert.is(await countPlaces(many(30, (at) => ({ client: client(1, at), key: `key ${at}` }))), 20);
  assert.is(await countPlaces(many(120, (at) => ({ client: client(at % 8, at), key: `key ${at}` }))), 80);
});

limits('a wait that has ended leaves its place to another', async () => {
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

limits('a change of another answer is waited for further, and that of this one ends the wait', async () => {
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

limits('an answer that differs already is sent at once', async () => {
  const waits = new Waits();
  const { reply, reads } = begin(waits, { readTag: () => '"new"', seconds: 7 });
  assert.is((await reply).headers?.['Preference-Applied'], 'wait=7');
  assert.is(reads(), 1);
});

limits('a wait ends after its seconds, or when the workspace expires', async () => {
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

limits('a read that cannot be charged does not wait', async () => {
  const waits = new Waits();
  const { reply } = begin(waits, { offer: { status: 402, body: {} } });
  assert.is((await reply).status, 402);
  assert.is(waits.count(), 0);
});

limits('the log knows that a call waits, and how long it has waited', async () => {
  const waits = new Waits();
  const noted: CallNotes = {};
  const { reply } = begin(waits, { noted, seconds: 0.05 });
  await settle();
  assert.is(noted.isWaiting, true);
  await reply;
  assert.is(noted.isWaiting, false);
  assert.ok(noted.waited! >= 45 && noted.waited! < 10_000, `${noted.waited} ms`);
});

limits('a call can wait for what it has a tag of, if it names what it reads', () => {
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

limits.run();
