import { decodeText } from '../../../imports/decode-text.ts';
import { findFormat } from '../../../imports/find-format.ts';
import { formatCount } from '../../_scripts/format.ts';
import type { FileArgs } from './import-model.ts';

/** The most bytes of a file that the service takes. */
const mostBytes = 1_048_576;

/** A file as it is sent, with a note if its letters may be wrong. */
interface ReadFile {
  args: FileArgs;
  note: string;
}

/** Reads a file in this browser. Rejects with an Error that says why it cannot be imported. */
export async function readFile(file: File): Promise<ReadFile> {
  const { name, size } = file;
  if (size > mostBytes)
    throw new Error(
      `${name} has ${formatCount(size)} bytes, and an import takes ${formatCount(mostBytes)}. Split it, and drop the parts one after the other.`,
    );
  const decoded = decodeText(new Uint8Array(await file.arrayBuffer()));
  if ('problem' in decoded) throw new Error(`${name} ${decoded.problem}.`);
  const { text, isGuessed } = decoded;
  const note = isGuessed
    ? 'The file does not say in which encoding it is. It was read as Windows-1252: check letters with accents.'
    : '';
  if (!/\.json(?:ld)?$/i.test(name)) return { args: { format: 'csv', text }, note };
  try {
    return { args: { format: findFormat(JSON.parse(text)), text }, note };
  } catch {
    throw new Error(`${name} is not JSON. If it is a table, name it .csv.`);
  }
}
