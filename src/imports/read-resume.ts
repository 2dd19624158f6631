import { isObject } from '../kernel/json.ts';
import type { Steps } from '../kernel/steps.ts';
import { toPlaceReading } from './cells.ts';
import { type DayFormat, DayOrderFinder, rewriteDays } from './days.ts';
import {
  DocumentReader,
  Documents,
  type JsonObject,
  listDocuments,
  readName,
  readString,
} from './document.ts';
import { createFile, type ImportFile, splitList } from './import-file.ts';
import { readFilePlace } from './places.ts';

const toList = (value: unknown): unknown[] => (value === undefined ? [] : [value].flat());

/** Returns the object, or the first object of an array. */
const findObject = (value: unknown): JsonObject => toList(value).find(isObject) ?? {};

/** Sets the place, which may be a text. */
function readLocation(reader: DocumentReader, basics: JsonObject): void {
  const { documents } = reader;
  const text = readString(basics.location);
  const location = text === undefined ? findObject(basics.location) : {};
  const [city, region, code] = [location.city, location.region, location.countryCode].map(readString);
  if (text === undefined && city === undefined && region === undefined) return;
  const place = readFilePlace({ whole: text, city, state: region, country: code });
  if (text === undefined)
    for (const name of ['city', 'region', 'countryCode'])
      if (typeof location[name] === 'string') documents.take(location, name);
  if (text !== undefined) documents.take(basics, 'location');
  reader.add(toPlaceReading(place, 'metro'), 'basics.location', text ?? [city, region].join(', '));
}

/** Returns the names of skills or certificates. Each may be a text, and a skill with keywords is these. */
function* listNames(object: JsonObject, member: string, reader: DocumentReader): Steps<string[]> {
  const { documents } = reader;
  const names: string[] = [];
  const value = object[member];
  if (typeof value === 'string') {
    documents.take(object, member);
    return splitList(value).flatMap((item) => readString(item) ?? []);
  }
  for (const [index, one] of toList(value).entries()) {
    yield;
    if (typeof one === 'string') {
      names.push(...[readString(one) ?? []].flat());
      documents.take(value as object, String(index));
    } else if (isObject(one)) names.push(...listTexts(one, documents));
  }
  return [...new Set(names)];
}

/** Returns the keywords of a skill, or its name if it has none. */
function listTexts(named: JsonObject, documents: Documents): string[] {
  const { keywords } = named;
  const words = toList(keywords).flatMap((word, index) => {
    if (typeof word !== 'string') return [];
    if (Array.isArray(keywords)) documents.take(keywords, String(index));
    else documents.take(named, 'keywords');
    return readString(word) ?? [];
  });
  if (words.length > 0) return words;
  const name = readString(named.name);
  if (name === undefined) return [];
  documents.take(named, 'name');
  return [name];
}

/** Sets the title: the label of the person or, without one, the position of the job that has no end. */
function readTitle(reader: DocumentReader, basics: JsonObject, work: readonly JsonObject[]): void {
  const { documents } = reader;
  const label = readName(basics.label);
  if (label !== undefined) {
    documents.take(basics, 'label');
    reader.set('title', label, 'basics.label');
    return;
  }
  const index = work.findIndex(({ position, endDate }) => readName(position) && !readString(endDate));
  if (index < 0) return;
  documents.take(work[index]!, 'position');
  reader.set('title', readName(work[index]!.position), `work[${index}].position`);
}

function readCredentials(reader: DocumentReader, names: readonly string[], format: DayFormat): void {
  const credentials: string[] = [];
  for (const name of names) {
    const rewritten = rewriteDays(name, format);
    if ('problem' in rewritten) reader.fail('certificates', rewritten.problem, name);
    else credentials.push(rewritten.text);
  }
  reader.set('credentials', credentials, 'certificates');
}

function* readDocument(document: JsonObject, reader: DocumentReader, format: DayFormat): Steps<void> {
  const { documents } = reader;
  const basics = findObject(document.basics);
  const work = toList(document.work).filter(isObject);
  yield* reader.refuseLong(document, ['skills', 'certificates']);
  yield* reader.refuseLong(basics, ['name', 'label', 'location'], 'basics');
  yield* reader.refuseLong({ work: work.map(({ position, endDate }) => ({ position, endDate })) }, ['work']);
  const name = readName(basics.name);
  if (name !== undefined) documents.take(basics, 'name');
  reader.set('name', name, 'basics.name');
  readTitle(reader, basics, work);
  readLocation(reader, basics);
  reader.set('skills', yield* listNames(document, 'skills', reader), 'skills');
  readCredentials(reader, yield* listNames(document, 'certificates', reader), format);
  yield* reader.leaveRest(new Set());
}

/** Looks at the days of all certificates for how they are written. */
function* findDays(documents: readonly { document: JsonObject }[]): Steps<DayOrderFinder> {
  const days = new DayOrderFinder();
  for (const { document } of documents)
    for (const certificate of toList(document.certificates).slice(0, 200)) {
      yield;
      const name = isObject(certificate) ? certificate.name : certificate;
      if (typeof name === 'string') days.add(name.slice(0, 200));
    }
  return days;
}

/**
 * Reads a résumé in the form of JSON Resume (jsonresume.org, 1.0.0), or several, as candidates. Throws a Refusal if it
 * is neither an object nor an array of them, or holds a text or a list that is too long.
 */
export function* readResume(data: unknown, today: string): Steps<ImportFile> {
  const file = createFile();
  const documents = new Documents();
  const placed = listDocuments(data);
  const days = yield* findDays(placed);
  for (const one of placed) {
    yield* readDocument(one.document, new DocumentReader(file, documents, one), {
      today,
      order: days.order,
      pointOrder: days.pointOrder,
    });
    yield;
  }
  const order = days.explain();
  if (order) file.mapping.push(order);
  return file;
}
