import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Refusal } from '../../../src/kernel/refusal.ts';
import {
  chargeRead,
  createCharge,
  createLimitCheck,
  findReadOffer,
  presentUsage,
} from '../../../src/records/account/usage.ts';
import type { WorkspaceState } from '../../../src/records/account/workspace-state.ts';
import type { RecordService } from '../../../src/records/service.ts';
import { withRateCard } from '../../support/metered.ts';
import { toChance } from '../../support/people.ts';
import { World } from '../../support/world.ts';

const usage = suite('what a workspace has used');

const now = Date.parse('2026-11-22T12:00:00Z');
const rates = [
  { operation: 'createCandidate', isCreate: true, included: 3, price: 20 },
  { operation: 'listCandidates', isCreate: false, included: 1, price: 50 },
  { operation: 'getCandidate', isCreate: false, included: Number.POSITIVE_INFINITY, price: 9 },
];
const names = [...rates.map(({ operation }) => operation), 'readUsage'];
const { service } = new World(withRateCard({ hardCeiling: 0.0005 }));

function createParts(meter: 'on' | 'count' = 'on'): RecordService {
  const byOperation = new Map(rates.map(({ operation, ...rate }) => [operation, rate]));
  return {
    ...service,
    meter: { ...service.meter, rates: byOperation },
    settings: { ...service.settings, meter },
  } as unknown as RecordService;
}
const parts = createParts();

interface Used {
  period?: string;
  calls?: Record<string, number>;
  state?: WorkspaceState;
}
const makeHead = ({ period = '2026-11', calls = {}, state = {} }: Used) =>
  ({ revision: 7, used: { period, calls }, state }) as never;

usage('each operation with a price says what was included, what is billable and what it costs', () => {
  const chance = toChance(201);
  for (let round = 0; round < 200; round += 1) {
    const calls = Object.fromEntries(
      names.flatMap((name) => (chance(3) > 0 ? [[name, chance(8)] as const] : [])),
    );
    const earned = chance(2);
    const work = { credits: 9, period: '2026-11', earned, spent: [] };
    const read = presentUsage(parts, makeHead({ calls, state: { work } }), now);
    let total = 0;
    for (const [at, { operation, isCreate, included, price }] of rates.entries()) {
      const own = included + (isCreate ? 250 * earned : 0);
      const count = calls[operation] ?? 0;
      const billable = Math.max(0, count - own);
      total += billable * price;
      assert.equal(read.operations[at], {
        operation,
        calls: count,
        included: own === Number.POSITIVE_INFINITY ? 'unlimited' : own,
        billable,
        amount: (billable * price) / 1e6,
      });
    }
    assert.is(read.total, total / 1e6);
    assert.is(read.authorised, 0.0005);
    assert.is(read.remaining, Math.max(0, 500 - total) / 1e6);
  }
});

usage('a month that is over counts no more, and one that is ahead of the clock does', () => {
  const read = (period: string) =>
    presentUsage(parts, makeHead({ period, calls: { listCandidates: 4 } }), now);
  assert.is(read('2026-10').operations[1]!.calls, 0);
  assert.is(read('2026-10').period, '2026-11');
  assert.is(read('2026-11').operations[1]!.calls, 4);
  assert.is(read('2026-12').operations[1]!.calls, 4);
  assert.is(read('2026-12').period, '2026-12');
});

usage('a workspace that does not exist yet has used nothing', () => {
  const { period, total, operations } = presentUsage(parts, undefined, now);
  assert.is(period, '2026-11');
  assert.is(total, 0);
  assert.ok(operations.every(({ calls }) => calls === 0));
});

usage('credits and an authorised amount count in their month alone', () => {
  const read = (period: string) => {
    const state = {
      work: { credits: 1, period, earned: 1, spent: [] },
      authorised: { period, ceiling: 0.25 },
    };
    const { operations, authorised } = presentUsage(parts, makeHead({ state }), now);
    return [operations[0]!.included, authorised];
  };
  assert.equal(read('2026-11'), [253, 0.25]);
  assert.equal(read('2026-10'), [3, 0.0005]);
});

usage('a limit lists what can cost something, and counts at one revision if there is an owner', () => {
  const owner = { id: 'o', handle: 'h', name: 'n', until: 0 };
  const plain = createLimitCheck(parts, makeHead({}), now);
  assert.equal(Object.keys(plain.limit!.rates), ['createCandidate', 'listCandidates']);
  assert.is(plain.limit!.authorised, 500);
  assert.is(plain.limit!.revision, undefined);
  assert.equal(plain.calls, {});
  assert.is(createLimitCheck(parts, makeHead({ state: { owner } }), now).limit!.revision, 7);
  assert.is(createLimitCheck(parts, undefined, now).limit!.revision, undefined);
});

usage('a meter that only counts has no limit', () => {
  assert.equal(createLimitCheck(createParts('count'), makeHead({}), now), { period: '2026-11', calls: {} });
});

usage('a charge has the calls that have a price', () => {
  const charge = createCharge(parts, makeHead({}), now, { listCandidates: 2, readUsage: 5 });
  assert.equal(charge!.calls, { listCandidates: 2 });
  assert.is(createCharge(parts, makeHead({}), now, { readUsage: 5 }), undefined);
  assert.is(createCharge(parts, makeHead({}), now, {}), undefined);
});

usage('a read is offered more if one more call would cost more than is authorised', () => {
  const find = (calls: number, operationId = 'listCandidates') =>
    findReadOffer(
      parts,
      { operationId } as never,
      { contents: { head: makeHead({ calls: { listCandidates: calls } }) } } as never,
    );
  // One is included, and ten cost what is authorised.
  assert.is(find(10), undefined);
  const offer = find(11)!;
  assert.is(offer.status, 402);
  const { used } = offer.body as { used: object };
  assert.equal(used, { period: '2026-11', total: 0.0005, authorised: 0.0005, unit: parts.meter.unit });
  assert.is(find(11, 'getCandidate'), undefined);
  assert.is(find(11, 'readUsage'), undefined);
});

/** Charges a read while its workspace changes this many times. */
function chargeDuring(changes: number) {
  let revision = 0;
  const open = () => {
    revision += 1;
    return { head: { revision, used: { period: '2026-11', calls: {} }, state: {} } };
  };
  const workspaces = { charge: async () => revision > changes, open: async () => open() };
  const reply = { status: 200, body: { type: 'OK' } } as never;
  return chargeRead(
    { ...parts, workspaces } as never,
    { operationId: 'listCandidates' } as never,
    { hash: 'h', contents: open() } as never,
    reply,
  );
}

usage('a charge is made again while the workspace changes, at most 50 times', async () => {
  assert.is((await chargeDuring(50)).status, 200);
  const refusal = await chargeDuring(51).catch((error: Refusal) => error.envelope.code);
  assert.is(refusal, 'store_unavailable');
});

usage.run();
