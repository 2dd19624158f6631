import { isObject } from '../kernel/json.ts';
import { toPlaceReading } from './cells.ts';
import { type DocumentReader, type JsonObject, readString } from './document.ts';
import { readFilePlace } from './places.ts';
import { findTexts } from './posting-texts.ts';

const addressParts = ['addressLocality', 'addressRegion', 'addressCountry'] as const;

interface FoundPlace {
  text: string;
  reading: ReturnType<typeof toPlaceReading>;
  take(): void;
}

/** Reads an address: a text, or its parts. A street is listed as not taken on its own. */
function readAddress(sent: unknown, reader: DocumentReader, takeWhole: () => void): FoundPlace | undefined {
  const { documents } = reader;
  const address = documents.resolve(sent);
  const text = readString(address);
  const isReference = address !== sent;
  if (text !== undefined) {
    return { text, reading: toPlaceReading(readFilePlace({ whole: text }), 'metro'), take: takeWhole };
  }
  if (!isObject(address)) return undefined;
  const found = addressParts.map((name) => findTexts(address, name, reader, ['name'])[0]);
  const [city, state, country] = found.map((part) => part?.text);
  if (city === undefined && state === undefined) return undefined;
  const take = () => {
    for (const part of found) part?.take();
    if (isReference) takeWhole();
  };
  const place = readFilePlace({ city, state, country });
  return {
    text: [city, state, country].filter(Boolean).join(', '),
    reading: toPlaceReading(place, 'metro'),
    take,
  };
}

/** Reads a location: a text, a place with an address, or an address itself. */
function readLocation(sent: unknown, reader: DocumentReader, takeItem: () => void): FoundPlace | undefined {
  const { documents } = reader;
  const location = documents.resolve(sent);
  const isReference = location !== sent;
  if (!isObject(location)) return readAddress(location, reader, takeItem);
  const takeAddress = () => documents.takeFirst(location, 'address');
  const found =
    location.address === undefined
      ? readAddress(location, reader, takeItem)
      : readAddress([location.address].flat()[0], reader, takeAddress);
  if (!found) return undefined;
  const take = () => {
    found.take();
    if (isReference) takeItem();
  };
  return { ...found, take };
}

/** Sets the place of the first location that has a city or a state. Others are left as they are. */
export function readPostingPlaces(reader: DocumentReader, posting: JsonObject): void {
  const { jobLocation } = posting;
  const isList = Array.isArray(jobLocation);
  for (const [index, sent] of (isList ? (jobLocation as unknown[]) : [jobLocation]).entries()) {
    const takeItem = () =>
      reader.documents.take(isList ? jobLocation : posting, isList ? String(index) : 'jobLocation');
    const found = readLocation(sent, reader, takeItem);
    if (!found?.reading.members || reader.row.members.metro !== undefined) continue;
    found.take();
    reader.add(found.reading, 'jobLocation', found.text);
  }
}
