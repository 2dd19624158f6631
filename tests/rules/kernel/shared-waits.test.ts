import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { nodePlatform } from '../../../src/hosts/node-platform.ts';
import { Waits } from '../../../src/kernel/waits.ts';
import { until } from '../../support/redis.ts';
import { toBody } from '../../support/sandbox.ts';
import { World } from '../../support/world.ts';

const shared = suite('waits that share one read');

/** Makes a shortlist that can be waited for, counts its reads, and can change its workspace. */
async function makeShortlist() {
  const waits = new Waits();
  const { ask, store } = new World({ platform: nodePlatform, waits });
  const placement = toBody.placement({ jobOrderId: '#job', status: 'proposed' });
  const batch = { jobOrders: [toBody.jobOrder({ ref: 'job' })], placements: [placement] };
  const { body } = await ask('POST', '/batch', batch);
  const mine = { 'x-workspace': body.workspace as string };
  const { body: made } = await ask('POST', `/job-orders/${body.jobOrders[0].id}/shortlist`, {}, mine);
  const token = { 'x-shortlist': made.shortlist.token as string };
  let readings = 0;
  const follow = store.follow.bind(store);
  store.follow = (...given) => {
    readings += 1;
    return follow(...given);
  };
  const tag = (await ask('GET', '/shortlist', undefined, token)).headers.get('etag');

  return {
    /** Starts to wait, and resolves to the answer. */
    wait: (target: string, headers: object = {}) =>
      ask('GET', target, undefined, { ...token, prefer: 'wait=25', 'if-none-match': tag, ...headers }),
    waiting: (count: number) => until(() => waits.count() === count, `${count} wait`),
    /** Changes what the shortlist shows, and returns how many reads the answers took. */
    async change(answers: readonly Promise<unknown>[]): Promise<number> {
      const before = readings;
      const path = `/placements/${body.placements[0].id}`;
      assert.is((await ask('PATCH', path, { status: 'interviewing' }, mine)).status, 200);
      await Promise.all(answers);
      return readings - before;
    },
  };
}

shared('waits that differ in what is ignored share one', async () => {
  const { wait, waiting, change } = await makeShortlist();
  const answers = [
    wait('/shortlist'),
    wait('/shortlist?w=1'),
    wait('/shortlist', { 'x-workspace': `ws_${'0'.repeat(39)}` }),
    wait('/shortlist', { 'idempotency-key': '0d9c6a2e-5a8b-4f7e-9a53-2a1f6f6f0b11' }),
    wait('/shortlist', { 'if-match': '"any"' }),
    wait('/shortlist', { prefer: 'wait=24' }),
    wait('/shortlist', { authorization: 'Bearer any' }),
  ];
  await waiting(7);
  assert.is(await change(answers), 1);
});

shared('each gets the warnings for what it sent itself', async () => {
  const { wait, waiting, change } = await makeShortlist();
  const answers = ['/shortlist?first=1', '/shortlist?second=1', '/shortlist'].map((target) => wait(target));
  await waiting(3);
  await change(answers);
  const toPaths = ({ body }: { body: { warnings?: { path: string }[] } }) =>
    body.warnings?.map((one) => one.path);
  const [first, second, bare] = await Promise.all(answers);
  assert.equal(toPaths(first!), ['first']);
  assert.equal(toPaths(second!), ['second']);
  assert.is(toPaths(bare!), undefined);
});

shared.run();
