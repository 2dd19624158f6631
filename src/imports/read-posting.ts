import { isObject } from '../kernel/json.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Steps } from '../kernel/steps.ts';
import { mostRecords } from '../records/account/workspace-view.ts';
import { readDay } from './days.ts';
import {
  DocumentReader,
  type JsonObject,
  listDocuments,
  readObject,
  readObjects,
  readString,
} from './document.ts';
import { createFile, type ImportFile, splitList } from './import-file.ts';

/** The most characters of a type that are read. The last ones name it. */
const longestType = 200;

/** Whether an object has this type of schema.org, whatever its context is. A context is never fetched. */
const hasType = (object: JsonObject, type: string) =>
  [object['@type']]
    .flat()
    .some((one) => typeof one === 'string' && one.slice(-longestType).replace(/^.*[/:#]/, '') === type);

/** Lists the postings of a document: itself, or those of its `@graph`. */
function findPostings(
  document: JsonObject,
  at: string,
  file: ImportFile,
): [posting: JsonObject, at: string][] {
  if (!Array.isArray(document['@graph'])) return [[document, at]];
  return document['@graph'].flatMap((node: unknown, index): [JsonObject, string][] => {
    const place = `${at}.@graph[${index}]`;
    if (isObject(node) && hasType(node, 'JobPosting')) return [[node, place]];
    file.notTaken.push({ at: place, member: isObject(node) ? String(node['@type']).slice(0, 100) : 'node' });
    return [];
  });
}

/** Returns the name of a thing, which may be a text, before it is cleaned. */
const readNameOf = (value: unknown): unknown => (typeof value === 'string' ? value : readObject(value).name);

const readName = (value: unknown) => readString(value) ?? readString(readObject(value).name);

/** Sets the place of the first location that has a city or a state. */
function readPlace(reader: DocumentReader, { jobLocation }: JsonObject): void {
  const locations = readObjects(jobLocation);
  for (const [index, location] of locations.entries()) {
    const path = Array.isArray(jobLocation) ? `jobLocation[${index}]` : 'jobLocation';
    const address = isObject(location.address) ? location.address : {};
    const place = [address.addressLocality, address.addressRegion]
      .map(readName)
      .filter((part) => part !== undefined);
    const isTaken = place.length > 0 && reader.row.members.metro === undefined;
    if (isTaken) reader.set('metro', place.join(', '), 'jobLocation');
    else reader.leave({ [path]: location }, []);
    if (isTaken)
      reader.leave(
        address,
        ['@type', 'addressLocality', 'addressRegion', 'addressCountry'],
        `${path}.address`,
      );
  }
}

const payMembers: Readonly<Record<string, readonly [least: string, most: string]>> = {
  HOUR: ['payRateUsdHour', 'payRateMaxUsdHour'],
  YEAR: ['salaryUsdYear', 'salaryMaxUsdYear'],
};

const readPositive = (value: unknown): number | undefined => {
  const amount = typeof value === 'string' ? Number(value.trim() || Number.NaN) : value;
  return typeof amount === 'number' && amount > 0 ? amount : undefined;
};

/** Sets pay in US dollars by the hour or year. Other pay is not taken. */
function readPay(reader: DocumentReader, { baseSalary }: JsonObject): void {
  if (baseSalary === undefined) return;
  const salary = readObject(baseSalary);
  const value = isObject(salary.value) ? salary.value : salary;
  const unit = String(value.unitText ?? salary.unitText ?? '').toUpperCase();
  const [least, most] = payMembers[unit] ?? [];
  const low = readPositive(value.minValue ?? value.value ?? salary.value);
  const high = readPositive(value.maxValue);
  const isKnown = salary.currency === 'USD' && least !== undefined && (low ?? high) !== undefined;
  if (!isKnown) {
    reader.leave({ baseSalary }, []);
    return;
  }
  reader.set(least, low, 'baseSalary');
  reader.set(most!, high, 'baseSalary');
}

/** Lists the skills: texts, which may be lists, and terms with a name. */
const listTerms = (value: unknown): string[] => [
  ...new Set(
    [value]
      .flat()
      .map(readName)
      .filter((name) => name !== undefined)
      .flatMap(splitList),
  ),
];

function readStart(reader: DocumentReader, { jobStartDate }: JsonObject, today: string): void {
  const text = readString(jobStartDate);
  if (text === undefined) return;
  const { day, problem } = readDay(text, today);
  if (problem !== undefined) reader.fail('jobStartDate', problem);
  else if (day !== undefined) reader.set('startDate', day, 'jobStartDate');
  else reader.leave({ jobStartDate }, []);
}

const codeShape = /^\d{2}-?\d{4}(?:\.\d{2})?/;

function readCodes(reader: DocumentReader, { occupationalCategory, identifier }: JsonObject): void {
  const category = [occupationalCategory]
    .flat()
    .map((one) => readString(one) ?? readString(readObject(one).codeValue));
  const code = category.map((text) => codeShape.exec(text ?? '')?.[0]).find((found) => found !== undefined);
  if (code !== undefined) reader.set('onetCode', code, 'occupationalCategory');
  else if (occupationalCategory !== undefined) reader.leave({ occupationalCategory }, []);
  const ref = readString(identifier) ?? readString(readObject(identifier).value);
  if (ref !== undefined) reader.set('ref', ref, 'identifier');
}

const taken = [
  ...[
    '@context',
    '@type',
    '@id',
    'title',
    'hiringOrganization',
    'jobLocation',
    'jobLocationType',
    'baseSalary',
  ],
  ...['totalJobOpenings', 'jobStartDate', 'skills', 'occupationalCategory', 'identifier'],
];

function* readOne(posting: JsonObject, reader: DocumentReader, today: string): Steps<void> {
  const { hiringOrganization } = posting;
  const others = taken.filter((name) => name !== 'hiringOrganization');
  yield* reader.refuseLong(posting, others);
  yield* reader.refuseLong({ hiringOrganization: readNameOf(hiringOrganization) }, ['hiringOrganization']);
  if (!hasType(posting, 'JobPosting'))
    reader.fail('@type', 'must be JobPosting; send a posting, or an array or @graph of them');
  reader.set('title', readString(posting.title), 'title');
  reader.set('client', readName(posting.hiringOrganization), 'hiringOrganization');
  reader.leave(readObject(posting.hiringOrganization), ['@type', 'name'], 'hiringOrganization');
  readPlace(reader, posting);
  if (/^telecommute$/i.test(String(posting.jobLocationType)))
    reader.set('workplace', 'remote', 'jobLocationType');
  else if (posting.jobLocationType !== undefined) reader.leave({ jobLocationType: '' }, []);
  readPay(reader, posting);
  reader.set('openings', readPositive(posting.totalJobOpenings), 'totalJobOpenings');
  readStart(reader, posting, today);
  reader.set('skills', listTerms(posting.skills), 'skills');
  readCodes(reader, posting);
  reader.leave(posting, taken);
}

/**
 * Reads a JobPosting of schema.org, an array of them or a document with an `@graph`, as job orders. Throws a Refusal if
 * it is no object or array, has no posting, or holds a text or a list that is too long.
 */
export function* readPosting(data: unknown, today: string): Steps<ImportFile> {
  const file = createFile();
  const postings = listDocuments(data).flatMap(({ document, at }) => findPostings(document, at, file));
  if (postings.length === 0 || postings.length > mostRecords) {
    const message = `must hold 1 to ${mostRecords} objects of the type JobPosting`;
    throw new Refusal('invalid_request', { issues: [{ path: 'data', message }] });
  }
  for (const [posting, at] of postings) {
    yield* readOne(posting, new DocumentReader(file, at), today);
    yield;
  }
  return file;
}
