import { readFileSync } from 'node:fs';
import { findFormat } from '../../src/imports/find-format.ts';
import { Mistake } from '../command.ts';

interface SentFile {
  /** Replaces the media type of JSON. */
  type?: string;
  query?: string;
  body: Uint8Array<ArrayBuffer> | string;
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

/**
 * Reads a file to import: JSON Resume or JobPosting if its name ends in json or jsonld, and CSV otherwise. `kind` is what
 * the rows of a CSV file are. Throws a Mistake.
 */
export function readImportFile(path: string, kind: string | undefined, isDry: boolean): SentFile {
  const bytes = readBytes(path);
  if (bytes.length > mostBytes)
    throw new Mistake(`${path} has ${bytes.length} bytes. Send at most ${mostBytes}: split it.`);
  if (/\.json(ld)?$/i.test(path)) {
    const data = parseDocument(path, bytes);
    return { body: JSON.stringify({ format: findFormat(data), data, dryRun: isDry }) };
  }
  if (kind === undefined) throw new Mistake('Say what the rows are: --kind candidates, or --kind jobOrders.');
  const query = String(new URLSearchParams({ kind, dryRun: String(isDry) }));
  return { type: 'text/csv', query: `?${query}`, body: bytes };
}
