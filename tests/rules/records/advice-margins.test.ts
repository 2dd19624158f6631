import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { dayAt } from '../../support/days.ts';
import type { Body } from '../../support/http.ts';
import { onetCode, strict } from '../../support/sandbox.ts';
import { changePlacement, openSmallDesk, place } from '../../support/small-desk.ts';

const advice = suite('advice on margins and days');

/** Lists the places of a piece of advice in a reply. Advice never refuses. */
function listPaths({ body }: { body: Body }, code: string): string[] {
  assert.is(body.type, 'OK', JSON.stringify(body));
  const found = (body.warnings ?? []).filter((warning: Body) => warning.code === code);
  for (const { advice: isAdvice } of found) assert.is(isAdvice, true);
  return found.map(({ path }: Body) => path);
}

const rates = (billRateUsdHour?: number, payRateUsdHour?: number, payRateMaxUsdHour?: number) => ({
  billRateUsdHour,
  payRateUsdHour,
  payRateMaxUsdHour,
});

/** The rates of an order, and the words of the advice. Which rates get it is in `margin-law`. */
const orders: [rates: object, words: string | undefined][] = [
  [
    { billRateUsdHour: 60, salaryUsdYear: 150_000 },
    '$60 an hour is billed and $150,000 a year is paid, which is $72.12 an hour at 40 hours a week',
  ],
  [
    { billRateUsdHour: 60, salaryUsdYear: 110_000, salaryMaxUsdYear: 145_600 },
    '$60 an hour is billed and up to $145,600 a year is paid, which is $70 an hour at 40 hours a week',
  ],
  [
    { billRateUsdHour: 60, salaryUsdYear: 99_000, hoursPerWeek: 30 },
    '$60 an hour is billed and $99,000 a year is paid, which is $63.46 an hour at 30 hours a week',
  ],
  [rates(60, 60), undefined],
  [{ billRateUsdHour: 60, payRateUsdHour: 120_000 }, '$60 an hour is billed and $120,000 an hour is paid'],
];

/** The rates of an order and of a placement on it, and what is advised of the placement. */
const placements: [order: object, placement: object, paths: string[]][] = [
  [{}, rates(50, 60), ['billRateUsdHour']],
  [{}, rates(60, 60), []],
  [rates(70, 40), rates(50, 60), ['billRateUsdHour']],
  [rates(50, 60), rates(70, 60), []],
  [rates(50, 40), rates(undefined, 60), ['payRateUsdHour']],
  [rates(50, 40), rates(undefined, 50), []],
  [rates(70, 60), rates(50), ['billRateUsdHour']],
  [rates(50, 60), {}, []],
  [{}, rates(50), []],
  [{}, rates(undefined, 60), []],
];

for (const [sent, words] of orders)
  advice(`says of a job order of ${JSON.stringify(sent)}: ${words ?? 'nothing'}`, async () => {
    const desk = await openSmallDesk();
    const body = { client: 'Example Works', title: 'Developer', onetCode, ...sent };
    const created = await desk.post('/job-orders', body, strict);
    assert.equal(listPaths(created, 'negative_margin'), words ? ['billRateUsdHour'] : []);
    const found = (created.body.warnings ?? []).find(({ code }: Body) => code === 'negative_margin');
    assert.is(found?.message, words && `leaves a negative margin: ${words}`);
  });

advice('names a placement that is billed below the salary of its order', async () => {
  const desk = await openSmallDesk({ o: { salaryUsdYear: 150_000 } });
  const created = await place(desk, { billRateUsdHour: 60 });
  assert.equal(listPaths(created, 'negative_margin'), ['billRateUsdHour']);
  const ofRate = await place(desk, { candidateId: '#b', billRateUsdHour: 60, payRateUsdHour: 50 });
  assert.equal(listPaths(ofRate, 'negative_margin'), [], 'its own rate replaces the salary');
});

advice('names a change that leaves a job order a negative margin', async () => {
  const desk = await openSmallDesk({ o: rates(60, 40, 50) });
  const change = async (sent: object) =>
    listPaths(await desk.patch('/job-orders/%23o', sent, strict), 'negative_margin');
  assert.equal(await change({ payRateMaxUsdHour: 60 }), []);
  assert.equal(await change({ payRateMaxUsdHour: 61 }), ['billRateUsdHour']);
  assert.equal(await change({ note: 'x' }), [], 'what was advised is not repeated');
  assert.equal(await change({ billRateUsdHour: 39 }), ['billRateUsdHour']);
  assert.equal(await change({ billRateUsdHour: 61 }), []);
});

for (const status of ['proposed', undefined]) {
  const kind = status ?? 'accepted';
  advice(`names the negative margin of a placement that is ${kind}`, async () => {
    for (const [order, sent, paths] of placements) {
      const desk = await openSmallDesk({ o: order });
      const created = await place(desk, { ...sent, ...(status && { status }) }, strict);
      assert.equal(listPaths(created, 'negative_margin'), paths, JSON.stringify([order, sent]));
    }
  });

  advice(`names a changed rate or day of a placement that is ${kind}`, async () => {
    const desk = await openSmallDesk({ o: { ...rates(60, 40), startDate: dayAt(10) } });
    await place(desk, { ref: 'x', ...(status && { status }), startDate: dayAt(20) });
    const change = async (sent: object) => {
      const changed = await changePlacement(desk, 'x', sent, strict);
      return [...listPaths(changed, 'negative_margin'), ...listPaths(changed, 'outside_order')];
    };
    assert.equal(await change({ payRateUsdHour: 61 }), ['payRateUsdHour']);
    assert.equal(await change({ note: 'x' }), [], 'what was advised is not repeated');
    assert.equal(await change({ billRateUsdHour: 50 }), ['billRateUsdHour']);
    assert.equal(await change({ billRateUsdHour: 61 }), []);
    assert.equal(await change({ startDate: dayAt(9) }), ['startDate']);
    assert.equal(await change({ startDate: dayAt(10) }), []);
  });
}

advice('is given again when a proposal is accepted', async () => {
  const o = { ...rates(60, 40), startDate: dayAt(10), endDate: dayAt(40) };
  const desk = await openSmallDesk({ o });
  const days = { startDate: dayAt(9), plannedEndDate: dayAt(41) };
  await place(desk, { ref: 'x', status: 'proposed', payRateUsdHour: 61, ...days });
  const accepted = await changePlacement(desk, 'x', { status: 'scheduled' }, strict);
  assert.equal(listPaths(accepted, 'negative_margin'), ['payRateUsdHour']);
  assert.equal(listPaths(accepted, 'outside_order'), ['startDate', 'plannedEndDate']);
});

advice('names the days that an acceptance sets outside those of its order', async () => {
  const desk = await openSmallDesk({ o: { startDate: dayAt(10), endDate: dayAt(40) } });
  await place(desk, { ref: 'x', status: 'proposed' });
  const accepted = await changePlacement(desk, 'x', { status: 'scheduled', startDate: dayAt(41) });
  assert.equal(listPaths(accepted, 'outside_order'), ['startDate']);
});

advice('is not given of an import, because its records got it when they were created', async () => {
  const desk = await openSmallDesk({ a: { name: 'Bo Sample' }, o: rates(50, 60) });
  await place(desk, { startDate: dayAt(1), billRateUsdHour: 40, payRateUsdHour: 50 });
  const exported = (await desk.get('/workspace/export')).body;
  const imported = await desk.world.post('/batch', exported);
  assert.is(imported.status, 201, imported.text);
  assert.not('warnings' in imported.body);
});

advice('is given of a new candidate with the name of an imported one', async () => {
  const desk = await openSmallDesk();
  const exported = (await desk.get('/workspace/export')).body;
  const copy = await desk.world.open(exported);
  const created = await copy.post('/candidates', { name: 'Bo Sample', onetCode });
  assert.equal(listPaths(created, 'possible_duplicate'), ['name']);
});

advice.run();
