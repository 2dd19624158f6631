import content from '../../content/places.json' with { type: 'json' };
import { foldText } from '../kernel/words.ts';
import { stateByName } from '../records/kind/fields/states.ts';
import { type Country, findCountry, findCountryBehind } from './countries.ts';
import { isFiller } from './fillers.ts';

/** Why a part of a place is not stored. */
export const whyLeft = {
  street: 'a street is not stored',
  zip: 'a ZIP code is not stored',
  workplace: 'a workplace is no part of a place',
  unitedStates: 'the United States are not named in a place',
} as const;

/** A part of a place that is left out: why, and its text. */
interface LeftOfPlace {
  why: keyof typeof whyLeft;
  text: string;
}

/** A place as a record stores it, and what of the text is left out. */
export interface FilePlace {
  /** Empty if the text names no place. */
  place: string;
  left: LeftOfPlace[];
}

/** A place in the parts that a file may have for it. */
export interface PlaceParts {
  /** A city, or a whole place. */
  city?: string | undefined;
  state?: string | undefined;
  country?: string | undefined;
}

/** A longer text is no place that a record can have. */
const longest = 400;

const zip = /(?:^|\s)\d{5}(?:-\d{4})?$/;
const zipBefore = /^\d{5}(?:-\d{4})?\s+(?=\p{L})/u;
const street =
  /^(?:#|apt\b|apartment\b|suite\b|ste\b|unit\b|floor\b|p\.? ?o\.? box\b)|^\d|\b(?:street|st|avenue|ave|road|rd|boulevard|blvd|lane|drive|highway|hwy|parkway|pkwy)\.?$/i;
const { statesAndCities, remoteWords } = content;
const remote = new RegExp(`^(?:${remoteWords.join('|')})(?:\\s*[-–—:,(]+\\s*|\\s+in\\s+|$)`, 'i');

const isState = (part: string) =>
  part.split(/[-/&]/).every((state) => stateByName.has(foldText(state.trim())));
const isStateAndCity = (part: string) => statesAndCities.includes(foldText(part));

/** Returns how many of the last parts are states. A city that is called like a state is none: "New York, NY". */
function countStates(parts: readonly string[]): number {
  const run = parts.length - 1 - parts.findLastIndex((part) => !isState(part));
  const first = parts[parts.length - run];
  return run > 1 && first !== undefined && isStateAndCity(first) ? run - 1 : run;
}

/** Whether a part names the United States, wherever it is. */
function isUnitedStates(part: string, left: LeftOfPlace[]): boolean {
  if (findCountry(part)?.code !== 'US') return false;
  left.push({ why: 'unitedStates', text: part });
  return true;
}

/** Removes a ZIP code before or behind a part, or the whole part. */
function dropZip(part: string, left: LeftOfPlace[]): string {
  const rest = part.replace(zip, '').replace(zipBefore, '').trim();
  if (rest !== part) left.push({ why: 'zip', text: part });
  return rest;
}

/** Returns the parts from the city on. A street comes before the city, or begins with a number. */
function dropStreet(parts: readonly string[], left: LeftOfPlace[]): readonly string[] {
  const states = countStates(parts);
  const city = states > 0 ? parts.slice(-states - 1) : parts;
  const kept = street.test(city[0] ?? '') && (states > 0 || /^\d/.test(city[0]!)) ? city.slice(1) : city;
  for (const text of parts.slice(0, parts.length - kept.length)) left.push({ why: 'street', text });
  return kept;
}

/** Returns the country of a place, and its parts without the country. */
function splitCountry(
  parts: readonly string[],
  stated: string | undefined,
): { country?: Country; parts: readonly string[] } {
  const [last = '', before = ''] = parts.toReversed();
  const named = stated === undefined ? undefined : (findCountry(stated) ?? { code: '', name: stated });
  if (named) {
    const isRepeated = findCountry(last)?.code === named.code && named.code !== '';
    // With a country that is stated, "DE" behind Berlin is Germany again, and behind Dover it is a state.
    const isCountry = isRepeated && (parts.length > 1 || named.code === 'US');
    return { country: named, parts: isCountry ? parts.slice(0, -1) : parts };
  }
  const country = parts.length > 1 ? findCountryBehind(before, last) : undefined;
  if (country) return { country, parts: parts.slice(0, -1) };
  const isOnlyUs = parts.length === 1 && findCountry(last)?.code === 'US';
  return isOnlyUs ? { country: findCountry(last)!, parts: [] } : { parts };
}

/** "Georgia" alone names a state. Behind a city that is not known to be in the country, the country is marked. */
function nameCountry(city: string | undefined, { code, name }: Country): string {
  if (city === undefined || !isState(name) || findCountryBehind(city, name)?.code === code) return name;
  return `${name} (country)`;
}

/**
 * Returns a place as a record stores it: `12 Main St, Columbus, OH 43215, USA` is `Columbus, OH`. A street, a ZIP code and
 * the United States are left out. Any other country is named behind the city: `Berlin, DE` is `Berlin, Germany`.
 */
export function readFilePlace({ city = '', state, country: stated }: PlaceParts): FilePlace {
  const left: LeftOfPlace[] = [];
  const [isRemote] = remote.exec(city) ?? [];
  if (isRemote) left.push({ why: 'workplace', text: isRemote });
  if (city.length > longest) return { place: city, left: [] };
  const text = isRemote ? city.slice(isRemote.length).replace(/\)$/, '') : city;
  const written = [...text.split(/[,\r\n]/), state ?? '']
    .map((part) => part.trim())
    .filter((part) => part !== '' && !isFiller(part));
  const isStated = stated !== undefined && stated !== '' && !isFiller(stated);
  const split = splitCountry(written, isStated ? stated : undefined);
  const named = split.parts
    .map((part) => dropZip(part, left))
    .filter((part) => part !== '' && !isUnitedStates(part, left));
  const { country } = split;
  if (country?.code === 'US') left.push({ why: 'unitedStates', text: country.name });
  if (!country || country.code === 'US') {
    // "Toledo, OH, 43604, USA" had its country behind the ZIP code.
    const parts = dropStreet(named, left);
    return { place: parts.join(', '), left };
  }
  const isStreet = named.length > 1 && /^\d/.test(named[0]!);
  if (isStreet) left.push({ why: 'street', text: named[0]! });
  const kept = isStreet ? named.slice(1) : named;
  return { place: [...kept, nameCountry(kept[0], country)].join(', '), left };
}
