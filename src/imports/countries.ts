import content from '../../content/places.json' with { type: 'json' };
import { foldText } from '../kernel/words.ts';
import { stateByName } from '../records/kind/fields/states.ts';

const toKey = (text: string) =>
  foldText(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

/** Whether a code is assigned today. Unicode lists a withdrawn one, such as FX or SU, as an alias of another (UTS 35). */
const isCurrent = (code: string) => new Intl.Locale(`und-${code}`).region === code;

/** The English name of each country, by its code of two letters (ISO 3166-1). */
const nameByCode: ReadonlyMap<string, string> = new Map(
  letters.flatMap((first) =>
    letters.flatMap((second) => {
      const code = first + second;
      const name = code === 'ZZ' || !isCurrent(code) ? undefined : names.of(code);
      return name === undefined ? [] : [[code, name] as const];
    }),
  ),
);

const codeByKey: ReadonlyMap<string, string> = new Map([
  ...[...nameByCode].map(([code, name]) => [toKey(name), code] as const),
  ...['england', 'scotland', 'wales', 'northern ireland', 'great britain'].map(
    (name) => [name, 'GB'] as const,
  ),
  ...['usa', 'u s a', 'u s', 'united states of america', 'america'].map((name) => [name, 'US'] as const),
  ...[['czech republic', 'CZ'] as const, ['turkey', 'TR'] as const, ['myanmar', 'MM'] as const],
]);

const longCodes: Readonly<Record<string, string>> = content.longCountryCodes;

/** Whether a city or a region is listed under a country. Only countries that share a code or a name with a state are. */
const isListed = (lists: Readonly<Record<string, readonly string[]>>, code: string, name: string) =>
  lists[code]?.includes(toKey(name)) ?? false;

export interface Country {
  code: string;
  /** As it is written behind a city. */
  name: string;
}

/** Returns the country that a text names, by its name or its code of two or three letters. */
export function findCountry(text: string): Country | undefined {
  const name = text.trim();
  const byName = codeByKey.get(toKey(name));
  if (byName !== undefined) return { code: byName, name };
  const written = name.toUpperCase().replace(/^UK$/, 'GB');
  const code = longCodes[written] ?? written;
  const ofCode = nameByCode.get(code);
  return ofCode === undefined ? undefined : { code, name: name.toUpperCase() === 'UK' ? 'UK' : ofCode };
}

const isState = (text: string) => stateByName.has(foldText(text.trim()));

/** Returns the code of a country that is a territory of the United States, and so a state here. */
export function findTerritory({ code }: Country): string | undefined {
  return stateByName.get(foldText(nameByCode.get(code) ?? '')) === code ? code : undefined;
}

/** Whether a part between a city and a country is a region: its name is known, or it is a code that no state has. */
const isRegion = (text: string, code: string) =>
  isListed(content.foreignRegions, code, text) || (/^(?:[a-z]{1,2}|\d{1,2})$/i.test(text) && !isState(text));

/**
 * Returns the country that the last part of a place names. A part that is a state of the United States too, such as
 * "DE" or "Georgia", names the country only if the city is known to be there, or a region of the country is between.
 * Any other code of two letters may be a province, unless a region is before it.
 */
export function findCountryBehind(city: string, part: string, region?: string): Country | undefined {
  const country = findCountry(part);
  if (!country) return undefined;
  const { code } = country;
  const isShort = part.trim().length === 2;
  if (code === 'US' || code === 'GB' || (!isShort && !isState(part))) return country;
  if (isListed(content.foreignCities, code, city)) return country;
  if (region === undefined) return undefined;
  const isBehindRegion = isState(part) ? isRegion(region, code) : !isState(region);
  return isShort && isBehindRegion ? country : undefined;
}
