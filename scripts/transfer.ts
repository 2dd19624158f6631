/** Copies all workspaces from one store to another: `npm run transfer -- --from URL --to URL`. */
import { resolve } from 'node:path';
import { readSettings } from '../src/hosts/node/settings.ts';
import { openEnd, type TransferResult, transfer } from '../src/stores/transfer.ts';
import type { TransferEnd } from '../src/stores/transfer-end.ts';
import { Mistake, readCommand, WrongCall, withMistakes } from './command.ts';
import { formatCount } from './count.ts';

const usage = `npm run transfer -- --from URL --to URL

Copies all workspaces from one store to another, and reads each copy back. Stop the service first. The source stays as
it is. If it is interrupted, run it again: it goes on.

--from, --to  a folder of the service (DATA_DIR), a file of it or a backup, or a server as in STORE_URL

STORE_DURABILITY and STORE_REPLICAS apply to a server in --to. The signing key is not in a store: start the service
with the same key as before (SIGNING_KEY).`;

function describe({
  workspaces,
  records,
  copiedBefore,
  expired,
  tokens,
  looseTokens,
}: TransferResult): string {
  const lines = [
    `Copied ${formatCount(workspaces, 'workspace')} with ${formatCount(records, 'record')} and ${formatCount(tokens, 'token')}, and read each back.`,
  ];
  if (copiedBefore > 0) lines.push(`${formatCount(copiedBefore, 'workspace')} had been copied before.`);
  if (expired > 0)
    lines.push(
      `Left out, because they had expired: ${formatCount(expired, 'workspace')}. To keep those of a backup, restore it first.`,
    );
  if (looseTokens > 0)
    lines.push(`Left out, because they lead to no workspace: ${formatCount(looseTokens, 'token')}.`);
  return lines.join('\n');
}

/** Reads the two ends. A message never repeats a URL, because that may have a login. */
function readEnds() {
  const { values } = readCommand(usage, { options: { from: { type: 'string' }, to: { type: 'string' } } });
  const { from, to } = values;
  if (!from || !to) throw new WrongCall('Name the two stores.');
  if (from === to || resolve(from) === resolve(to))
    throw new WrongCall('--from and --to are the same store. Name another one in --to.');
  return { from, to };
}

async function open(place: string, role: 'source' | 'target'): Promise<TransferEnd> {
  const { STORE_REPLICAS: replicas, STORE_DURABILITY: durability } = readSettings({
    ...process.env,
    // Without STORE_URL the two settings would be refused. Here the command line names the server.
    STORE_URL: 'redis://localhost',
  });
  const option = role === 'source' ? '--from' : '--to';
  return openEnd(place, role, { replicas, durability }).catch((error: Error) => {
    throw new Mistake(`${option} cannot be used: ${error.message}`);
  });
}

function showProgress(done: number, all: number): void {
  if (process.stderr.isTTY)
    process.stderr.write(`\r${done.toLocaleString('en-US')} of ${formatCount(all, 'workspace')}`);
  if (process.stderr.isTTY && done === all) process.stderr.write('\n');
}

async function run(): Promise<void> {
  const { from, to } = readEnds();
  const source = await open(from, 'source');
  try {
    const target = await open(to, 'target');
    try {
      const done = await transfer({ source, target, now: Date.now(), onProgress: showProgress });
      console.log(describe(done));
      console.log('Give the service the same signing key: SIGNING_KEY names its file.');
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

process.umask(0o077);
await withMistakes(run);
