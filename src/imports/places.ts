import content from '../../content/places.json' with { type: 'json' };
import { foldText } from '../kernel/words.ts';
import { stateByName } from '../records/kind/fields/states.ts';
import { type Country, findCountry, findCountryBehind, findTerritory } from './countries.ts';
import { isFiller } from './fillers.ts';
import { cutPostalCode, isAddress, isNumberedCity, isStreetBeforeCity } from './streets.ts';

/** Why a part of a place is not stored. */
export const whyLeft = {
  street: 'a street is not stored',
  zip: 'a ZIP code is not stored',
  workplace: 'a workplace is no part of a place',
  unitedStates: 'the United States are not named in a place',
  beforeCity: 'only the city before a state is stored; if the last part is a country, write its name',
  otherPlace: 'a record has one place; the first is stored',
  repeated: 'the state is named twice',
} as const;

/** A part of what a file says of a place. */
interface Part {
  text: string;
  /** Which of the texts it is from. */
  from: keyof PlaceParts;
}

/** A part of a place that is left out, and why. */
interface LeftOfPlace extends Part {
  why: keyof typeof whyLeft;
}

/** A place as a record stores it, and what of the text is left out. */
export interface FilePlace {
  /** Empty if the text names no place. */
  place: string;
  left: LeftOfPlace[];
}

/** A place in the parts that a file may have for it. */
export interface PlaceParts {
  /** A text that may hold all the other parts too. */
  whole?: string | undefined;
  /** The text of a member for cities. */
  city?: string | undefined;
  state?: string | undefined;
  country?: string | undefined;
}

/** A longer text is no place that a record can have. */
const longest = 400;

const { statesAndCities, remoteWords } = content;
const remote = new RegExp(`^(?:${remoteWords.join('|')})(?:\\s*[-–—:,(]+\\s*|\\s+in\\s+|$)`, 'i');

const findState = (text: string) => stateByName.get(foldText(text.trim()));
const isState = (text: string) => text.split(/[-/&]/).every((state) => findState(state) !== undefined);
const isStateAndCity = (text: string) => statesAndCities.includes(foldText(text));

/** Returns how many of the last parts are states. A city that is called like a state is none: "New York, NY". */
function countStates(parts: readonly Part[]): number {
  const run = parts.length - 1 - parts.findLastIndex(({ text }) => !isState(text));
  const first = parts[parts.length - run];
  return run > 1 && first !== undefined && isStateAndCity(first.text) ? run - 1 : run;
}

/** White space in a place is one space. The expressions for streets and postal codes expect that. */
const tidySpaces = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** Returns the first of several places that a text lists: "Columbus, OH; Cleveland, OH". */
function cutOtherPlaces(text: string, from: keyof PlaceParts, left: LeftOfPlace[]): string {
  const lines = text.split(/[;|\r\n]/).map(tidySpaces);
  const places = lines.flatMap((line) => line.split(/ (?:\/|or|and|&) /));
  const isPlace = (place: string) => {
    const [last = '', before] = place.split(',').toReversed();
    return before !== undefined && (isState(cutPostalCode(last.trim())) || findCountry(last) !== undefined);
  };
  if (places.filter(isPlace).length < 2) return text;
  const [first = '', ...others] = places.filter((place) => place !== '');
  for (const other of others) left.push({ why: 'otherPlace', text: other, from });
  return first;
}

/** Splits what a file says of a place, without the words for a workplace. */
function splitParts({ whole, city, state = '' }: PlaceParts, left: LeftOfPlace[]): Part[] {
  const from = whole === undefined ? 'city' : 'whole';
  const text = whole ?? city ?? '';
  const [workplace] = remote.exec(text) ?? [];
  if (workplace) left.push({ why: 'workplace', text: workplace, from });
  const place = workplace ? text.slice(workplace.length).replace(/\)$/, '') : text;
  const toParts = (one: string, of: keyof PlaceParts): Part[] =>
    one
      .split(/[,\r\n]/)
      .map((part) => ({ text: tidySpaces(part), from: of }))
      .filter((part) => part.text !== '' && !isFiller(part.text));
  const parts = toParts(cutOtherPlaces(place, from, left), from);
  const states = toParts(state, 'state');
  const isRepeated = parts.length > 1 && foldText(parts.at(-1)!.text) === foldText(states.at(-1)?.text ?? '');
  return isRepeated ? [...parts, ...states.slice(0, -1)] : [...parts, ...states];
}

function dropPostalCodes(parts: readonly Part[], left: LeftOfPlace[], isForeign?: boolean): Part[] {
  return parts.flatMap((part) => {
    const text = cutPostalCode(part.text, isForeign);
    if (text !== part.text) left.push({ ...part, why: 'zip' });
    return text === '' ? [] : [{ ...part, text }];
  });
}

/** Returns "US, OH, Columbus" in the order of a place, and other parts as they are. */
function turnAround(parts: readonly Part[]): readonly Part[] {
  const [country, state] = parts;
  const isTurned = parts.length === 3 && findCountry(country!.text)?.code === 'US' && isState(state!.text);
  return isTurned ? parts.toReversed() : parts;
}

/** Drops the parts that match a condition, as streets. */
function dropStreets(
  parts: readonly Part[],
  left: LeftOfPlace[],
  isStreet: (part: Part, index: number) => boolean,
): Part[] {
  return parts.filter((part, index) => {
    const isLeft = isStreet(part, index);
    if (isLeft) left.push({ ...part, why: 'street' });
    return !isLeft;
  });
}

/** Whether a part can be a city that has a street before it: it is no state, no province and no country. */
const canBeCity = ({ text }: Part) =>
  !isState(text) && !/^[A-Z]{2,3}$/.test(text) && findCountry(text) === undefined;

/** A country, or a territory that counts as a state, behind the parts of a place. */
interface Split {
  country?: Country;
  parts: readonly Part[];
}

/** Returns the parts with a territory as their state. A region between the city and the territory is left out. */
function addTerritory(
  parts: readonly Part[],
  code: string,
  { text, from }: Part,
  left: LeftOfPlace[],
): Part[] {
  const named = parts.find((part) => findState(part.text) === code);
  if (named && named.text !== text) left.push({ why: 'repeated', text, from });
  const cities = parts.filter((part) => findState(part.text) !== code);
  const city = from === 'country' ? cities.slice(0, 1) : cities.slice(-1);
  for (const part of cities) if (!city.includes(part)) left.push({ ...part, why: 'beforeCity' });
  return [...city, named ?? { text: findState(text) === code ? text : code, from }];
}

/** Returns the country of a place, and its parts without the country. */
function splitCountry(parts: readonly Part[], stated: string, left: LeftOfPlace[]): Split {
  const [last, before, city] = parts.toReversed();
  const named = stated === '' ? undefined : (findCountry(stated) ?? { code: '', name: stated });
  const territory = named && (named.code === '' ? findState(stated) : findTerritory(named));
  if (territory !== undefined)
    return { parts: addTerritory(parts, territory, { text: stated, from: 'country' }, left) };
  if (named) {
    if (named.code === 'US') left.push({ why: 'unitedStates', text: stated, from: 'country' });
    const isRepeated = last && findCountry(last.text)?.code === named.code && named.code !== '';
    // With a country that is stated, "DE" behind Berlin is Germany again, and behind Dover it is a state.
    const isCountry = isRepeated && (parts.length > 1 || named.code === 'US');
    return { country: named, parts: isCountry ? parts.slice(0, -1) : parts };
  }
  if (!last || !before) return { parts };
  const country = city
    ? (findCountryBehind(city.text, last.text, before.text) ?? findCountryBehind(before.text, last.text))
    : findCountryBehind(before.text, last.text);
  const code = country && findTerritory(country);
  if (code !== undefined) return { parts: addTerritory(parts.slice(0, -1), code, last, left) };
  return country && country.code !== 'US' ? { country, parts: parts.slice(0, -1) } : { parts };
}

/** "Georgia" alone names a state. Behind a city that is not known to be in the country, the country is marked. */
function nameCountry(city: Part | undefined, { code, name }: Country): string {
  if (city === undefined || !isState(name) || findCountryBehind(city.text, name)?.code === code) return name;
  return `${name} (country)`;
}

/** Returns the city and its states. Leaves out the parts before the city, and a repeated state. */
function cutToCity(parts: readonly Part[], left: LeftOfPlace[]): Part[] {
  const count = countStates(parts);
  if (count === 0) return [...parts];
  for (const part of parts.slice(0, -count - 1)) left.push({ ...part, why: 'beforeCity' });
  const states = parts.slice(-count);
  const known = new Map<string, Part>();
  for (const part of states) {
    const code = findState(part.text) ?? part.text;
    const first = known.get(code);
    if (!first) known.set(code, part);
    else if (foldText(first.text) !== foldText(part.text)) left.push({ ...part, why: 'repeated' });
  }
  return [...parts.slice(-count - 1, -count), ...known.values()];
}

/**
 * Returns a place as a record stores it: `12 Main St, Columbus, OH 43215, USA` is `Columbus, OH`. A street, a postal code
 * and the United States are left out. Any other country is named behind the city: `Berlin, DE` is `Berlin, Germany`.
 */
export function readFilePlace(sent: PlaceParts): FilePlace {
  const text = sent.whole ?? sent.city ?? '';
  if (text.length > longest) return { place: text, left: [] };
  const left: LeftOfPlace[] = [];
  const written = turnAround(splitParts(sent, left));
  const named = dropPostalCodes(
    dropStreets(written, left, (part) => isAddress(part.text)),
    left,
  );
  const isBeforeCity = (part: Part, index: number) =>
    isStreetBeforeCity(part.text) && named.slice(index + 1).some(canBeCity);
  const stated = sent.country === undefined || isFiller(sent.country) ? '' : sent.country.trim();
  const split = splitCountry(dropStreets(named, left, isBeforeCity), stated, left);
  const inStates = split.parts.filter((part) => {
    const isUnitedStates = findCountry(part.text)?.code === 'US';
    if (isUnitedStates) left.push({ ...part, why: 'unitedStates' });
    return !isUnitedStates;
  });
  const { country } = split;
  const hasNoState = countStates(inStates) === 0 && !inStates.some((part) => isNumberedCity(part.text));
  const isForeign = country ? country.code !== 'US' : hasNoState;
  const coded = isForeign ? dropPostalCodes(inStates, left, true) : inStates;
  // "29 Palms" is a city in a member for cities, or before a state.
  const isStreet = ({ text: one, from }: Part) =>
    /^\d/.test(one) && !(isNumberedCity(one) && (from === 'city' || coded.length > 1));
  const kept = dropStreets(coded, left, isStreet);
  if (country && country.code !== 'US')
    return { place: [...kept.map((part) => part.text), nameCountry(kept[0], country)].join(', '), left };
  return {
    place: cutToCity(kept, left)
      .map((part) => part.text)
      .join(', '),
    left,
  };
}
