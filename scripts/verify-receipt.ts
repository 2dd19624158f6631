/** Says what a receipt says and whether it holds: `npm run verify-receipt -- FILE --keys URL|FILE`. Exits 1 where it does not. */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import {
  describeReceipt,
  extractReceipt,
  provesNotThat,
  provesThat,
  readReceipt,
} from '../src/placements/read-receipt.ts';

const usage = `npm run verify-receipt -- FILE --keys URL|FILE [--issuer ORIGIN]

FILE    the receipt, or the JSON answer that holds it
--keys  the key set of who signed it: ORIGIN/.well-known/jwks.json, or a file of it
--issuer  the origin that it has to name; that of the URL unless said`;

const patienceMs = 10_000;
const isUrl = (text: string) => /^https?:/.test(text) && URL.canParse(text);

/** The text at a place. Rejects with what cannot be read, and why. */
async function read(place: string): Promise<string> {
  try {
    if (!isUrl(place)) return await readFile(place, 'utf8');
    const response = await fetch(place, { signal: AbortSignal.timeout(patienceMs) });
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    return await response.text();
  } catch (error) {
    throw new Error(`${place} cannot be read: ${(error as Error).message}`);
  }
}

/** A key set that is no JSON is told by `readReceipt`, as any other that is broken. */
function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Answers whether the receipt holds. */
async function main(): Promise<boolean> {
  const options = { keys: { type: 'string' }, issuer: { type: 'string' } } as const;
  const { positionals, values } = parseArgs({ allowPositionals: true, options });
  const [file, ...more] = positionals;
  const { keys } = values;
  if (!file || more.length > 0 || !keys) throw new Error(usage);
  const issuer = values.issuer ?? (isUrl(keys) ? new URL(keys).origin : undefined);
  const text = extractReceipt(await read(file));
  const found = await readReceipt(text, toJson(await read(keys)), { issuer, now: Date.now() });
  if (!found.holds) {
    console.log(`It does not hold. ${found.reason}`);
    return false;
  }
  console.log('It holds.\n');
  for (const [name, value] of describeReceipt(found.claims, found.kid))
    console.log(`${name.padEnd(11)} ${value}`);
  console.log(`\nWhat it proves: ${provesThat}\nWhat it does not: ${provesNotThat}`);
  return true;
}

const holds = await main().catch((error: Error) => console.error(error.message));
process.exitCode = holds ? 0 : 1;
