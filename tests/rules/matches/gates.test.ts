import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { dayAt } from '../../support/days.ts';
import type { Body } from '../../support/http.ts';
import { world } from '../../support/plans.ts';
import { toBody } from '../../support/sandbox.ts';
import { codesOf, listMatches, openSmallDesk, place } from '../../support/small-desk.ts';

const gates = suite('gates and gaps in words');

const nurse = '29-1141.00';

interface Pair {
  order?: object;
  person?: object;
}

/** Returns the match of one candidate and one order in a new workspace. */
async function matchOf({ order, person }: Pair, query = ''): Promise<Body> {
  const desk = await world.open({
    candidates: [toBody.candidate({ ref: 'a', ...person })],
    jobOrders: [toBody.jobOrder({ ref: 'o', ...order })],
  });
  return (await listMatches(desk, 'o', query))[0];
}

/** Pairs with one unmet gate. */
const unmet: Record<string, Pair & { text: string }> = {
  'pay by the hour': {
    order: { payRateUsdHour: 40, payRateMaxUsdHour: 50 },
    person: { payRateUsdHour: 50.01 },
    text: 'asks $50.01 an hour; the order pays at most $50',
  },
  'a salary': {
    order: { salaryUsdYear: 90_000 },
    person: { salaryUsdYear: 100_000 },
    text: 'asks $100,000 a year; the order pays at most $90,000',
  },
  'a salary for an hourly order': {
    order: { payRateUsdHour: 50, hoursPerWeek: 20 },
    person: { salaryUsdYear: 104_000 },
    text: 'asks $104,000 a year; the order pays at most $52,000',
  },
  'an hourly rate for a salary, with two digits of cents': {
    order: { salaryUsdYear: 100_000 },
    person: { payRateUsdHour: 70.01 },
    text: 'asks $145,620.80 a year; the order pays at most $100,000',
  },
  'a first day after the start': {
    order: { startDate: dayAt(10), endDate: dayAt(60) },
    person: { availableFrom: dayAt(11) },
    text: `is available from ${dayAt(11)}; the work starts on ${dayAt(10)}`,
  },
  'a first day after the end of an order without a start': {
    order: { endDate: dayAt(60) },
    person: { availableFrom: dayAt(61) },
    text: `is available from ${dayAt(61)}; the work ends on ${dayAt(60)}`,
  },
  'another workplace': {
    order: { workplace: 'onsite' },
    person: { workplaces: ['hybrid', 'remote'] },
    text: 'works hybrid, remote; the work is onsite',
  },
  'a credential that expired': {
    order: { requires: ['RN license PA'], startDate: dayAt(60) },
    person: { credentials: [`RN license PA until ${dayAt(59)}`], availableFrom: dayAt(0) },
    text: `"RN license PA" expired ${dayAt(59)}`,
  },
  'a credential that expired before today': {
    order: { requires: ['BLS'] },
    person: { credentials: [`BLS until ${dayAt(-1)}`] },
    text: `"BLS" expired ${dayAt(-1)}`,
  },
  'a licence that a credential shows, after its last day': {
    order: { onetCode: '53-3032.00', startDate: dayAt(11) },
    person: { credentials: [`CDL A until ${dayAt(10)}`], availableFrom: dayAt(0) },
    text: `the licence as a commercial truck driver (CDL) expired ${dayAt(10)}`,
  },
};

for (const [name, { text, ...pair }] of Object.entries(unmet))
  gates(`${name} is unmet`, async () => {
    const match = await matchOf(pair);
    assert.equal(match.unmet, [text]);
    assert.is(match.meets, false);
  });

const evenPay = {
  order: { salaryUsdYear: 31_512, hoursPerWeek: 40 },
  person: { payRateUsdHour: 15.15 },
};

gates('an hourly rate that makes exactly the salary of the order meets it, in whole cents', async () => {
  const { meets, pay } = await matchOf(evenPay);
  assert.is(meets, true);
  assert.equal(pay, { asks: 31_512, most: 31_512, per: 'year' });
});

gates('a match shows the shift and the pay that were compared', async () => {
  const match = await matchOf({
    person: { shifts: ['day', 'night'], payRateUsdHour: 45 },
    order: { shift: 'night', payRateUsdHour: 50 },
  });
  assert.equal(match.shift, { order: 'night', candidate: ['day', 'night'] });
  assert.equal(match.pay, { asks: 45, most: 50, per: 'hour' });
});

gates('a credential that is valid on the first day meets', async () => {
  const { meets } = await matchOf({
    order: { requires: ['RN license PA'], startDate: dayAt(60) },
    person: { credentials: [`RN license PA until ${dayAt(60)}`], availableFrom: dayAt(0) },
  });
  assert.is(meets, true);
});

/** Returns the gaps of a registered nurse with these credentials and an order for one. */
const gapsOf = async (credentials: string[], order: object = {}): Promise<string[]> =>
  (await matchOf({ order: { onetCode: nurse, ...order }, person: { onetCode: nurse, credentials } })).gaps;

gates('a nurse whose only named licence expired meets the order by occupation, with a gap', async () => {
  const person = { onetCode: nurse, credentials: ['RN license PA until 2025-01-01'] };
  const { gaps, meets } = await matchOf({ order: { onetCode: nurse, shift: 'day' }, person });
  assert.ok(gaps.includes('the RN license PA that is named expired 2025-01-01'), gaps.join());
  assert.is(meets, true);
});

gates('a licence that expires before the start of the work gets a gap', async () => {
  const gaps = await gapsOf([`RN license until ${dayAt(9)}`], { startDate: dayAt(10) });
  assert.ok(gaps.includes(`the RN license that is named expired ${dayAt(9)}`), gaps.join());
});

for (const [what, credentials, order] of [
  ['beside one that lasts', ['RN license PA until 2025-01-01', 'RN license OH'], {}],
  ['that a must-have names', ['RN license PA until 2025-01-01'], { requires: ['RN license PA'] }],
  ['for other work', ['CDL A until 2025-01-01'], {}],
] as const)
  gates(`an expired licence ${what} gets no gap`, async () => {
    assert.not.match((await gapsOf([...credentials], order)).join(), 'expired');
  });

for (const days of [0, 1, 29, 30, 31, 400]) {
  const isSoon = days <= 30;
  const until = dayAt(days);
  const title = `that ends ${days} days after the start gets ${isSoon ? 'a' : 'no'} gap of its end`;

  gates(`a licence ${title}`, async () => {
    const gaps = await gapsOf([`RN license until ${until}`]);
    assert.is(gaps.includes(`the licence expires ${until}, soon after the start`), isSoon, gaps.join());
  });

  gates(`a must-have ${title}`, async () => {
    const gaps = await gapsOf([`BLS until ${until}`], { requires: ['BLS'] });
    assert.is(gaps.includes(`"BLS" expires ${until}, soon after the start`), isSoon, gaps.join());
  });
}

gates('meets=true without a match says how to see the others', async () => {
  const desk = await world.open({
    candidates: [toBody.candidate()],
    jobOrders: [toBody.jobOrder({ ref: 'o' })],
  });
  const { body } = await desk.get('/job-orders/%23o/matches?meets=true');
  assert.is(
    body.message,
    'Every candidate has an unmet gate, or nothing to compare. Leave meets out to see them.',
  );
});

gates('remote work earns the points of the metro area', async () => {
  const { reasons } = await matchOf({
    person: { metro: 'Austin, TX' },
    order: { workplace: 'remote', metro: 'Columbus, OH' },
  });
  const metro = reasons.find(({ factor }: Body) => factor === 'metro');
  assert.is(metro.text, 'the work is remote');
  assert.is(metro.points, 15);
});

gates('a placement advises of a credential that expires within 30 days after its start', async () => {
  const desk = await openSmallDesk({
    a: { credentials: [`BLS until ${dayAt(30)}`] },
    o: { requires: ['BLS'] },
  });
  const soon = await place(desk, { startDate: dayAt(0) });
  assert.equal(codesOf(soon), ['expires_soon', 'ends_during_work']);
  assert.is(soon.body.warnings[0].advice, true);
});

for (const [first, second, codes] of [
  [{ hoursPerWeek: 20 }, 20, []],
  [{ hoursPerWeek: 30 }, 20, ['already_placed']],
  [{}, 20, []],
  [{}, 21, ['already_placed']],
] as const)
  gates(
    `a placement of ${second} hours beside ${JSON.stringify(first)}, whose order has 20: ${codes}`,
    async () => {
      const desk = await openSmallDesk({ o: { hoursPerWeek: 20 } });
      await place(desk, { ref: 'x', startDate: dayAt(-5), ...first });
      const next = { jobOrderId: '#p', startDate: dayAt(0), hoursPerWeek: second };
      assert.equal(codesOf(await place(desk, next)), codes);
    },
  );

gates.run();
