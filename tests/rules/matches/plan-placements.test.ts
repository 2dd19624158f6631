import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { dayAt } from '../../support/days.ts';
import type { Body } from '../../support/http.ts';
import { critical, nurse, order, placeAt, readPlan, type Stage, world } from '../../support/plans.ts';
import type { Desk } from '../../support/world.ts';

const placements = suite('the placements of a plan');

const strict = { prefer: 'handling=strict' };
const listPlacements = ({ plan = [] }: Body): Body[] =>
  plan.flatMap(({ placement }: Body) => (placement ? [placement] : []));

/** Sends the placements of a plan as they are, in a mode that refuses what would get a warning. */
const sendAll = ({ workspace }: Desk, plan: Body, headers: object = strict) =>
  world.post('/batch', { placements: listPlacements(plan) }, { 'x-workspace': workspace, ...headers });

const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });
const day = (from: number, to: number) => maybe(fc.integer({ min: from, max: to }).map(dayAt));
const hours = maybe(fc.constantFrom(10, 20, 30, 40));

const orders = fc
  .record({
    openings: fc.integer({ min: 1, max: 3 }),
    startDate: day(-20, 20),
    endDate: day(20, 60),
    hoursPerWeek: hours,
    shift: maybe(fc.constantFrom('day', 'night')),
    requires: fc.constantFrom([], ['ACLS'], ['ACLS', 'BLS']),
    payRateUsdHour: maybe(fc.constantFrom(40, 60)),
  })
  .map((more) => ({ ...order('', more), ref: undefined }));

const people = fc
  .record({
    availableFrom: day(-20, 30),
    hoursPerWeek: hours,
    shifts: fc.constantFrom([], ['day'], ['night', 'day']),
    credentials: fc.constantFrom([], ['ACLS'], ['ACLS until 2026-12-20', 'BLS']),
    payRateUsdHour: maybe(fc.constantFrom(40, 60)),
  })
  .map((more) => ({ ...nurse('', more), ref: undefined }));

const stages: readonly Stage[] = [
  ...(['proposed', 'interviewing', 'declined-by-client', 'declined-closed', 'accepted', 'left'] as const),
];
const histories = fc.array(
  fc.record({
    person: fc.nat(4),
    job: fc.nat(3),
    stage: fc.constantFrom(...stages),
    startDate: day(-30, 70),
    hoursPerWeek: hours,
  }),
  { maxLength: 6 },
);

interface History {
  person: number;
  job: number;
  stage: Stage;
  startDate: string | undefined;
  hoursPerWeek: number | undefined;
}

/** Makes a placement and brings it to its stage. */
async function makeHistory(desk: Desk, { person, job, stage, startDate, hoursPerWeek }: History) {
  const terms = { startDate, plannedEndDate: startDate && dayAt(75), hoursPerWeek };
  await placeAt(desk, stage, [`#p${person}`, `#o${job}`], stage === 'accepted' ? terms : {});
}

const desks = fc.record({
  jobOrders: fc.array(orders, { minLength: 4, maxLength: 4 }),
  candidates: fc.array(people, { minLength: 5, maxLength: 5 }),
  history: histories,
});

const withRefs = (rows: readonly object[], letter: string) =>
  rows.map((row, place) => ({ ...row, ref: `${letter}${place}` }));

placements('are all created as proposed and without a warning, whatever the workspace holds', async () => {
  let created = 0;
  const check = async ({ jobOrders, candidates, history }: { [name: string]: unknown[] }) => {
    const desk = await world.open({
      jobOrders: withRefs(jobOrders as object[], 'o'),
      candidates: withRefs(candidates as object[], 'p'),
    });
    for (const one of history as History[]) await makeHistory(desk, one);
    const plan = await readPlan(desk);
    if (listPlacements(plan).length === 0) return;
    const { status, body, text } = await sendAll(desk, plan);
    assert.is(status, 201, text);
    for (const row of body.placements) assert.is(row.status, 'proposed');
    created += body.placements.length;
  };
  await fc.assert(fc.asyncProperty(desks, check), {
    seed: Number(process.env.FUZZ_SEED ?? 37),
    numRuns: 150,
    includeErrorInReport: true,
  });
  assert.ok(created > 100, `${created} placements`);
});

placements('name the pair of their row, and the code of the order', async () => {
  const desk = await world.open({
    candidates: [nurse('a'), nurse('b')],
    jobOrders: [order('o'), order('p', { onetCode: '29-1141.00' })],
  });
  for (const { jobOrder, candidate, placement } of (await readPlan(desk)).plan) {
    assert.is(placement.jobOrderId, jobOrder.id);
    assert.is(placement.candidateId, candidate.id);
    assert.is(placement.onetCode, jobOrder.ref === 'o' ? critical : '29-1141.00');
    assert.is(placement.status, 'proposed');
  }
});

placements('state the first and the last day of the order, except a first day that is over', async () => {
  const days = (startDate?: string, endDate?: string) => ({
    ...(startDate && { startDate }),
    ...(endDate && { endDate }),
  });
  for (const [of, startDate, plannedEndDate] of [
    [days(), undefined, undefined],
    [days(dayAt(0)), dayAt(0), undefined],
    [days(dayAt(5), dayAt(9)), dayAt(5), dayAt(9)],
    [days(dayAt(-1), dayAt(9)), undefined, dayAt(9)],
  ] as const) {
    const desk = await world.open({ candidates: [nurse('a')], jobOrders: [order('o', of)] });
    const [placement] = listPlacements(await readPlan(desk));
    assert.is(placement.startDate, startDate);
    assert.is(placement.plannedEndDate, plannedEndDate);
  }
});

placements(
  'are missing for a pair that is proposed already, whose row names the open placement',
  async () => {
    const desk = await world.open({
      candidates: [nurse('a'), nurse('b')],
      jobOrders: [order('o', { openings: 2 })],
    });
    const id = await placeAt(desk, 'proposed', ['#a', '#o']);
    const rows: Body[] = (await readPlan(desk)).plan;
    const [open, other] = ['a', 'b'].map((ref) => rows.find(({ candidate }) => candidate.ref === ref)!);
    assert.is(open!.placementId, id);
    assert.is(open!.placement, undefined);
    assert.is(other!.placementId, undefined);
    assert.ok(other!.placement);
  },
);

placements('of an order are at most as many as it has room for open placements', async () => {
  const desk = await world.open({
    candidates: Array.from({ length: 60 }, (_, at) => nurse(`n${at}`)),
    jobOrders: [order('o', { openings: 60 })],
  });
  await placeAt(desk, 'proposed', ['#n7', '#o']);
  const plan = await readPlan(desk);
  assert.is(plan.plan.length, 60);
  assert.is(listPlacements(plan).length, 49);
  assert.is((await sendAll(desk, plan)).status, 201);
});

placements.run();
