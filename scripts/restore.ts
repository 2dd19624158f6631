/** Restores a backup into DATA_DIR while the service is stopped: `npm run restore -- FILE`. */
import { resolve } from 'node:path';
import manifest from '../package.json' with { type: 'json' };
import { readSettings } from '../src/hosts/node/settings.ts';
import { keyName } from '../src/stores/data-dir.ts';
import { type RestoreResult, restoreBackup } from '../src/stores/restore-backup.ts';
import { Mistake, quoteArgument, readCommand, readFileName, withMistakes } from './command.ts';
import { formatCount } from './count.ts';

const usage = `npm run restore -- FILE

Restores a backup into DATA_DIR. Stop the service first. The file is checked before anything is replaced, and what it
replaces is kept beside it. What had not expired when the backup was made is kept for at least one more day.

FILE    a backup of npm run backup, or another copy of workspaces.sqlite`;

const formatTime = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;

function describeKey({ key, before }: RestoreResult, isKeySet: boolean): string | undefined {
  if (isKeySet) return 'SIGNING_KEY is set, so the service signs with that, and not with a key in DATA_DIR.';
  const oldKey = before.find((name) => name.includes(keyName));
  if (oldKey)
    return `The signing key of the backup is in place. If the key before it signed receipts that must hold, add the text of ${oldKey} at the end of signing-key.pem.`;
  if (key === 'restored') return 'The signing key of the backup is in place.';
  if (key === 'same') return undefined;
  return 'The file has no signing key. If DATA_DIR has none either, put yours there as signing-key.pem: otherwise the service makes a new one.';
}

function run(): void {
  const { positionals } = readCommand(usage, { allowPositionals: true });
  const file = readFileName(positionals);
  const settings = readSettings(process.env);
  if (settings.STORE_URL)
    throw new Mistake(
      `STORE_URL is set, so the service does not read DATA_DIR. Unset it to restore there, or copy the backup to the server: npm run transfer -- --from ${quoteArgument(file)} --to STORE_URL`,
    );
  const dataDir = resolve(settings.DATA_DIR);
  const request = { dataDir, file: resolve(file), release: manifest.version, now: Date.now() };
  const restored = restoreBackup(request);
  const { workspaces, madeAt, keptUntil, before } = restored;
  console.log(`Restored ${formatCount(workspaces, 'workspace')} from ${request.file} into ${dataDir}.`);
  console.log(
    `They are as they were at ${formatTime(madeAt)}, and are kept until ${formatTime(keptUntil)} at least.`,
  );
  const key = describeKey(restored, settings.SIGNING_KEY !== '');
  if (key) console.log(key);
  if (before.length > 0)
    console.log(`What was there is kept; delete it when all is well: ${before.join(', ')}`);
  console.log('Start the service.');
}

process.umask(0o077);
await withMistakes(run);
