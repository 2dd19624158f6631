import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { comparePlaces, isWithin, readPlace } from '../../../src/records/kind/fields/places.ts';
import { warnOfUnusualPay } from '../../../src/records/kind/fields/unusual-pay.ts';

const places = suite('places');

type Nearness = ReturnType<typeof comparePlaces>;

const pairs: [one: string, other: string, nearness: Nearness][] = [
  ['Columbus, OH', 'columbus,  oh', 'same'],
  ['Columbus, OH', 'Columbus, Ohio', 'same'],
  ['Columbus, OH', 'Columbus OH', 'same'],
  ['Columbus, OH', 'Columbus, OH 43004', 'same'],
  ['Columbus, OH', 'Columbus, OH 43004-1234', 'same'],
  ['Columbus, OH', 'Columbus, OH, USA', 'same'],
  ['Columbus, OH', 'Columbus, OH, United States of America', 'same'],
  ['Columbus, OH', 'Columbus', 'unstated'],
  ['Columbus, OH', 'Columbus, GA', 'other'],
  ['Columbus, OH', 'Cleveland, OH', 'state'],
  ['Columbus, OH', 'Ohio', 'state'],
  ['Ohio', 'OH', 'same'],
  ['Ohio', 'Georgia', 'other'],
  ['Columbus, OH', 'Austin, TX', 'other'],
  ['Columbus', 'Austin', 'other'],
  ['Columbus', 'COLUMBUS', 'same'],
  ['Kansas City, MO-KS', 'Kansas City, KS', 'same'],
  ['Kansas City, MO-KS', 'Topeka, KS', 'state'],
  ['Dallas-Fort Worth, TX', 'Fort Worth, TX', 'same'],
  ['Dallas-Fort Worth, TX', 'Ft. Worth, TX', 'same'],
  ['Minneapolis and St. Paul, MN', 'Saint Paul, MN', 'same'],
  ['New York, NY', 'New York', 'unstated'],
  ['Charleston, WV', 'Charleston West Virginia', 'same'],
  ['Charleston, WV', 'Charleston, SC', 'other'],
  ['Toronto, ON', 'Toronto, ON, Canada', 'same'],
  ['Toronto, ON', 'Toronto', 'unstated'],
  ['London, ON', 'London, UK', 'other'],
  ['Paris, France', 'Paris, TX', 'other'],
  ['Paris, France', 'Paris, France', 'same'],
  ['Tbilisi, Georgia', 'Atlanta, Georgia', 'other'],
  ['London, UK', 'London, United Kingdom', 'same'],
  ['London, GB', 'London, Great Britain', 'same'],
  ['St. Thomas, U.S. Virgin Islands', 'St. Thomas, VI', 'same'],
  ['---', '---', 'same'],
  ['---', '!!!', 'other'],
];

places('two places are as near as their cities and states say, in both directions', () => {
  for (const [one, other, nearness] of pairs) {
    assert.is(comparePlaces(readPlace(one), readPlace(other)), nearness, `${one} and ${other}`);
    assert.is(comparePlaces(readPlace(other), readPlace(one)), nearness, `${other} and ${one}`);
  }
});

const within: [place: string, wanted: string, isThere: boolean][] = [
  ['Columbus, OH', 'Ohio', true],
  ['Columbus, OH', 'Columbus', true],
  ['Columbus, OH', 'Columbus, OH', true],
  ['Columbus, OH', 'Columbus, GA', false],
  ['Columbus', 'Columbus, OH', true],
  ['Columbus', 'Ohio', false],
  ['Columbus, Italy', 'Columbus, OH', false],
  ['Cleveland, OH', 'Columbus, OH', false],
  ['Dallas-Fort Worth, TX', 'Dallas', true],
  ['Dallas', 'Dallas-Fort Worth, TX', true],
  ['Kansas City, MO-KS', 'KS', true],
  ['New York City, NY', 'New York', true],
  ['Albany, NY', 'New York', true],
  ['Paris, France', 'France', true],
  ['London, England, UK', 'United Kingdom', true],
  ['St. Thomas, U.S. Virgin Islands', 'VI', true],
  ['', 'Ohio', false],
];

places('a place is in a wanted one if that has its state, or its state and city', () => {
  for (const [place, wanted, isThere] of within)
    assert.is(isWithin(readPlace(place), readPlace(wanted)), isThere, `${place} in ${wanted}`);
});

places('a metro area has at most 12 cities, and a longer list is one city', () => {
  const list = (count: number) =>
    Array.from({ length: count }, (_, at) => `city${'abcdefghijklmnop'[at]}`).join('-');
  for (const [count, nearness] of [
    [12, 'same'],
    [13, 'other'],
  ] as const)
    assert.is(
      comparePlaces(readPlace(`${list(count)}, OH`), readPlace('citya, OH')),
      nearness === 'same' ? 'same' : 'state',
    );
});

places.run();

const pay = suite('pay that is unusual');

const figures = { rates: [20, 40], salaries: [40_000, 80_000] };
const table = (entry: object = figures) => ({ occupationByCode: new Map([['11-1011.00', entry]]) }) as never;
const warn = (members: object, entry?: object, kind?: { hasSalary: boolean }) =>
  warnOfUnusualPay({ id: 'a', onetCode: '11-1011.00', ...members } as never, table(entry), kind);
const explain = (members: object, kind?: { hasSalary: boolean }) =>
  warn(members, undefined, kind)[0]?.message;

pay('an amount of the other unit is advised of, and where to send it', () => {
  assert.is(explain({ payRateUsdHour: 5001 }), "$5,001 reads as a year's pay; send salaryUsdYear");
  assert.is(explain({ payRateMaxUsdHour: 60_000 }), "$60,000 reads as a year's pay; send salaryMaxUsdYear");
  assert.is(explain({ salaryUsdYear: 999 }), "$999 reads as an hour's pay; send payRateUsdHour");
  assert.is(explain({ salaryMaxUsdYear: 30 }), "$30 reads as an hour's pay; send payRateMaxUsdHour");
  assert.match(
    explain({ billRateUsdHour: 104_000 })!,
    /that of an hour, \$50(\.00)? if a year is 2,080 hours/,
  );
  assert.match(explain({ payRateUsdHour: 104_000 }, { hasSalary: false })!, 'send that of an hour');
});

pay('the limits of a unit are not of the other', () => {
  assert.not.match(explain({ payRateUsdHour: 5000 })!, 'reads as');
  assert.not.match(explain({ salaryUsdYear: 1000 })!, 'reads as');
  assert.is(explain({ billRateUsdHour: 5000 }), undefined);
});

pay('an amount outside the usual pay is advised of', () => {
  const message = (rest: string) => `is ${rest} for 11-1011.00; see its pay`;
  assert.match(
    explain({ payRateUsdHour: 19.99 })!,
    /^is below the 10th percentile \(\$20(\.00)?\) for 11-1011\.00; see its pay$/,
  );
  assert.is(explain({ payRateUsdHour: 20 }), undefined);
  assert.is(explain({ payRateUsdHour: 40 }), undefined);
  assert.match(explain({ payRateUsdHour: 40.01 })!, 'above the 90th percentile');
  assert.match(explain({ billRateUsdHour: 10 })!, 'below the 10th percentile of pay');
  assert.is(explain({ billRateUsdHour: 400 }), undefined);
  assert.match(explain({ salaryUsdYear: 39_999 })!, 'below the 10th percentile ($40,000');
  assert.is(explain({ salaryUsdYear: 80_000 }), undefined);
  assert.match(
    explain({ salaryUsdYear: 80_001 })!,
    message('above the 90th percentile ($80,000)').slice(0, 30),
  );
});

pay('the usual salary of part time is its share of a full week', () => {
  assert.is(explain({ salaryUsdYear: 20_000, hoursPerWeek: 20 }), undefined);
  assert.match(explain({ salaryUsdYear: 19_999, hoursPerWeek: 20 })!, 'below');
  assert.match(explain({ salaryUsdYear: 40_001, hoursPerWeek: 20 })!, 'above');
  assert.is(explain({ salaryUsdYear: 80_000, hoursPerWeek: 60 }), undefined);
  assert.is(explain({ payRateUsdHour: 20, hoursPerWeek: 20 }), undefined);
});

pay('nothing is said where no figures are known', () => {
  assert.equal(warn({ payRateUsdHour: 1, salaryUsdYear: 900_000 }, {}), []);
  assert.equal(warn({ payRateUsdHour: 1 }, { rates: [null, 2] }), []);
  assert.equal(warn({ onetCode: 'other', payRateUsdHour: 1 }), []);
  assert.equal(warn({}), []);
});

pay('each amount is advised of, as advice', () => {
  const warnings = warn({ payRateUsdHour: 1, payRateMaxUsdHour: 100, salaryUsdYear: 60_000 });
  assert.equal(
    warnings.map(({ code, path, advice }) => [code, path, advice]),
    [
      ['unusual_rate', 'payRateUsdHour', true],
      ['unusual_rate', 'payRateMaxUsdHour', true],
    ],
  );
});

pay.run();
