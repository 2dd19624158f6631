import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { dayAt } from '../../support/days.ts';
import type { Body } from '../../support/http.ts';
import { openSmallDesk } from '../../support/small-desk.ts';

const gates = suite('gates and gaps of pay, licences and hours');

const nurse = '29-1141.00';

/** Returns the match of one candidate and one order in a new workspace. */
async function matchOf({ order = {}, person = {}, query = '' }): Promise<Body> {
  const desk = await openSmallDesk({ a: person, o: order });
  const { body } = await desk.get(`/job-orders/%23o/matches?scope=workspace${query}`);
  return body.matches.find(({ candidate }: Body) => candidate.ref === 'a');
}

const evenPay = {
  order: { salaryUsdYear: 31_512, hoursPerWeek: 40 },
  person: { payRateUsdHour: 15.15 },
};

gates('an hourly rate that makes exactly the salary of the order meets it', async () => {
  assert.is((await matchOf(evenPay)).meets, true);
});

gates('a match shows converted pay in whole cents', async () => {
  assert.equal((await matchOf(evenPay)).pay, { asks: 31_512, most: 31_512, per: 'year' });
});

gates('a cent more than the order pays is unmet', async () => {
  const { unmet } = await matchOf({
    order: { payRateUsdHour: 50 },
    person: { payRateUsdHour: 50.01 },
  });
  assert.equal(unmet, ['asks $50.01 an hour; the order pays at most $50']);
});

gates('amounts with cents have two digits of them', async () => {
  const { unmet } = await matchOf({
    order: { salaryUsdYear: 100_000 },
    person: { payRateUsdHour: 70.01 },
  });
  assert.equal(unmet, ['asks $145,620.80 a year; the order pays at most $100,000']);
});

gates('a candidate who is available after the end of an order without a start is unmet', async () => {
  const { unmet } = await matchOf({
    order: { endDate: dayAt(60) },
    person: { availableFrom: dayAt(61) },
  });
  assert.equal(unmet, [`is available from ${dayAt(61)}; the work ends on ${dayAt(60)}`]);
});

gates('a candidate who is available on the last day of an order without a start meets it', async () => {
  const { meets } = await matchOf({ order: { endDate: dayAt(60) }, person: { availableFrom: dayAt(60) } });
  assert.is(meets, true);
});

gates('the start of an order counts before its end', async () => {
  const { unmet } = await matchOf({
    order: { startDate: dayAt(10), endDate: dayAt(60) },
    person: { availableFrom: dayAt(11) },
  });
  assert.equal(unmet, [`is available from ${dayAt(11)}; the work starts on ${dayAt(10)}`]);
});

/** Returns the match of a registered nurse with these credentials and an order for one. */
const matchNurse = (credentials: string[], order: object = {}) =>
  matchOf({ order: { onetCode: nurse, ...order }, person: { onetCode: nurse, credentials } });

gates('a nurse whose only named licence expired gets a gap', async () => {
  const { gaps } = await matchNurse(['RN license PA until 2025-01-01']);
  assert.ok(gaps.includes('the RN license PA that is named expired 2025-01-01'), gaps.join());
});

gates('a nurse whose only named licence expired meets the order by occupation', async () => {
  assert.is((await matchNurse(['RN license PA until 2025-01-01'])).meets, true);
});

gates('a licence that expires before the start of the work gets a gap', async () => {
  const { gaps } = await matchNurse([`RN license until ${dayAt(9)}`], { startDate: dayAt(10) });
  assert.ok(gaps.includes(`the RN license that is named expired ${dayAt(9)}`), gaps.join());
});

gates('an expired licence beside one that lasts gets no gap', async () => {
  const { gaps } = await matchNurse(['RN license PA until 2025-01-01', 'RN license OH']);
  assert.not.match(gaps.join(), 'expired');
});

gates('an expired licence that a must-have names is unmet and no gap', async () => {
  const { gaps } = await matchNurse(['RN license PA until 2025-01-01'], { requires: ['RN license PA'] });
  assert.not.match(gaps.join(), 'expired');
});

gates('an expired licence for other work gets no gap', async () => {
  const { gaps } = await matchNurse(['CDL A until 2025-01-01']);
  assert.not.match(gaps.join(), 'expired');
});

for (const days of [0, 1, 29, 30, 31, 400]) {
  const isSoon = days <= 30;
  const until = dayAt(days);

  gates(
    `a licence that ends ${days} days after the start gets ${isSoon ? 'a' : 'no'} gap of its end`,
    async () => {
      const { gaps } = await matchNurse([`RN license until ${until}`]);
      assert.is(gaps.includes(`the licence expires ${until}, soon after the start`), isSoon, gaps.join());
    },
  );

  gates(
    `a must-have that ends ${days} days after the start gets ${isSoon ? 'a' : 'no'} gap of its end`,
    async () => {
      const { gaps } = await matchNurse([`BLS until ${until}`], { requires: ['BLS'] });
      assert.is(gaps.includes(`"BLS" expires ${until}, soon after the start`), isSoon, gaps.join());
    },
  );
}

const fewHours = { order: { hoursPerWeek: 60 }, person: { hoursPerWeek: 10 } };

gates('a candidate who works fewer hours than the order gets a gap', async () => {
  const { gaps } = await matchOf(fewHours);
  assert.ok(gaps.includes('works 10 hours a week; the work is 60'), gaps.join());
});

gates('fewer hours than those of the order decide nothing', async () => {
  assert.is((await matchOf(fewHours)).meets, null);
});

for (const [what, pair] of Object.entries({
  'enough hours': { order: { hoursPerWeek: 30 }, person: { hoursPerWeek: 30 } },
  'an order without hours': { person: { hoursPerWeek: 10 } },
  'a candidate without hours': { order: { hoursPerWeek: 60 } },
}))
  gates(`${what} get no gap of hours`, async () => {
    assert.not.match((await matchOf(pair)).gaps.join(), 'hours');
  });

gates('a candidate who states pay does not fail an order without pay for unstated=unmet', async () => {
  const { unmet } = await matchOf({ person: { payRateUsdHour: 40 }, query: '&unstated=unmet' });
  assert.equal(unmet, []);
});

gates('a candidate without pay fails an order with pay for unstated=unmet', async () => {
  const { unmet } = await matchOf({ order: { payRateUsdHour: 40 }, query: '&unstated=unmet' });
  assert.equal(unmet, ['pay not stated']);
});

gates.run();
