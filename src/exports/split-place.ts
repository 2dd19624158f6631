import { readPlace } from '../records/kind/fields/places.ts';

/** A place in parts. `countryCode` is there only for a place in the United States. */
interface PlaceParts {
  city?: string;
  region?: string;
  countryCode?: 'US';
}

/** Splits a place at its first comma: the city, and its state or region. A text without a comma is one of the two. */
export function splitPlace(metro: string): PlaceParts {
  const [first = '', ...rest] = metro.split(',').map((part) => part.trim());
  const [reading] = readPlace(metro).readings;
  const isState = rest.length === 0 && reading?.cities.length === 0;
  return {
    ...(isState ? { region: first } : { city: first }),
    ...(rest.length > 0 && { region: rest.join(', ') }),
    ...(reading && reading.states.length > 0 && { countryCode: 'US' }),
  };
}
