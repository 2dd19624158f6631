import { isObject } from '../kernel/json.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Steps } from '../kernel/steps.ts';
import { mostRecords } from '../records/account/workspace-view.ts';
import type { Kind } from '../records/kind/kind.ts';
import { readCell } from './cells.ts';
import { type DayFormat, DayOrderFinder } from './days.ts';
import {
  DocumentReader,
  Documents,
  type JsonObject,
  listDocuments,
  readName,
  readString,
} from './document.ts';
import { createFile, type ImportFile } from './import-file.ts';
import { quote } from './notes.ts';
import { readPostingPay } from './posting-pay.ts';
import { readPostingPlaces } from './posting-places.ts';
import { findTexts, takeText } from './posting-texts.ts';

/** The most characters of a type that are read. The last ones name it. */
const longestType = 200;

/** Whether an object has this type of schema.org, whatever its context is. A context is never fetched. */
const hasType = (object: JsonObject, type: string) =>
  [object['@type']]
    .flat()
    .some((one) => typeof one === 'string' && one.slice(-longestType).replace(/^.*[/:#]/, '') === type);

interface PlacedPosting {
  document: JsonObject;
  at: string;
}

/** The deepest that postings are looked for within a document. */
const deepest = 10;

/** Lists the postings within a value: itself, or those of its graph, its lists and its other members. */
function* findPostings(value: unknown, at: string, depth = 0): Steps<PlacedPosting[]> {
  if (typeof value !== 'object' || value === null || depth > deepest) return [];
  if (isObject(value) && hasType(value, 'JobPosting')) return [{ document: value, at }];
  const found: PlacedPosting[] = [];
  for (const [name, part] of Object.entries(value)) {
    yield;
    const place = Array.isArray(value) ? `${at}[${name}]` : `${at}.${name}`;
    found.push(...(yield* findPostings(part, place, depth + 1)));
  }
  return found;
}

function readOpenings(reader: DocumentReader, posting: JsonObject): void {
  const { totalJobOpenings: sent } = posting;
  const text = readString(sent);
  const count = typeof sent === 'number' ? sent : text === undefined ? undefined : Number(text);
  if (count === undefined) return;
  reader.documents.take(posting, 'totalJobOpenings');
  if (Number.isNaN(count)) reader.fail('totalJobOpenings', 'is no whole number', text);
  else reader.set('openings', count, 'totalJobOpenings');
}

const codeShape = /^\d{2}-?\d{4}(?:\.\d{2})?/;

/** Sets the code, and notes what else the category says. */
function readCode(reader: DocumentReader, posting: JsonObject): void {
  for (const { text, take } of findTexts(posting, 'occupationalCategory', reader, ['codeValue', 'name'])) {
    const code = codeShape.exec(text)?.[0];
    if (code === undefined || reader.row.members.onetCode !== undefined) continue;
    take();
    reader.set('onetCode', code, 'occupationalCategory');
    const rest = text.slice(code.length).replace(/^[\s:,–-]+/, '');
    if (rest !== '') reader.leave('occupationalCategory', 'only its code is stored', quote(rest));
  }
}

/** Sets the ref. An id may be a number. */
function readRef(reader: DocumentReader, posting: JsonObject): void {
  const { documents } = reader;
  const [first] = findTexts(posting, 'identifier', reader, ['value']);
  if (first) {
    first.take();
    reader.set('ref', first.text, 'identifier');
    return;
  }
  const node = documents.resolve([posting.identifier].flat()[0]);
  const [object, name] = isObject(node) ? ([node, 'value'] as const) : ([posting, 'identifier'] as const);
  const id = isObject(node) ? node.value : node;
  if (typeof id !== 'number') return;
  documents.takeFirst(object, name);
  reader.set('ref', String(id), 'identifier');
}

/** The members of a posting that are read as a cell of a table is, and the member that each becomes. */
const cells: Readonly<Record<string, string>> = {
  jobStartDate: 'startDate',
};

/** Sets the members that hold a list of texts: each may be a text, or a term with a name. */
function readLists(reader: DocumentReader, posting: JsonObject, kind: Kind, format: DayFormat): void {
  for (const [from, to] of [
    ['skills', 'skills'],
    ['qualifications', 'requires'],
  ] as const) {
    // Qualifications in one text are prose. As a list they are must-haves.
    if (from === 'qualifications' && typeof posting[from] === 'string') continue;
    const items = findTexts(posting, from, reader, ['name']).flatMap(({ text, take, isItem }) => {
      take();
      const cell = isItem ? `"${text.replaceAll('"', '""')}"` : text;
      const reading = readCell(cell, kind, to, { ...format, hasDecimalComma: false });
      if (reading.problem !== undefined) reader.add(reading, from, text);
      if (reading.hasTooMany) reader.add(reading, from, text);
      return (reading.members?.[to] as string[] | undefined) ?? [];
    });
    reader.set(to, [...new Set(items)], from);
  }
}

function readCells(reader: DocumentReader, posting: JsonObject, kind: Kind, format: DayFormat): void {
  for (const [from, to] of Object.entries(cells)) {
    const text = takeText(posting, from, reader);
    if (text !== undefined)
      reader.add(readCell(text, kind, to, { ...format, hasDecimalComma: false }), from, text);
  }
  const hours = readString(posting.workHours);
  const [, shift] = /^(day|evening|night|weekend) shift$/i.exec(hours ?? '') ?? [];
  if (shift === undefined) return;
  reader.documents.take(posting, 'workHours');
  reader.set('shift', shift.toLowerCase(), 'workHours');
}

const taken = [
  ...['title', 'jobLocation', 'jobLocationType', 'baseSalary', 'totalJobOpenings', 'jobStartDate', 'skills'],
  ...['occupationalCategory', 'identifier', 'workHours'],
];

function* readOne(
  reader: DocumentReader,
  posting: JsonObject,
  { kind, format, others }: { kind: Kind; format: DayFormat; others: ReadonlySet<unknown> },
): Steps<void> {
  const { documents } = reader;
  yield* reader.refuseLong(posting, taken);
  if (!hasType(posting, 'JobPosting'))
    reader.fail('@type', 'must be JobPosting; send a posting, or an array or @graph of them');
  const title = readName(posting.title);
  if (title !== undefined) documents.take(posting, 'title');
  reader.set('title', title, 'title');
  const [client] = findTexts(posting, 'hiringOrganization', reader, ['name']);
  client?.take();
  reader.set('client', client?.text, 'hiringOrganization');
  readPostingPlaces(reader, posting);
  if (/^telecommute$/i.test(readString(posting.jobLocationType)?.slice(0, 20) ?? '')) {
    documents.take(posting, 'jobLocationType');
    reader.set('workplace', 'remote', 'jobLocationType');
  }
  yield;
  readPostingPay(reader, posting);
  readOpenings(reader, posting);
  readCells(reader, posting, kind, format);
  yield;
  readLists(reader, posting, kind, format);
  readCode(reader, posting);
  readRef(reader, posting);
  yield* reader.leaveRest(others);
}

/** Notes what of a document is outside of its postings: other nodes of a graph, as far as no posting took them. */
function* leaveOthers(
  data: unknown,
  documents: Documents,
  postings: ReadonlySet<unknown>,
  file: ImportFile,
): Steps<void> {
  if (typeof data !== 'object' || data === null || postings.has(data)) return;
  const { paths } = yield* documents.listLeft({ data }, postings);
  for (const path of paths) {
    const member = path.replace(/^data\.?/, '') || 'data';
    file.notTaken.push({ at: path, member, why: 'belongs to no posting' });
  }
}

/**
 * Reads a JobPosting of schema.org, an array of them or a document that holds some, as job orders. A reference by `@id`
 * is followed to its node. Throws a Refusal if the data is no object or array, has too many postings, or holds a
 * text or a list that is too long.
 */
export function* readPosting(data: unknown, kind: Kind, today: string): Steps<ImportFile> {
  const file = createFile();
  const placed: PlacedPosting[] = [];
  for (const one of listDocuments(data)) {
    const found = yield* findPostings(one.document, one.at);
    placed.push(...(found.length > 0 ? found : [one]));
  }
  if (placed.length > mostRecords) {
    const message = `must hold 1 to ${mostRecords} objects of the type JobPosting`;
    throw new Refusal('invalid_request', { issues: [{ path: 'data', message }] });
  }
  const documents = new Documents();
  yield* documents.index(data);
  const days = new DayOrderFinder();
  for (const { document } of placed) days.add((readString(document.jobStartDate) ?? '').slice(0, 40));
  const others = new Set<unknown>(placed.map(({ document }) => document));
  const options = { kind, format: { today, order: days.order, pointOrder: days.pointOrder }, others };
  for (const one of placed) {
    yield* readOne(new DocumentReader(file, documents, one), one.document, options);
    yield;
  }
  yield* leaveOthers(data, documents, others, file);
  const order = days.explain();
  if (order) file.mapping.push(order);
  return file;
}
