import { readFileSync } from 'node:fs';
import { decodeText } from '../../src/imports/decode-text.ts';
import { findFormat } from '../../src/imports/find-format.ts';
import { Mistake } from '../command.ts';

interface SentFile {
  /** Replaces the media type of JSON. */
  type?: string;
  query?: string;
  body: Uint8Array<ArrayBuffer> | string;
}

/** What a file is imported with, as the service takes it. */
export interface ImportOptions {
  kind?: 'candidates' | 'jobOrders';
  columns?: Record<string, string>;
  codes?: { at: string; onetCode: string }[];
  dryRun: boolean;
  upsert?: boolean;
  onProblem?: 'skip';
}

/** The most bytes that a service takes. */
const mostBytes = 1_048_576;

function readBytes(path: string): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(readFileSync(path));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new Mistake(`There is no file ${path}.`);
    if (code === 'EISDIR') throw new Mistake(`${path} is a folder. Name one file.`);
    throw new Mistake(`${path} cannot be read: ${(error as Error).message}`);
  }
}

function parseDocument(path: string, bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new Mistake(`${path} is not JSON in UTF-8. If it is a table, name it .csv.`);
  }
}

/** Returns the text of a table that goes into JSON. Throws a Mistake if nothing says how its bytes are to be read. */
function decodeTable(path: string, bytes: Uint8Array): string {
  const decoded = decodeText(bytes);
  if ('problem' in decoded) throw new Mistake(`${path} ${decoded.problem}.`);
  if (decoded.isGuessed) throw new Mistake(`${path} is not in UTF-8. Save it so, to name columns or codes.`);
  return decoded.text;
}

/**
 * Reads a file to import: JSON Resume or JobPosting if its name ends in json or jsonld, and CSV otherwise. A table goes
 * as it is, so that the service decodes it, unless columns or codes are sent with it. Throws a Mistake.
 */
export function readImportFile(path: string, options: ImportOptions): SentFile {
  const bytes = readBytes(path);
  if (bytes.length > mostBytes)
    throw new Mistake(`${path} has ${bytes.length} bytes. Send at most ${mostBytes}: split it.`);
  if (/\.json(ld)?$/i.test(path)) {
    const { kind: _, ...more } = options;
    const data = parseDocument(path, bytes);
    return { body: JSON.stringify({ format: findFormat(data), data, ...more }) };
  }
  const { kind, columns, codes, ...more } = options;
  if (kind === undefined) throw new Mistake('Say what the rows are: --kind candidates, or --kind jobOrders.');
  if (columns || codes)
    return { body: JSON.stringify({ format: 'csv', text: decodeTable(path, bytes), ...options }) };
  const named = Object.entries({ kind, ...more }).map(([name, value]) => [name, String(value)]);
  return { type: 'text/csv', query: `?${new URLSearchParams(named)}`, body: bytes };
}
