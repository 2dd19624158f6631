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
    whole: whole?.text,
    city: city?.text,
    state: whole ? undefined : state?.text,
    country: country?.text,
  });
  reader.add(first, toPlaceReading({ place, left: [] }, 'metro'));
  for (const part of left)
    reader.add({ whole, ...parts }[part.from] ?? first, toPlaceReading({ place: '', left: [part] }, 'metro'));
  const held = place.split(',').map((part) => foldText(part.trim()));
  const isHeld = (cell: FilledCell) => {
    const text = foldText(cell.text.trim());
    return held.some((part) => part === text || (cell === state && part.endsWith(` ${text}`)));
  };
  for (const part of whole ? [city, state] : [])
    if (part && !isFiller(part.text) && !isHeld(part)) reader.leaveLater(part, 'metro');
}
