import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Rates, warnOfMargin } from '../../../src/job-orders/margin.ts';
import { toChance } from '../../support/people.ts';

const margins = suite('the margin of random rates');

/** Draws rates whose pay is often near the bill rate. */
function drawRates(seed: number): Rates {
  const chance = toChance(seed);
  const maybe = <T>(draw: () => T): T | undefined => (chance(2) === 0 ? draw() : undefined);
  const hour = () => 50 + chance(5) + chance(3) / 100;
  const year = () => 52 * [40, 20, 35][chance(3)]! * (48 + chance(6));
  return {
    billRateUsdHour: chance(5) === 0 ? undefined : hour(),
    payRateUsdHour: maybe(hour),
    payRateMaxUsdHour: maybe(hour),
    salaryUsdYear: maybe(year),
    salaryMaxUsdYear: maybe(year),
    hoursPerWeek: maybe(() => [40, 20, 35][chance(3)]!),
  };
}

const toCents = (dollars: number) => Math.round(dollars * 100);

/** Lists all pay of rates by the hour, in cents: the pay before the most that may be paid. */
function listCents(rates: Rates): number[] {
  const hoursPerYear = 52 * (rates.hoursPerWeek ?? 40);
  const all = [
    rates.payRateUsdHour,
    rates.salaryUsdYear && rates.salaryUsdYear / hoursPerYear,
    rates.payRateMaxUsdHour,
    rates.salaryMaxUsdYear && rates.salaryMaxUsdYear / hoursPerYear,
  ];
  return all.flatMap((dollars) => (dollars === undefined ? [] : [toCents(dollars)]));
}

const all = Array.from({ length: 3000 }, (_, seed) => drawRates(seed));

margins('is negative if any pay is more than the bill rate, compared in cents', () => {
  let negative = 0;
  for (const rates of all) {
    const { billRateUsdHour: bill } = rates;
    const isNegative = bill !== undefined && listCents(rates).some((cents) => cents > toCents(bill));
    if (isNegative) negative += 1;
    assert.is(warnOfMargin(rates, 'billRateUsdHour').length, isNegative ? 1 : 0, JSON.stringify(rates));
  }
  assert.ok(negative > 300 && negative < all.length - 300, String(negative));
});

margins('names the first pay that is more than the bill rate', () => {
  const names = [
    ['payRateUsdHour', / and \$[\d,.]+ an hour is paid$/],
    ['salaryUsdYear', / and \$[\d,.]+ a year is paid, which is /],
    ['payRateMaxUsdHour', / and up to \$[\d,.]+ an hour is paid$/],
    ['salaryMaxUsdYear', / and up to \$[\d,.]+ a year is paid, which is /],
  ] as const;
  const seen = new Set<string>();
  for (const rates of all) {
    const [advice] = warnOfMargin(rates, 'billRateUsdHour');
    if (!advice) continue;
    const bill = toCents(rates.billRateUsdHour!);
    const first = names.find(([name]) => {
      const { [name]: paid, hoursPerWeek } = rates;
      return paid !== undefined && listCents({ [name]: paid, hoursPerWeek })[0]! > bill;
    })!;
    seen.add(first[0]);
    assert.match(advice.message, first[1], JSON.stringify(rates));
  }
  assert.is(seen.size, names.length);
});

margins('converts a salary at the hours of the work, or at 40', () => {
  for (const rates of all) {
    const [advice] = warnOfMargin(rates, 'billRateUsdHour');
    const [, hour, hours] = / which is \$([\d.]+) an hour at (\d+) hours/.exec(advice?.message ?? '') ?? [];
    if (hour === undefined) continue;
    assert.is(Number(hours), rates.hoursPerWeek ?? 40);
    assert.ok(listCents(rates).includes(toCents(Number(hour))), advice!.message);
  }
});

margins('is advice, at the member that the caller names', () => {
  for (const path of ['billRateUsdHour', 'payRateUsdHour']) {
    const [advice] = warnOfMargin({ billRateUsdHour: 50, payRateUsdHour: 60 }, path);
    assert.is(advice!.path, path);
    assert.is(advice!.advice, true);
  }
});

margins('is the better, the more is billed and the less is paid', () => {
  for (const rates of all) {
    if (rates.billRateUsdHour === undefined || warnOfMargin(rates, 'p').length > 0) continue;
    const better = { ...rates, billRateUsdHour: rates.billRateUsdHour + 0.01 };
    assert.is(warnOfMargin(better, 'p').length, 0, JSON.stringify(rates));
    for (const name of ['payRateUsdHour', 'payRateMaxUsdHour', 'salaryUsdYear', 'salaryMaxUsdYear'] as const)
      assert.is(warnOfMargin({ ...rates, [name]: undefined }, 'p').length, 0, JSON.stringify(rates));
  }
});

margins.run();
