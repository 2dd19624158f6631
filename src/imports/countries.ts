import content from '../../content/places.json' with { type: 'json' };
import { foldText } from '../kernel/words.ts';
import { stateByName } from '../records/kind/fields/states.ts';

const toKey = (text: string) =>
  foldText(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

/** Whether a code is in use. A withdrawn one, such as FX or SU, stands for another by Unicode's list of aliases (UTS 35). */
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

const cities = Object.entries(content.foreignCities);

/** Whether a city is known to be in a country. Only cities in countries that share a name with a state are known. */
const isKnownIn = (city: string, code: string) =>
  cities.some(([one, known]) => one === code && known.includes(toKey(city)));

export interface Country {
  code: string;
  /** As it is written behind a city. */
  name: string;
}

/** Returns the country that a text names, by its name or its code. A code is in capitals. */
export function findCountry(text: string): Country | undefined {
  const name = text.trim();
  const byName = codeByKey.get(toKey(name));
  if (byName !== undefined) return { code: byName, name };
  const code = name.toUpperCase().replace(/^UK$/, 'GB').replace(/^USA$/, 'US');
  const ofCode = nameByCode.get(code);
  return ofCode === undefined ? undefined : { code, name: name.toUpperCase() === 'UK' ? 'UK' : ofCode };
}

const isState = (text: string) => stateByName.has(foldText(text.trim()));

/**
 * Returns the country that the last part of a place names. A part that is a state of the United States too, such as
 * "DE" or "Georgia", names the country only if the city is known to be there. Any other code of two letters may be a
 * province.
 */
export function findCountryBehind(city: string, part: string): Country | undefined {
  const country = findCountry(part);
  if (!country) return undefined;
  const isShort = part.trim().length === 2;
  const isSure = country.code === 'US' || (!isShort && !isState(part)) || /^uk$/i.test(part.trim());
  return isSure || isKnownIn(city, country.code) ? country : undefined;
}
