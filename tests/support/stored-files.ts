import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openStore } from '../../src/stores/open-store.ts';
import { make, TestedStore } from './changes.ts';
import { makeFolder } from './server.ts';

/** The file with all workspaces, in the folder of a store. */
export const name = 'workspaces.sqlite';
export const open = async (folder: string) => new TestedStore(await openStore({ url: '', dataDir: folder }));

/** Makes this many workspaces, one transaction each, and returns their hashes. */
export async function makeMany(store: TestedStore, count: number): Promise<string[]> {
  const hashes: string[] = [];
  for (let n = 0; n < count; n += 1) hashes.push((await make(store)).hash);
  return hashes;
}

/** Copies the database and the log of a folder as they are now, as a kill of the process leaves them. */
export function copyAsKilled(folder: string): string {
  const copy = makeFolder();
  for (const file of [name, `${name}-wal`])
    if (existsSync(join(folder, file))) copyFileSync(join(folder, file), join(copy, file));
  return copy;
}

export function useDatabase(folder: string, use: (database: DatabaseSync) => unknown): void {
  const database = new DatabaseSync(join(folder, name), { timeout: 2000 });
  use(database);
  database.close();
}

export const checkpoint = (folder: string) =>
  useDatabase(folder, (database) => database.exec('PRAGMA wal_checkpoint(PASSIVE)'));
