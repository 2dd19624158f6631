/** Prints a receipt and whether it holds. Exits 1 if it does not. */
import { readFile } from 'node:fs/promises';
import {
  describeReceipt,
  extractReceipt,
  provesNotThat,
  provesThat,
  readReceipt,
  receiptVerdicts,
} from '../src/placements/read-receipt.ts';
import { Mistake, readCommand, readFileName, WrongCall } from './command.ts';

const usage = `npm run verify-receipt -- FILE --keys URL|FILE [--issuer ORIGIN]

FILE      the receipt, or a text that holds it, such as a JSON answer
--keys    the key set of who signed it: ORIGIN/.well-known/jwks.json, or a file of it
--issuer  the origin that it has to name; that of the URL unless said

It exits 1 if the receipt does not hold or cannot be checked, and 2 if it was not called as above.`;

const patienceMs = 10_000;
const isUrl = (text: string) => /^https?:/.test(text) && URL.canParse(text);

/** Reads a URL or a file. Rejects with a message that says what cannot be read, and why. */
async function read(place: string): Promise<string> {
  try {
    if (!isUrl(place)) return await readFile(place, 'utf8');
    const response = await fetch(place, { signal: AbortSignal.timeout(patienceMs) });
    if (!response.ok) throw new Mistake(`it answered ${response.status}`);
    return await response.text();
  } catch (error) {
    throw new Mistake(`${place} cannot be read: ${(error as Error).message}`);
  }
}

/** Parses JSON, or returns undefined. `readReceipt` then refuses the key set as it refuses any broken one. */
function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns whether the receipt holds. Throws a Mistake if it cannot be checked. */
async function main(): Promise<boolean> {
  const options = { keys: { type: 'string' }, issuer: { type: 'string' } } as const;
  const { positionals, values } = readCommand(usage, { allowPositionals: true, options });
  const file = readFileName(positionals);
  const { keys } = values;
  if (!keys) throw new WrongCall('Say by which keys to check it: --keys URL, or --keys FILE.');
  const issuer = values.issuer ?? (isUrl(keys) ? new URL(keys).origin : undefined);
  const text = extractReceipt(await read(file));
  const result = await readReceipt(text, toJson(await read(keys)), { issuer, now: Date.now() });
  if (!result.holds) {
    console.log(`${receiptVerdicts[result.verdict]}. ${result.reason}`);
    return false;
  }
  console.log('It holds.\n');
  for (const [name, value] of describeReceipt(result.claims, result.kid))
    console.log(`${name.padEnd(11)} ${value}`);
  console.log(`\nWhat it proves: ${provesThat}\nWhat it does not: ${provesNotThat}`);
  return true;
}

process.exitCode = (await main()) ? 0 : 1;
