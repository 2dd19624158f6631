import { cutExcerpt, mostPlaces } from '../kernel/envelope.ts';
import { isObject } from '../kernel/json.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Steps } from '../kernel/steps.ts';
import { mostRecords } from '../records/account/workspace-view.ts';
import {
  cleanText,
  type FileRow,
  type ImportFile,
  isTooLong,
  longestCell,
  mostItems,
  refuseTooLong,
} from './import-file.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** Returns a text that is not empty, or undefined for any other value. */
export function readString(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = cleanText(value);
  return text === '' ? undefined : text;
}

/** Returns the object or, of an array, the first object. */
export function readObject(value: unknown): JsonObject {
  const [first] = [value].flat();
  return isObject(first) ? first : {};
}

/** Returns the objects of a value that is one object or an array. */
export const readObjects = (value: unknown): JsonObject[] => [value].flat().filter(isObject);

function refuseDocument(message: string): never {
  throw new Refusal('invalid_request', { issues: [{ path: 'data', message }] });
}

interface PlacedDocument {
  document: JsonObject;
  at: string;
}

/** Lists the documents of a file, which is one object or an array. Throws a Refusal if it is neither, or too large. */
export function listDocuments(data: unknown): PlacedDocument[] {
  const documents = Array.isArray(data) ? data : [data];
  if (documents.length === 0) refuseDocument('holds no document; send one object, or an array of them');
  if (documents.length > mostRecords)
    refuseDocument(`must hold at most ${mostRecords} documents; send the others as another file`);
  return documents.map((document: unknown, index) => {
    const at = Array.isArray(data) ? `data[${index}]` : 'data';
    if (!isObject(document)) return refuseDocument('must be one JSON object, or an array of them');
    return { document, at };
  });
}

/**
 * Returns how many characters a value has. Throws a Refusal for a list that is too long, and for texts that together are
 * longer than a cell may be.
 */
function* countCharacters(value: unknown, at: string): Steps<number> {
  if (typeof value === 'string' && isTooLong(value)) refuseTooLong(at, 'text');
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  if (Array.isArray(value) && value.length > mostItems) refuseTooLong(at, 'list');
  let count = 0;
  for (const [name, part] of Object.entries(value)) {
    yield;
    count += yield* countCharacters(part, Array.isArray(value) ? `${at}[${name}]` : `${at}.${name}`);
    if (count > 2 * longestCell) refuseTooLong(at, 'text');
  }
  return count;
}

/** Reads the members of one document into a row, and notes what became of them. */
export class DocumentReader {
  readonly row: FileRow;
  readonly #file: ImportFile;

  constructor(file: ImportFile, at: string) {
    this.#file = file;
    this.row = { at, members: {}, places: {} };
    file.rows.push(this.row);
  }

  /** Throws a Refusal if a member that is about to be read is longer than a cell may be. */
  *refuseLong(object: JsonObject, names: readonly string[], path = ''): Steps<void> {
    const at = path === '' ? this.row.at : `${this.row.at}.${path}`;
    for (const name of names) yield* countCharacters(object[name], `${at}.${name}`);
  }

  /** Sets a member of the record from a path in the document. Ignores undefined and empty lists. */
  set(member: string, value: unknown, from: string): void {
    if (value === undefined || (Array.isArray(value) && value.length === 0)) return;
    if (Array.isArray(value) && value.length > mostItems) refuseTooLong(`${this.row.at}.${from}`, 'list');
    this.row.members[member] = value;
    this.row.places[member] = `${this.row.at}.${from}`;
    const { mapping } = this.#file;
    if (!mapping.some((one) => one.from === from && one.to === member)) mapping.push({ from, to: member });
  }

  /** Notes members of an object that are not stored: all that it has except `taken`. */
  leave(object: JsonObject, taken: readonly string[], path = ''): void {
    const at = path === '' ? this.row.at : `${this.row.at}.${path}`;
    const left = Object.keys(object).filter((name) => !taken.includes(name));
    for (const name of left.slice(0, mostPlaces)) this.#file.notTaken.push({ at, member: cutExcerpt(name) });
    const more = left.length - mostPlaces;
    if (more > 0) this.#file.notTaken.push({ at, member: `and ${more} more` });
  }

  /** Notes a value that is recognised and cannot be read. */
  fail(from: string, message: string): void {
    this.#file.problems.push({ at: `${this.row.at}.${from}`, message });
  }
}
