import { cutExcerpt, mostPlaces } from '../kernel/envelope.ts';
import { isObject } from '../kernel/json.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { Steps } from '../kernel/steps.ts';
import { mostRecords } from '../records/account/workspace-view.ts';
import { cleanText, isTooLong, longestCell } from './cell-text.ts';
import type { Reading } from './cells.ts';
import { isFiller } from './fillers.ts';
import { type FileRow, type ImportFile, mostItems, refuseTooLong } from './import-file.ts';
import { quote } from './notes.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** Returns a text that is neither empty nor a filler, or undefined for any other value. */
export function readString(value: unknown): string | undefined {
  const text = readName(value);
  return text === undefined || isFiller(text) ? undefined : text;
}

/** Returns a text that is not empty, or undefined for any other value. A name may be "None". */
export function readName(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = cleanText(value);
  return text === '' ? undefined : text;
}

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

/** Members of a document that say nothing of the record. */
const structure = new Set(['@context', '@type', '@graph']);

const isReference = (value: unknown): value is JsonObject & { '@id': string } =>
  isObject(value) &&
  typeof value['@id'] === 'string' &&
  Object.keys(value).every((name) => name === '@id' || name === '@type');

/** The deepest that nodes are looked for and followed, so that a circle ends. */
const deepest = 20;

/** All documents of a file: the nodes that have an `@id`, and which of their members were taken. */
export class Documents {
  readonly #nodes = new Map<string, JsonObject>();
  readonly #taken = new Map<object, Set<string>>();

  /** Finds the nodes with an `@id` anywhere in the data. */
  *index(value: unknown, depth = 0): Steps<void> {
    if (typeof value !== 'object' || value === null || depth > deepest) return;
    if (isObject(value) && typeof value['@id'] === 'string' && !isReference(value))
      if (!this.#nodes.has(value['@id'])) this.#nodes.set(value['@id'], value);
    for (const part of Object.values(value)) {
      yield;
      yield* this.index(part, depth + 1);
    }
  }

  /** Returns the node that a value refers to, or the value itself. */
  resolve(value: unknown): unknown {
    const name = isReference(value) ? value['@id'] : value;
    return typeof name === 'string' ? (this.#nodes.get(name) ?? value) : value;
  }

  /** Notes that a member of an object was taken, with all that is in it. */
  take(object: object, name: string): void {
    const names = this.#taken.get(object) ?? new Set();
    this.#taken.set(object, names.add(name));
  }

  /** Notes that the first value of a member was taken. A list may have others. */
  takeFirst(object: JsonObject, name: string): void {
    const value = object[name];
    if (Array.isArray(value)) this.take(value, '0');
    else this.take(object, name);
  }

  isTaken = (object: object, name: string): boolean => this.#taken.get(object)?.has(name) ?? false;

  /**
   * Lists the paths of what was not taken. If nothing in an object or a list was taken, it is listed as one. Fillers, empty
   * values and the objects of `others` are left out.
   */
  *listLeft(
    value: object,
    others: ReadonlySet<unknown>,
    depth = 0,
  ): Steps<{ paths: string[]; isWhole: boolean }> {
    const paths: string[] = [];
    let isWhole = true;
    let more = 0;
    for (const [name, part] of Object.entries(value)) {
      yield;
      if (structure.has(name) && typeof part === 'string') continue;
      if (name === '@context' || (name === '@id' && !isReference(value))) continue;
      if (this.isTaken(value, name) || others.has(part)) {
        isWhole = false;
        continue;
      }
      if (part === null || part === '' || (typeof part === 'string' && isFiller(part))) continue;
      if (paths.length >= mostPlaces) {
        more += 1;
        continue;
      }
      const isDeep = typeof part === 'object' && depth < deepest;
      const inner = isDeep ? yield* this.listLeft(part, others, depth + 1) : undefined;
      if (inner && !inner.isWhole) isWhole = false;
      const path = Array.isArray(value) ? '' : cutExcerpt(name);
      if (!inner || (inner.isWhole && inner.paths.length > 0)) paths.push(path);
      else for (const below of inner.paths) paths.push(path && below ? `${path}.${below}` : path || below);
    }
    const shown = [...new Set(paths)].slice(0, mostPlaces);
    return { paths: more > 0 ? [...shown, `and ${more} more`] : shown, isWhole };
  }
}

/** Reads the members of one document into a row, and notes what became of them. */
export class DocumentReader {
  readonly row: FileRow;
  readonly documents: Documents;
  readonly #file: ImportFile;
  readonly #document: JsonObject;

  constructor(file: ImportFile, documents: Documents, { document, at }: PlacedDocument) {
    this.#file = file;
    this.documents = documents;
    this.#document = document;
    const number = file.rows.length + 1;
    this.row = { at, number, members: {}, places: {}, onlyNew: new Set(), fromToday: new Set() };
    file.rows.push(this.row);
  }

  /** Throws a Refusal if a member that is about to be read is longer than a cell may be. */
  *refuseLong(object: JsonObject, names: readonly string[], path = ''): Steps<void> {
    const at = path === '' ? this.row.at : `${this.row.at}.${path}`;
    for (const name of names) {
      yield* countCharacters(object[name], `${at}.${name}`);
      const node = this.documents.resolve(object[name]);
      if (node !== object[name]) yield* countCharacters(node, `${at}.${name}`);
    }
  }

  /** Sets a member of the record from a path in the document. Ignores undefined and empty lists. */
  set(member: string, value: unknown, from: string): void {
    if (value === undefined || (Array.isArray(value) && value.length === 0)) return;
    if (Array.isArray(value) && value.length > mostItems) refuseTooLong(`${this.row.at}.${from}`, 'list');
    this.row.members[member] = value;
    this.row.places[member] = `${this.row.at}.${from}`;
    this.#map(from, member);
  }

  #map(from: string, to: string): void {
    const { mapping } = this.#file;
    if (!mapping.some((one) => one.from === from && one.to === to)) mapping.push({ from, to });
  }

  /** Adds what a text of the document says, as if it were a cell. */
  add(reading: Reading, from: string, text: unknown): void {
    const { members = {}, problem, notTaken, left = [], immediately } = reading;
    if (reading.hasTooMany) refuseTooLong(`${this.row.at}.${from}`, 'list');
    if (problem !== undefined) this.fail(from, problem, text);
    if (notTaken !== undefined) this.leave(from, notTaken, quote(text));
    for (const { why, detail } of left) this.leave(from, why, detail);
    for (const [member, value] of Object.entries(members)) this.set(member, value, from);
    if (immediately === undefined) return;
    this.#map(String(text), immediately);
    for (const member of Object.keys(members)) this.row.fromToday.add(member);
  }

  /** Notes a member that is not stored. */
  leave(from: string, why: string, detail?: string): void {
    const { at, number } = this.row;
    this.#file.notTaken.push({ row: number, at: `${at}.${from}`, member: from, why, detail });
  }

  /** Notes a value that is recognised and cannot be read. */
  fail(from: string, why: string, value?: unknown): void {
    const { at, number } = this.row;
    const detail = value === undefined ? undefined : quote(value);
    this.#file.problems.push({ row: number, at: `${at}.${from}`, member: from, why, detail });
  }

  /** Notes all that was not taken. `others` are the objects of other records. */
  *leaveRest(others: ReadonlySet<unknown>): Steps<void> {
    const { paths } = yield* this.documents.listLeft(this.#document, others);
    for (const path of paths) this.leave(path, 'is no member that is known');
  }
}
