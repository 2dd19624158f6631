import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { dayAt, noon } from '../../support/days.ts';
import type { Body } from '../../support/http.ts';
import { World } from '../../support/world.ts';

/** A month of a hospital's events, as an agent works through them with tools. Each step reads what it needs from replies. */
const month = suite('a month of a hospital');

const mostCalls = 20;
const icu = { onetCode: '29-1141.03', metro: 'Columbus, OH', skills: ['ICU'] };
const hospital = { client: 'Riverbend Hospital', ...icu };

const nurse = (ref: string, name: string, credentials: string[], more: object = {}) => ({
  ...{ ref, name, title: 'ICU Nurse', credentials },
  ...icu,
  ...more,
});

const codesOf = ({ warnings = [] }: Body): string[] => warnings.map(({ code }: Body) => code).sort();

/** Opens a desk whose calls are counted. */
function openDesk() {
  const { tool, clock } = new World({ now: noon, settings: { retentionSeconds: 90 * 86_400 } });
  const desk = { calls: 0, workspace: undefined as string | undefined };
  async function call(name: string, args: object): Promise<Body> {
    desk.calls += 1;
    assert.ok(desk.calls <= mostCalls, `more than ${mostCalls} calls`);
    const { structuredContent } = await tool(name, { workspace: desk.workspace, ...args });
    desk.workspace ??= structuredContent.workspace;
    return structuredContent;
  }
  const to = (days: number) => {
    clock.now = noon + days * 86_400_000;
  };
  return { call, to };
}

/** Of each row of a plan: whom it proposes, and which must-haves end during the work. */
const readPlan = ({ plan }: Body) =>
  plan.map(({ candidate, endsDuring = [] }: Body) => [
    candidate.ref,
    endsDuring.map(({ requirement, until }: Body) => `${requirement} ${until}`),
  ]);

const listPlacements = ({ plan }: Body): object[] =>
  plan.map(({ placement, candidate }: Body) => ({ ...placement, ref: `for-${candidate.ref}` }));

month('takes at most 20 calls, and leaves nothing to find by eye', async () => {
  const { call, to } = openDesk();
  const created = await call('createBatch', {
    candidates: [
      nurse('ann', 'Ann Sample', ['RN license OH', `ACLS (exp. ${dayAt(48)})`]),
      nurse('bo', 'Bo Sample', ['Ohio RN', `ACLS card, valid through ${dayAt(100)}`]),
      nurse('cy', 'Cy Sample', ['RN license OH', 'ACLS (in progress)']),
      nurse('eve', 'Eve Sample', ['RN license OH pending', 'ACLS']),
      nurse('rey', 'Rey, Ana', ['RN license OH', 'BLS (expires 01/31/2025)']),
    ],
    jobOrders: [
      {
        ...hospital,
        ...{ ref: 'icu', title: 'ICU Nurse, days', requires: ['RN license OH', 'ACLS'], openings: 2 },
        ...{ startDate: dayAt(2), endDate: dayAt(90) },
      },
    ],
  });
  assert.equal(codesOf(created), ['not_held', 'not_held'], 'what is no licence is said at once');

  const first = await call('planWorkspace', {});
  const annEnds = [`ACLS ${dayAt(48)}`];
  assert.equal(readPlan(first), [
    ['bo', []],
    ['ann', annEnds],
  ]);
  const proposed = await call('createBatch', { placements: listPlacements(first) });
  assert.equal(codesOf(proposed), ['ends_during_work']);
  const accept = ['#for-bo', '#for-ann'].map((id) => ({ id, status: 'scheduled' }));
  assert.equal(codesOf(await call('createBatch', { changes: accept })), ['ends_during_work']);

  // Ann does not come on the first day. She is free that day, and the order has an opening again.
  to(2);
  const end = { endDate: dayAt(2), endReason: 'cancelled' };
  const { affected } = await call('updatePlacement', { id: '#for-ann', ...end });
  assert.equal(
    affected.map(({ status, changes }: Body) => [status, changes.at(-1).to]),
    [
      ['available', dayAt(2)],
      ['open', 1],
    ],
  );

  // Two more apply. One is known already, under another title and with her names turned.
  to(3);
  const added = await call('createBatch', {
    candidates: [
      nurse('di', 'Di Sample', ['RN OH', 'ACLS']),
      nurse('ana', 'Ana Rey', ['RN license OH', `ACLS until ${dayAt(80)}`], { title: 'Charge Nurse' }),
    ],
  });
  assert.equal(codesOf(added), ['possible_duplicate']);
  await call('deleteCandidate', { id: '#rey' });
  const second = await call('planWorkspace', {});
  assert.equal(readPlan(second), [['di', []]]);
  const begun = { status: 'scheduled', startDate: dayAt(4) };
  const replaced = await call('createBatch', {
    placements: listPlacements(second).map((row) => ({ ...row, ...begun })),
  });
  assert.equal(codesOf(replaced), []);

  // The client extends Bo's work beyond the last day of her licence. She renews it, and others are due before April.
  to(20);
  const extension = { plannedEndDate: dayAt(120), reason: 'The unit stays open' };
  const extended = await call('updatePlacement', { id: '#for-bo', ...extension });
  assert.equal(codesOf(extended), ['ends_during_work', 'outside_order']);
  const ending = await call('listCandidates', { expiresBefore: '2027-04-01' });
  assert.equal(
    ending.candidates.map(({ ref, expiring }: Body) => [ref, expiring.map(({ until }: Body) => until)]),
    [
      ['ann', [dayAt(48)]],
      ['ana', [dayAt(80)]],
      ['bo', [dayAt(100)]],
    ],
  );
  const renewed = ['Ohio RN', `ACLS card, valid through ${dayAt(830)}`];
  assert.equal(codesOf(await call('updateCandidate', { id: '#bo', credentials: renewed })), []);

  // Di leaves after 39 days of work. That is a fall-off, and no cancelled start.
  to(43);
  const refused = await call('updatePlacement', {
    id: '#for-di',
    endDate: dayAt(43),
    endReason: 'cancelled',
  });
  assert.is(refused.type, 'BLOCKED');
  assert.match(JSON.stringify(refused), /client-ended or candidate-left/);
  const fallOff = { result: 'attrited', asOf: dayAt(43), endReason: 'candidate-left' };
  const fell = await call('stateOutcome', { id: '#for-di', ...fallOff });
  assert.is(fell.placement.status, 'ended-early');
  const third = await call('planWorkspace', {});
  assert.equal(
    readPlan(third),
    [['ana', [`ACLS ${dayAt(80)}`]]],
    'neither who left, nor who does not hold it',
  );
  const last = listPlacements(third).map((row) => ({ ...row, status: 'scheduled', startDate: dayAt(44) }));
  assert.equal(codesOf(await call('createBatch', { placements: last })), ['ends_during_work']);

  // What waits for a result: who works, and no cancelled start.
  const pending = await call('listPlacements', { outcome: 'pending' });
  assert.equal(pending.placements.map(({ ref }: Body) => ref).sort(), ['for-ana', 'for-bo']);
});

month.run();
