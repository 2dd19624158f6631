import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findCountryBehind } from '../../../src/imports/countries.ts';

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

countries.run();
