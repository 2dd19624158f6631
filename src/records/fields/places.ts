import content from '../../../content/places.json' with { type: 'json' };
import { keepByText } from '../../kernel/cache.ts';
import { foldText, hasAllWords, type Phrase, readPhrase, readWords } from '../../kernel/words.ts';
import { nameByState, stateByName } from './states.ts';

/** One way to read a place. "New York" is read in two: as a city without a state, and as a state. */
interface Reading {
  /** The cities that a metro area names, each equal for the same city; none for a state alone. */
  cities: readonly string[];
  /** Codes of states of the United States. */
  states: readonly string[];
  /** What else follows the city, such as a country. */
  region: string;
  /** Each city with its region, to be searched for words. */
  phrases: readonly Phrase[];
}

export interface Place {
  text: string;
  /** The whole text; equal for texts that differ in case, accents, punctuation and spaces alone. */
  key: string;
  readings: readonly Reading[];
  /** The cities and states of all readings: two places that share none are not near. */
  names: readonly string[];
}

const { hyphenatedCities, joiningWords, statesAndCities } = content;
const cityNames: Readonly<Record<string, string>> = content.cityNames;
const shortForms: Readonly<Record<string, string>> = content.shortForms;

const hyphenated = new RegExp(`\\b(?:${hyphenatedCities.join('|')})\\b`, 'g');
const shortForm = new RegExp(
  `(?<![\\p{L}\\p{N}])(${Object.keys(shortForms).join('|')})(?:\\.\\s*|\\s+|(?<=ste?|sainte?)-)(?=\\p{L})`,
  'gu',
);
const country = /(?<=[^\s,])[\s,]+(?:u\.?s\.?(?:a\.?)?|united states(?: of america)?)$/;
const postalCode = /(?<=\S)\s+\d{5}(?:-\d{4})?$/;
const separator = /[-/&]+|\band\b/;
/** Cities of a metro area at most, and words of a state at most. A longer name is one city. */
const [mostCities, mostStateWords] = [12, 3];

/** The folded words of a text, with one space between them. */
const toKey = (text: string) => {
  const words = readWords(text).map(({ forms }) => forms[0]);
  return words.join(' ');
};

/** The states that a text names and nothing else: `ohio`, `oh`, or several as `mo-ks`. Undefined for any other text. */
function parseStates(text: string): string[] | undefined {
  const known = stateByName.get(toKey(text));
  if (known !== undefined) return [known];
  const states = text.split(/[-/&]/).map((part) => stateByName.get(toKey(part)));
  return states.every((state) => state !== undefined) ? states : undefined;
}

/** The cities of a metro area: `dallas-fort worth` is Dallas and Fort Worth. */
function parseCities(text: string): string[] {
  const joined = text.replace(hyphenated, (name) => name.replace('-', ' '));
  const parts = joined.split(separator).map(toKey);
  const isOneName = parts.length > mostCities || parts.some((part) => joiningWords.includes(part));
  const cities = isOneName ? [toKey(joined)] : parts;
  return cities.filter(Boolean).map((city) => cityNames[city] ?? city);
}

function buildReading(city: string, states: readonly string[], region = ''): Reading {
  const cities = parseCities(city);
  const phrases = cities.map((one) => readPhrase(`${one} ${region}`));
  return { cities, states, region: toKey(region), phrases };
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
    const found = parseStates(text.slice(index));
    if (!found) continue;
    const isName = found.some((code) => nameByState.get(code) === toKey(text.slice(index)));
    const ofState = buildReading(text.slice(0, index), found);
    return isName ? [ofState, buildReading(text, [])] : [ofState];
  }
  return [buildReading(text, [])];
}

/** Reads the name of a metro area. What follows the last comma, or without one the last words, may name its states. */
function read(text: string): Omit<Place, 'names'> {
  const folded = foldText(text).trim();
  const spelled = folded
    .replace(/[‐–−]/g, '-')
    .replace(country, '')
    .replace(postalCode, '')
    .replace(shortForm, (_, form: string) => `${shortForms[form]} `);
  const key = toKey(spelled);
  // Signs alone name no place, and equal themselves.
  if (key === '') return { text, key: folded, readings: [] };
  const [city = '', ...rest] = spelled.split(',').filter((segment) => toKey(segment) !== '');
  if (rest.length === 0) return { text, key, readings: readAlone(city.trim()) };
  const states: string[] = [];
  while (rest.length > 0) {
    const found = parseStates(rest.at(-1)!);
    if (!found) break;
    states.push(...found);
    rest.pop();
  }
  return { text, key, readings: [buildReading(city, states, rest.join(' '))] };
}

/** Bytes of a place in memory, more or less. */
const sizeOfPlace = ({ text, names }: Place) => 500 + text.length + names.length * 500;

export const readPlace: (text: string) => Place = keepByText((text) => {
  const place = read(text);
  return { ...place, names: place.readings.flatMap(({ cities, states }) => [...cities, ...states]) };
}, sizeOfPlace);

/** How two places stand to each other. `unstated`: the same city, and one of them does not say its state. */
type Nearness = 'same' | 'unstated' | 'state' | 'other';
const fromNearest: readonly Nearness[] = ['same', 'unstated', 'state', 'other'];

function share(a: readonly string[], b: readonly string[]): boolean {
  for (const one of a) if (b.includes(one)) return true;
  return false;
}

/** Whether two regions are the same, or one says more: `on` and `on canada`. */
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

/** The nearest of all ways to read the two. */
export function comparePlaces(a: Place, b: Place): Nearness {
  if (a.key === b.key) return 'same';
  if (!share(a.names, b.names)) return 'other';
  let nearest: Nearness = 'other';
  for (const one of a.readings) {
    for (const other of b.readings) {
      const found = compareReadings(one, other);
      if (fromNearest.indexOf(found) < fromNearest.indexOf(nearest)) nearest = found;
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
  return wanted.phrases.some((asked) => whole.phrases.some((phrase) => hasAllWords(phrase, asked)));
}

/** Whether a place is in what is wanted: in its state, and in a city that has all words of one of its cities. */
export const isWithin = (place: Place, wanted: Place): boolean =>
  place.key === wanted.key ||
  wanted.readings.some((one) => place.readings.some((reading) => contains(reading, one)));
