import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findCountry, findCountryBehind } from '../../../src/imports/countries.ts';
import { readFilePlace } from '../../../src/imports/places.ts';

const countries = suite('countries behind cities');

for (const [city, part, code] of [
  ['Toronto', 'Canada', 'CA'],
  ['Toronto', 'CA', 'CA'],
  ['Los Angeles', 'CA', undefined],
  ['Berlin', 'DE', 'DE'],
  ['Dover', 'DE', undefined],
  ['London', 'UK', 'GB'],
  ['A village', 'uk', 'GB'],
  ['A village', 'Japan', 'JP'],
  ['A village', 'FR', undefined],
  ['A village', 'Georgia', undefined],
  ['A village', 'US', 'US'],
] as const)
  countries(
    `${city}, ${part} is ${code === undefined ? 'no place of a country' : `a place in ${code}`}`,
    () => {
      assert.is(findCountryBehind(city, part)?.code, code);
    },
  );

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const pairs = letters.flatMap((first) => letters.map((second) => first + second));

countries('a country by its code is the same as by its name', () => {
  for (const code of pairs) {
    const country = findCountry(code);
    if (country) assert.is(findCountry(country.name)?.code, country.code, code);
  }
});

for (const [city, country, place] of [
  ['London, GB', 'United Kingdom', 'London, United Kingdom'],
  ['London, UK', 'United Kingdom', 'London, United Kingdom'],
  ['Paris, FR', 'France', 'Paris, France'],
  ['Moscow, RU', 'Russia', 'Moscow, Russia'],
] as const)
  countries(`${city} in ${country} names the country once`, () => {
    assert.is(readFilePlace({ city, country }).place, place);
  });

countries.run();
