/** What shows a street, a part of a building or a postal code in a part of a place, in any country. A part has single spaces. */

const unit =
  /^(?:# ?\w|p\.? ?o\.? ?box\b|\d+(?:st|nd|rd|th)? floor\b|(?:apt|apartment|suite|ste|unit|floor|flat|room|building|bldg)\b\.? ?(?:# ?)?(?:\d|[a-z]$))/i;
const words =
  'street|st|avenue|ave|road|rd|boulevard|blvd|lane|ln|drive|dr|highway|hwy|parkway|pkwy|court|ct|place|pl|way|circle|cir|terrace|ter|trail|square|sq|broadway|route|pike|plaza';
const streetWord = new RegExp(`\\b(?:${words})\\b`, 'i');
/** `12 Main St`, `12 Main St NW`, `12 Main St Apt 4`, `12 Highway 50`. `9000 St. Gallen` is none. */
const numbered = new RegExp(
  `^\\d\\S*\\s(?:.*\\b(?:${words})\\.?(?:\\s+(?:[ns][ew]?|[ew]|north|south|east|west))?(?:\\s+(?:#|apt|suite|ste|unit|floor).*)?|.*\\s\\S*\\d\\S*)$`,
  'i',
);
const foreignWord =
  /(?:stra(?:ß|ss)e|str\.|gasse|allee|platz|gatan|straat)(?=\s*\d|$)|^(?:rue|via|viale|piazza|calle|avenida|rua|ulica|ul)\b/i;
const houseNumber = /\s\d{1,3}\s?[a-z]?(?:[-/]\d+)?$/i;
const cityWithDistricts = /^(?:dublin|paris|prague|praha|budapest|lyon|marseille|bucharest)\s\d+$/i;
const wordsOfStreet =
  /\s(?:street|st|avenue|ave|road|rd|boulevard|blvd|lane|drive|highway|hwy|parkway|pkwy)\.?$/i;
const numberedCity = /^(?:\d{1,3}|1000)(?: \p{L}[\p{L}'’.-]{2,}){1,2}$/u;

/** Whether a part is an address, wherever it is: `Apt 4`, `P.O. Box 12`, `12 Main St`, `Hauptstr. 5`. */
export const isAddress = (part: string): boolean =>
  unit.test(part) || numbered.test(part) || (foreignWord.test(part) && houseNumber.test(part));

/** Whether a part before a city is a street: `Main Street`, `12 Broad`, `Kungsgatan 5`, `Rue de Rivoli`. */
export const isStreetBeforeCity = (part: string): boolean =>
  /^\d/.test(part) ||
  (houseNumber.test(part) && !cityWithDistricts.test(part)) ||
  wordsOfStreet.test(part) ||
  (foreignWord.test(part) && /\s/.test(part));

/** Whether a part that begins with a number can be the name of a city, such as `29 Palms`. */
export const isNumberedCity = (part: string): boolean => numberedCity.test(part) && !streetWord.test(part);

const codes = [
  // 43215 and 43215-1234; 400001.
  /(?:^| (?:[-–] )?)\d{5,6}(?:-\d{4})?$/,
  /^\d{5,6}(?:-\d{4})?\s+(?=\p{L})/u,
  // 111 22, 00-950, 100-0001, 1234-567, 80000-000, with a country before them.
  /(?:^| - | |-)(?:[A-Z]{1,2}-)?(?:\d{3} \d{2,3}|\d{2,5}-\d{3,4})$/,
  /^(?:[A-Z]{1,2}-)?(?:\d{3} \d{2}|\d{2,5}-\d{3,4}|\d{4} [A-Z]{2}|(?<=-)\d{4,5})\s+(?=\p{L})/u,
  // M5V 2T6, SW1A 1AA, D02 X285, and their first halves.
  /(?:^|\s)[A-Z]{1,2}\d[A-Z\d]?(?:\s?(?:\d[A-Z\d]{2}|[A-Z\d]{4}))?$/,
  /(?:^|\s)(?:[a-z]\d[a-z]\s?\d[a-z]\d|[a-z]{1,2}\d[a-z\d]?\s\d[a-z]{2})$/,
];
const foreignCodes = [/(?:^|\s)\d{4}$/, /^\d{4}\s+(?=\p{L})/u];

/** Returns a part without postal codes before and behind it. Elsewhere than in the United States they may have four digits. */
export function cutPostalCode(part: string, isForeign = false): string {
  let rest = part;
  for (const code of isForeign ? [...codes, ...foreignCodes] : codes) rest = rest.replace(code, '').trim();
  return rest;
}
