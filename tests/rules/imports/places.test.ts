import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import mustHaves from '../../../content/must-haves.json' with { type: 'json' };
import { splitPlace } from '../../../src/exports/split-place.ts';
import { findCountry } from '../../../src/imports/countries.ts';
import { type PlaceParts, readFilePlace } from '../../../src/imports/places.ts';
import { comparePlaces, isWithin, readPlace } from '../../../src/records/kind/fields/places.ts';
import type { Body } from '../../support/http.ts';
import { readDry, sendImport } from '../../support/imports.ts';

const places = suite('places of files');

const states = Object.entries(mustHaves.states);
const territories = ['AS', 'GU', 'MP', 'PR', 'VI'];
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const countries = letters
  .flatMap((first) => letters.map((second) => first + second))
  // NA is Namibia, and fills a cell.
  .filter((code) => !['US', 'UK', 'NA', ...territories].includes(code))
  .flatMap((code) => findCountry(code) ?? []);

const readPlaceOf = (parts: PlaceParts) => readFilePlace(parts).place;
const listStates = (place: string) => readPlace(place).readings.flatMap((reading) => reading.states);

/** Fails if a stored place is another one when our own documents bring it back. */
function checkComesBack(place: string): void {
  assert.is(readPlaceOf({ whole: place }), place, 'as one text');
  const { city, region, countryCode } = splitPlace(place);
  assert.is(readPlaceOf({ city, state: region, country: countryCode }), place, 'as parts');
}

/** Returns what each way to write a place in a file becomes, with the texts that it was written as. */
async function importPlaces(sent: readonly Required<Omit<PlaceParts, 'whole'>>[]): Promise<string[][]> {
  const quote = (cells: readonly (string | undefined)[]) => cells.map((cell) => `"${cell}"`).join(',');
  const rows = sent.map(({ city, state, country }) =>
    quote(['Ann', 'Registered Nurse', city, state, country]),
  );
  const columns = await readDry(['Name,Title,City,State,Country', ...rows]);
  const wholes = sent.map(({ city, state, country }) =>
    quote(['Ann', 'Registered Nurse', [city, state, country].join(', ')]),
  );
  const location = await readDry(['Name,Title,Location', ...wholes]);
  const data = sent.map(({ city: addressLocality, state: addressRegion, country: addressCountry }) => ({
    '@type': 'JobPosting',
    title: 'Registered Nurse',
    jobLocation: { address: { addressLocality, addressRegion, addressCountry } },
  }));
  const { body } = await sendImport({ format: 'posting', data });
  const lists = [columns.records.candidates, location.records.candidates, body.records.jobOrders];
  return sent.map((_, index) => lists.map((list) => (list[index] as Body).metro as string));
}

places('a city in each state is the same as a text, in columns and in a posting', async () => {
  const sent = states.map(([code]) => ({ city: 'Xville', state: code, country: 'US' }));
  for (const [index, found] of (await importPlaces(sent)).entries())
    for (const place of found) assert.is(place, `Xville, ${states[index]![0]}`);
});

places('a city in each state comes back from an export', () => {
  for (const state of states.flat()) checkComesBack(readPlaceOf({ city: 'Xville', state }));
});

places(
  'a city of each country is the same as a text, in columns and in a posting, and in no state',
  async () => {
    const sent = countries.map(({ code }) => ({ city: 'Xville', state: 'QX', country: code }));
    const found = [...(await importPlaces(sent.slice(0, 150))), ...(await importPlaces(sent.slice(150)))];
    assert.is(found.length, countries.length);
    for (const [index, [columns, ...others]] of found.entries()) {
      const { code, name } = countries[index]!;
      assert.is(columns, code === 'GE' ? 'Xville, QX, Georgia (country)' : `Xville, QX, ${name}`);
      assert.equal(listStates(columns!), [], code);
      for (const place of others) assert.is(place, columns, code);
      checkComesBack(columns!);
    }
  },
);

for (const [text, place] of [
  ['Toronto, ON, CA', 'Toronto, ON, Canada'],
  ['Kitchener, Ontario, CA', 'Kitchener, Ontario, Canada'],
  ['Bangalore, Karnataka, IN', 'Bangalore, Karnataka, India'],
  ['Mysore, Karnataka, IN', 'Mysore, Karnataka, India'],
  ['Chennai, TN, IN', 'Chennai, TN, India'],
  ['Berlin, BE, DE', 'Berlin, BE, Germany'],
  ['London, GB', 'London, United Kingdom'],
  ['London, GBR', 'London, United Kingdom'],
  ['San Juan, PRI', 'San Juan, PR'],
  ['EXAMPLE CLINIC, LEE, MA', 'LEE, MA'],
  ['US, OH, Columbus', 'Columbus, OH'],
  ['Columbus, OH, OH', 'Columbus, OH'],
  ['Columbus, OH, Ohio', 'Columbus, OH'],
] as const)
  places(`${text} is ${place}`, () => {
    assert.is(readPlaceOf({ whole: text }), place);
  });

places('a territory that a country names is a state', () => {
  for (const code of territories)
    for (const country of [code, mustHaves.states[code as 'PR'], findCountry(code)!.name])
      for (const state of ['', code, 'Some District']) {
        const place = readPlaceOf({ city: 'Xville', state, country });
        assert.equal(listStates(place), [code], `${state}, ${country}`);
        assert.match(place, /^Xville, /);
        assert.not.match(place, '(country)');
        assert.ok(isWithin(readPlace(place), readPlace(code)), place);
        checkComesBack(place);
      }
});

places('a place in the United Kingdom is the same by each name of the country', () => {
  for (const name of ['UK', 'GB', 'GBR', 'Great Britain', 'United Kingdom']) {
    const place = readPlace(readPlaceOf({ city: 'London', country: name }));
    assert.is(comparePlaces(place, readPlace('London, United Kingdom')), 'same', name);
    assert.ok(isWithin(place, readPlace('UK')), name);
  }
});

const streets = [
  ...['12 Main St', '12345 Main St', '12 Main St NW', '12 Main St Apt 4', '12 Broad', '12 Highway 50'],
  ...['Hauptstr. 5', 'Kungsgatan 5', 'Calle Mayor 5', '12 rue de Rivoli', 'Rue de Rivoli', 'Main Street'],
];
const units = ['', 'Apt 4', 'Suite 200', 'Ste B', '#4', 'Unit 5', 'P.O. Box 12', '2nd Floor', 'Bldg. C'];

places('no street and no unit is stored, in any country', () => {
  const ends = ['', 'OH', 'OH, USA', 'PR', 'ON, Canada', ...countries.map(({ name }) => name)];
  for (const end of ends)
    for (const street of streets)
      for (const unit of end === 'Germany' || end.length < 10 ? units : ['', 'Suite 200']) {
        const parts = ['Xville', end].filter(Boolean).join(', ');
        const sent = [street, unit, parts].filter(Boolean).join(', ');
        const { place, left } = readFilePlace({ whole: sent });
        assert.is(place, readPlaceOf({ whole: parts }), sent);
        for (const text of [street, unit].filter(Boolean))
          assert.ok(
            left.some((part) => part.text === text),
            `${text} of ${sent} is listed`,
          );
      }
});

for (const [end, ...codes] of [
  ['Ohio', 'Xville|Ohio 43215', 'Xville|Ohio|43215-1234'],
  ['Canada', 'Xville M5V 2T6|Canada', 'Xville|M5V 2T6|Canada', 'Xville M5V|Canada'],
  ['United Kingdom', 'Xville SW1A 1AA|United Kingdom', 'Xville|E1 6AN|United Kingdom'],
  ['Germany', '10115 Xville|Germany', 'D-10115 Xville|Germany', 'Xville|10115|Germany'],
  ['Austria', '1010 Xville|Austria', 'Xville 1010|Austria'],
  ['Netherlands', '1012 AB Xville|Netherlands'],
  ['Sweden', '111 22 Xville|Sweden', 'SE-111 22 Xville|Sweden'],
  ['Poland', '00-950 Xville|Poland'],
  ['Portugal', '1234-567 Xville|Portugal'],
  ['India', 'Xville 400001|India', 'Xville - 400001|India', 'Xville 400 001|India'],
  ['Ireland', 'Xville D02 X285|Ireland'],
  ['Japan', 'Xville 100-0001|Japan'],
] as const)
  for (const code of codes)
    places(`${code.replaceAll('|', ', ')} is stored without its postal code`, () => {
      const { place, left } = readFilePlace({ whole: `12 Main St, ${code.replaceAll('|', ', ')}` });
      assert.is(place, `Xville, ${end}`);
      assert.ok(left.some(({ why }) => why === 'zip'));
    });

const oddCities = [
  ...[
    'Ste. Genevieve',
    'Street',
    'Lane',
    '29 Palms',
    '1000 Oaks',
    'St. Louis',
    'Fort Drive',
    'Unit',
    'Ft. Lee',
  ],
  ...['Drive', 'Avenue', 'Federal Way', 'Floor Hill', 'Highway', 'Ste. Marie', 'Delaware City'],
];

places('a city that looks like a street is kept in its own column and before each state', () => {
  for (const city of oddCities) {
    assert.is(readPlaceOf({ city }), city);
    for (const [code, name] of states)
      for (const state of [code, name]) {
        const place = `${city}, ${state}`;
        assert.is(readPlaceOf({ whole: place }), place);
        assert.is(readPlaceOf({ whole: `12 Main St, ${place} 43215` }), place);
        assert.is(readPlaceOf({ city, state, country: 'USA' }), place);
        checkComesBack(place);
      }
  }
});

places('lists the other places of a text with several', () => {
  for (const text of [
    'Columbus, OH; Cleveland, OH',
    'Columbus, OH / Cleveland, OH',
    'Columbus, OH or Cleveland, OH',
  ]) {
    const { place, left } = readFilePlace({ whole: text });
    assert.is(place, 'Columbus, OH');
    assert.equal(left, [{ why: 'otherPlace', text: 'Cleveland, OH', from: 'whole' }]);
  }
});

places('lists what is before the city as what it is', () => {
  const { place, left } = readFilePlace({ whole: 'Example Clinic, Indianapolis, IN' });
  assert.is(place, 'Indianapolis, IN');
  assert.equal(left, [{ why: 'beforeCity', text: 'Example Clinic', from: 'whole' }]);
});

for (const [location, column, cell] of [
  ['Concord', 'State', 'CO'],
  ['New York', 'City', 'York'],
  ['"Dover, DE"', 'State', 'OH'],
] as const)
  places(`lists ${column} ${cell} beside the location ${location}`, async () => {
    const { notTaken } = await readDry([
      `Name,Title,Location,${column}`,
      `Ann,Registered Nurse,${location},${cell}`,
    ]);
    assert.is(notTaken[0]?.member, column);
  });

for (const [location, column, cell] of [
  ['"Columbus, OH"', 'State', 'OH'],
  ['Columbus OH', 'State', 'OH'],
  ['"Columbus, OH"', 'City', 'Columbus'],
] as const)
  places(`does not list ${column} ${cell} beside the location ${location}`, async () => {
    const { notTaken } = await readDry([
      `Name,Title,Location,${column}`,
      `Ann,Registered Nurse,${location},${cell}`,
    ]);
    assert.equal(notTaken, []);
  });

places('what is left of a place is under the column that says it', async () => {
  const { notTaken } = await readDry([
    'Name,Title,City,State,Country',
    'Ann,Registered Nurse,Austin US,TX 78701,US',
  ]);
  assert.equal(
    notTaken.map(({ member }: Body) => member),
    ['State', 'Country'],
  );
});

places.run();
