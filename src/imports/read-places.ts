import { foldText } from '../kernel/words.ts';
import { stateByName } from '../records/kind/fields/states.ts';
import { toPlaceReading } from './cells.ts';
import { isFiller } from './fillers.ts';
import { readFilePlace } from './places.ts';
import type { FilledCell, RowReader } from './row-reader.ts';

/** The cells of a row for its place: those for the whole, and those for its parts. */
interface PlaceCells {
  city?: FilledCell | undefined;
  state?: FilledCell | undefined;
  country?: FilledCell | undefined;
}

const listWords = (text: string) => foldText(text).match(/[\p{L}\p{N}]+/gu) ?? [];

/** Whether a text has each word of another. */
export function hasWordsOf(text: string, other: string): boolean {
  const words = new Set(listWords(text));
  return listWords(other).every((word) => words.has(word));
}

/** Whether a text is one of the parts of a place. */
const isPart = (place: string, text: string): boolean =>
  place.split(',').some((part) => foldText(part.trim()) === foldText(text.trim()));

/** Whether a place names a state: by its words, or by its name or code. */
function namesState(place: string, part: string): boolean {
  const state = stateByName.get(foldText(part));
  const isOfPlace = (one: string) => stateByName.get(foldText(one.trim())) === state;
  return hasWordsOf(place, part) || (state !== undefined && place.split(',').some(isOfPlace));
}

/**
 * Joins the city, the state and the country of a row. `whole` is a cell that names the whole place, and then counts
 * before the city and the state.
 */
export function readPlaceCells(whole: FilledCell | undefined, parts: PlaceCells, reader: RowReader): void {
  const { city, state, country } = parts;
  const first = whole ?? city ?? state ?? country;
  if (!first) return;
  const { place, left } = readFilePlace({
    whole: whole?.text,
    city: city?.text,
    state: whole ? undefined : state?.text,
    country: country?.text,
  });
  reader.add(first, toPlaceReading({ place, left: [] }, 'metro'));
  for (const part of left)
    reader.add({ whole, ...parts }[part.from] ?? first, toPlaceReading({ place: '', left: [part] }, 'metro'));
  if (city && !isFiller(city.text)) reader.row.silent?.delete('metro');
  if (!whole) return;
  for (const part of ['city', 'state']) reader.row.silent?.delete(part);
  if (city && !isFiller(city.text) && !isPart(place, city.text)) reader.leaveLater(city, 'metro');
  if (state && !isFiller(state.text) && !namesState(place, state.text)) reader.leaveLater(state, 'metro');
}
