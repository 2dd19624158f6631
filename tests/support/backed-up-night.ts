import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { removeSeal } from '../../src/stores/backup-seal.ts';
import { openStore } from '../../src/stores/open-store.ts';
import { connectTo, type Made, makeOne, runWell } from './data-commands.ts';
import { makeFolder, startServer } from './server.ts';
import { copyAsKilled } from './stored-files.ts';
import { World } from './world.ts';

export const quiet = { LOG: 'off', RATE_LIMIT: 'off', STORE_FREE: '0' };
export const keyName = 'signing-key.pem';

/** A folder of a host that was killed, and its backup. */
interface Night {
  env: { DATA_DIR: string; STORE_FREE: string };
  file: string;
  /** A workspace that is in the backup, and one that was made after it. */
  kept: Made;
  later: Made;
}

/** Runs a host, backs it up while it runs, makes one more workspace, and kills it. */
async function endureNight(): Promise<Night> {
  const server = await startServer(quiet);
  const client = await connectTo(server);
  const env = { DATA_DIR: server.dataDir, STORE_FREE: '0' };
  const file = join(makeFolder(), 'nightly.backup');
  const kept = await makeOne(client);
  runWell('backup', [file], env);
  const later = await makeOne(client);
  await server.kill();
  return { env, file, kept, later };
}

let original: Promise<Night> | undefined;

/** Returns a copy of one such night: the folder of the killed host, and its backup. */
export async function useNight(): Promise<Night> {
  original ??= endureNight();
  const night = await original;
  const DATA_DIR = copyAsKilled(night.env.DATA_DIR);
  copyFileSync(join(night.env.DATA_DIR, keyName), join(DATA_DIR, keyName));
  const file = join(makeFolder(), 'nightly.backup');
  copyFileSync(night.file, file);
  return { ...night, env: { DATA_DIR, STORE_FREE: '0' }, file };
}

/** Opens the store in a folder, as a start does, and returns the status of a read of each candidate there. */
export async function readStatuses(DATA_DIR: string, ...made: Made[]): Promise<number[]> {
  const store = await openStore({ url: '', dataDir: DATA_DIR });
  const { ask } = new World({ store });
  const statuses: number[] = [];
  for (const { workspace, id } of made) {
    const { status } = await ask('GET', `/candidates/${id}`, undefined, { 'x-workspace': workspace });
    statuses.push(status);
  }
  await store.close();
  return statuses;
}

/** Runs SQL on a backup, which then has no seal. */
export function change(file: string, sql: string): void {
  removeSeal(file);
  const database = new DatabaseSync(file);
  database.exec(sql);
  const hasFacts = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'backup'").get();
  if (hasFacts) database.exec("UPDATE backup SET facts = json_remove(facts, '$.isSealed')");
  database.close();
}
