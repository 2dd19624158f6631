import { foldText } from '../kernel/words.ts';
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

/**
 * Joins the city, the state and the country of a row. `whole` is a cell that names the whole place, and then counts
 * before the city and the state.
 */
export function readPlaceCells(whole: FilledCell | undefined, parts: PlaceCells, reader: RowReader): void {
  const { city, state, country } = parts;
  const first = whole ?? city ?? state ?? country;
  if (!first) return;
  const { place, left } = readFilePlace({
    city: (whole ?? city)?.text,
    state: whole ? undefined : state?.text,
    country: country?.text,
  });
  reader.add(first, toPlaceReading({ place, left: [] }, 'metro'));
  const cells = [country, state, whole ?? city].filter((cell) => cell !== undefined);
  for (const part of left) {
    const cell =
      cells.find(({ text }) => text === part.text) ?? cells.find(({ text }) => text.includes(part.text));
    reader.add(cell ?? first, toPlaceReading({ place: '', left: [part] }, 'metro'));
  }
  const words = foldText(place);
  for (const part of whole ? [city, state] : [])
    if (part && !isFiller(part.text) && !words.includes(foldText(part.text)))
      reader.leaveLater(part, 'metro');
}
