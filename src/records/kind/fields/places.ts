import content from '../../../../content/places.json' with { type: 'json' };
import { memoize, mostTextBytes } from '../../../kernel/cache.ts';
import { foldText, hasAllWords, type Phrase, readPhrase, readWords } from '../../../kernel/words.ts';
import { nameByState, stateByName } from './states.ts';

/** One way to read a place. "New York" has two: a city without a state, and a state. */
interface Reading {
  /** The cities that a metro area names, spelled the same for the same city. Empty for a state alone. */
  cities: readonly string[];
  /** Codes of US states. */
  states: readonly string[];
  /** What follows the city beside its states, such as a country. */
  region: string;
  /** Each city with its region, for a search for words. */
  phrases: readonly Phrase[];
}

export interface Place {
  text: string;
  /** The whole text, equal for texts that differ only in case, accents, punctuation and spaces. */
  key: string;
  readings: readonly Reading[];
  /** The cities and states of all readings. Two places that share none are far apart. */
  names: readonly string[];
}

const { hyphenatedCities, joiningWords, statesAndCities } = content;
const cityNames: Readonly<Record<string, string>> = content.cityNames;
const shortForms: Readonly<Record<string, string>> = content.shortForms;
const foreignCities: Readonly<Record<string, readonly string[]>> = content.foreignCities;
const countryNames: Readonly<Record<string, string>> = content.countryNames;
const countriesNamedAsStates: Readonly<Record<string, string>> = content.countriesNamedAsStates;

const hyphenated = new RegExp(`\\b(?:${hyphenatedCities.join('|')})\\b`, 'g');
const shortForm = new RegExp(
  `(?<![\\p{L}\\p{N}])(${Object.keys(shortForms).join('|')})(?:\\.\\s*|\\s+|(?<=ste?|sainte?)-)(?=\\p{L})`,
  'gu',
);
const country = /(?<=[^\s,])[\s,]+(?:u\.?s\.?(?:a\.?)?|united states(?: of america)?)$/;
const postalCode = /(?<=\S)\s{1,9}\d{5}(?:-\d{4})?$/;
const separator = /[-/&]+|\band\b/;
/** A metro area names at most this many cities or states. A longer list is read as one city. */
const mostCities = 12;
/** At most this many last words are read as a state. */
const mostStateWords = 3;

/** Returns the folded words of a text, with one space between them. */
const toKey = (text: string) => {
  const words = readWords(text).map(({ forms }) => forms[0]);
  return words.join(' ');
};

/**
 * Returns the codes of a text that names only states: `ohio`, `oh` or `mo-ks`. Returns undefined for any other
 * text.
 */
function parseStates(text: string): string[] | undefined {
  const state = stateByName.get(toKey(text));
  if (state !== undefined) return [state];
  const parts = text.split(/[-/&]/);
  if (parts.length > mostCities) return undefined;
  const states = parts.map((part) => stateByName.get(toKey(part)));
  return states.every((code) => code !== undefined) ? states : undefined;
}

/** Returns the cities of a metro area: Dallas and Fort Worth for `dallas-fort worth`. */
function parseCities(text: string): string[] {
  const joined = text.replace(hyphenated, (name) => name.replace('-', ' '));
  const parts = joined.split(separator);
  const names = parts.length > mostCities ? [] : parts.map(toKey);
  const isOneName = names.length === 0 || names.some((name) => joiningWords.includes(name));
  const cities = isOneName ? [toKey(joined)] : names;
  return cities.filter(Boolean).map((city) => cityNames[city] ?? toCountryName(city));
}

/** Whether the region behind a city is a country that is called like a state, as in `tbilisi, georgia`. */
function isForeign(city: string, region: string): boolean {
  const code = countriesNamedAsStates[toKey(region)];
  return code !== undefined && foreignCities[code]!.includes(toKey(city));
}

/** Returns a key, or the one name of a country that has several, such as `united kingdom` for `uk`. */
const toCountryName = (key: string) => countryNames[key] ?? key;

function buildReading(city: string, states: readonly string[], parts: readonly string[] = []): Reading {
  const cities = parseCities(city);
  const region = parts.map((part) => toCountryName(toKey(part))).join(' ');
  const phrases = cities.map((name) => readPhrase(`${name} ${region}`));
  return { cities, states, region, phrases };
}

/** Reads a text without a comma: `ohio`, `columbus oh`, `toledo ohio`, `charleston west virginia`, `columbus`. */
function readAlone(text: string): Reading[] {
  const states = parseStates(text);
  if (states) {
    const isCityToo = statesAndCities.includes(toKey(text));
    return [buildReading('', states), ...(isCityToo ? [buildReading(text, [])] : [])];
  }
  const spaces = [...text.matchAll(/\s+/g)].slice(-mostStateWords);
  for (const { index } of spaces) {
    const lastStates = parseStates(text.slice(index));
    if (!lastStates) continue;
    const isName = lastStates.some((code) => nameByState.get(code) === toKey(text.slice(index)));
    const ofState = buildReading(text.slice(0, index), lastStates);
    return isName ? [ofState, buildReading(text, [])] : [ofState];
  }
  return [buildReading(text, [])];
}

/** Reads the name of a metro area. Its states follow the last comma or, without a comma, are the last words. */
function read(text: string): Omit<Place, 'names'> {
  const folded = foldText(text).trim();
  const spelled = folded
    .replace(/[‐–−]/g, '-')
    .replace(country, '')
    .replace(postalCode, '')
    .replace(shortForm, (_, form: string) => `${shortForms[form]} `);
  const key = toKey(spelled);
  // A text of signs alone names no place. It equals only itself.
  if (key === '') return { text, key: folded, readings: [] };
  const [city = '', ...rest] = spelled.split(',').filter((segment) => toKey(segment) !== '');
  if (rest.length === 0) return { text, key, readings: readAlone(city.trim()) };
  const states: string[] = [];
  while (rest.length > 0) {
    const lastStates = parseStates(rest.at(-1)!);
    if (!lastStates || isForeign(city, rest.at(-1)!)) break;
    states.push(...lastStates);
    rest.pop();
  }
  return { text, key, readings: [buildReading(city, states, rest)] };
}

/** Estimates the size of a place in memory, in bytes. */
const sizeOfPlace = ({ text, names }: Place) => 500 + text.length + names.length * 500;

export const readPlace: (text: string) => Place = memoize(
  (text) => {
    const place = read(text);
    return { ...place, names: place.readings.flatMap(({ cities, states }) => [...cities, ...states]) };
  },
  { most: mostTextBytes, sizeOf: sizeOfPlace },
);

/** How near two places are. `unstated`: they share a city, and one of them does not state its state or region. */
type Nearness = 'same' | 'unstated' | 'state' | 'other';
const fromNearest: readonly Nearness[] = ['same', 'unstated', 'state', 'other'];

function share(a: readonly string[], b: readonly string[]): boolean {
  for (const name of a) if (b.includes(name)) return true;
  return false;
}

/** Whether two regions are the same, or one begins with the other: `on` and `on canada`. */
const isSameRegion = (a: string, b: string) => `${a} `.startsWith(`${b} `) || `${b} `.startsWith(`${a} `);

function compareReadings(a: Reading, b: Reading): Nearness {
  const isSameState = share(a.states, b.states);
  const areStates = a.cities.length === 0 && b.cities.length === 0;
  if (!areStates && !share(a.cities, b.cities)) return isSameState ? 'state' : 'other';
  if (isSameState) return 'same';
  const isStated = a.states.length > 0 || a.region !== '';
  const isOtherStated = b.states.length > 0 || b.region !== '';
  if (isStated !== isOtherStated) return 'unstated';
  const hasState = a.states.length > 0 || b.states.length > 0;
  return !hasState && isSameRegion(a.region, b.region) ? 'same' : 'other';
}

/** Returns how near two places are in their nearest readings. */
export function comparePlaces(a: Place, b: Place): Nearness {
  if (a.key === b.key) return 'same';
  if (!share(a.names, b.names)) return 'other';
  let nearest: Nearness = 'other';
  for (const reading of a.readings) {
    for (const otherReading of b.readings) {
      const nearness = compareReadings(reading, otherReading);
      if (fromNearest.indexOf(nearness) < fromNearest.indexOf(nearest)) nearest = nearness;
    }
  }
  return nearest;
}

function contains(whole: Reading, wanted: Reading): boolean {
  const isSameState = share(whole.states, wanted.states);
  if (wanted.cities.length === 0) return isSameState;
  if (wanted.states.length > 0) {
    const isUnstated = whole.states.length === 0 && whole.region === '';
    if (!isSameState && !isUnstated) return false;
  }
  return wanted.phrases.some((city) => whole.phrases.some((phrase) => hasAllWords(phrase, city)));
}

/** Whether a place is in the wanted one: in its state, and in a city that has all words of one of its cities. */
export const isWithin = (place: Place, wanted: Place): boolean =>
  place.key === wanted.key ||
  wanted.readings.some((area) => place.readings.some((reading) => contains(reading, area)));
