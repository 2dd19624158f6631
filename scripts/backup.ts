/** Backs up the workspaces in DATA_DIR while the service runs: `npm run backup -- FILE`. */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import manifest from '../package.json' with { type: 'json' };
import { readSettings } from '../src/hosts/node/settings.ts';
import { formatBytes } from '../src/stores/backup-file.ts';
import { backupNote } from '../src/stores/backup-note.ts';
import { writeBackup } from '../src/stores/write-backup.ts';
import { Mistake, quoteArgument, readCommand, readFileName, WrongCall, withMistakes } from './command.ts';
import { formatCount } from './count.ts';

const usage = `npm run backup -- FILE [--keep N]

Backs up the workspaces and the signing key of DATA_DIR, also while the service runs. The file is for its owner
alone (mode 0600) and is checked before it gets its name.

FILE    the backup; the previous FILE becomes FILE.1, FILE.1 becomes FILE.2, and so on
--keep  how many previous backups stay (7)

Restore it with: npm run restore -- FILE`;

const mostKept = 1000;

function readKeep(text: string): number {
  const keep = Number(text);
  if (/^\d+$/.test(text) && keep <= mostKept) return keep;
  throw new WrongCall(`--keep must be a whole number from 0 to ${mostKept}, such as --keep 7.`);
}

/** Notes the backup for the operator's page. A user who may only read DATA_DIR can back up too, so that it may fail. */
function noteBackup(dataDir: string, note: object): void {
  try {
    writeFileSync(join(dataDir, backupNote), JSON.stringify(note));
  } catch {
    // The page then shows an earlier backup.
  }
}

async function run(): Promise<void> {
  const { values, positionals } = readCommand(usage, {
    allowPositionals: true,
    options: { keep: { type: 'string', default: '7' } },
  });
  const file = readFileName(positionals);
  const settings = readSettings(process.env);
  if (settings.STORE_URL)
    throw new Mistake(
      'STORE_URL is set, so the workspaces are on that server, and DATA_DIR has none to back up. Back up the server by its own means, or copy them into a file: npm run transfer -- --from STORE_URL --to FILE.sqlite',
    );
  const request = {
    dataDir: resolve(settings.DATA_DIR),
    file: resolve(file),
    keep: readKeep(values.keep),
    release: manifest.version,
    now: Date.now(),
    storeFree: settings.STORE_FREE,
  };
  const { workspaces, bytes, hasKey, older } = await writeBackup(request);
  noteBackup(request.dataDir, {
    at: new Date(request.now).toISOString(),
    file: request.file,
    bytes,
    workspaces,
  });
  const key = hasKey
    ? 'the signing key'
    : 'no signing key, because DATA_DIR has none: keep that of SIGNING_KEY yourself';
  console.log(`Backed up ${request.dataDir} to ${request.file} (${formatBytes(bytes)}), and checked it.`);
  console.log(`It has ${formatCount(workspaces, 'workspace')}, and ${key}.`);
  if (older.length > 0) console.log(`Previous backups: ${older.join(', ')}`);
  console.log(`To restore it: npm run restore -- ${quoteArgument(request.file)}`);
}

process.umask(0o077);
await withMistakes(run);
