import { closeSync, existsSync, fsyncSync, openSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { format, oldestFormat, readFormat } from './sqlite-file.ts';
import { probeVersion } from './sqlite-probe.ts';
import { toSqliteFault } from './store-fault.ts';

/**
 * A backup is a database of workspaces with one more table, `backup`: what the backup says about itself, and the
 * signing key. A copy that another program made lacks the table.
 */
export interface BackupFacts {
  /** The release of the service that made it. */
  release?: string;
  /** Milliseconds since the epoch. */
  madeAt?: number;
  /** `signing-key.pem` of the same folder, in PEM. Absent if the folder had none. */
  signingKey?: string;
  /** Whether the file ends with a seal (see `addSeal`). */
  isSealed?: boolean;
}

/** Flushes a file or a folder to disk. Windows cannot flush a folder. */
export function flush(path: string): void {
  if (process.platform === 'win32' && statSync(path).isDirectory()) return;
  const file = openSync(path, 'r');
  fsyncSync(file);
  closeSync(file);
}

/** Formats bytes for people: `4.3 GB`. */
export function formatBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB', 'PB'];
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  return `${(bytes / 1000 ** step).toLocaleString('en-US', { maximumFractionDigits: step ? 1 : 0 })} ${units[step]}`;
}

/** Throws a plain message if the disk of `path` has no room for a file of `needed` bytes, and `spare` bytes beside it. */
export function refuseFullDisk(path: string, needed: number, spare = 0): void {
  const { bavail, bsize } = statfsSync(dirname(path));
  const free = bavail * bsize;
  if (free >= needed + spare) return;
  const reserve =
    spare > 0 ? `, of which ${formatBytes(spare)} stay free for the service on that disk (STORE_FREE)` : '';
  throw new Error(
    `${path} needs ${formatBytes(needed)}, and its disk has ${formatBytes(free)} left${reserve}. Nothing was written. Make room there, or use another disk.`,
  );
}

/** Converts an error of writing a file into one plain sentence. */
export function toPlainError(error: unknown, path: string): Error {
  const { code, errcode, message } = error as Error & { code?: string; errcode?: number };
  const isFull = code === 'ENOSPC' || (errcode !== undefined && toSqliteFault(error).word === 'disk_full');
  if (isFull) return new Error(`The disk of ${path} is full. Make room there, or use another disk.`);
  if (errcode === undefined && code === undefined) return error as Error;
  return new Error(`${path} could not be written (${message}). Check its disk, or use another one.`);
}

/** Counts the workspaces that have not expired at `now`, without the one with which a service checks its disk. */
export function countWorkspaces(database: DatabaseSync, now: number): number {
  const count = `SELECT count(*) AS n FROM workspaces
    WHERE hash IS NOT NULL AND expires_at > ? AND version <> '${probeVersion}'`;
  return Number(database.prepare(count).get(now)!.n);
}

export function writeFacts(database: DatabaseSync, facts: BackupFacts): void {
  database.exec('DROP TABLE IF EXISTS backup; CREATE TABLE backup (facts TEXT NOT NULL)');
  database.prepare('INSERT INTO backup (facts) VALUES (?)').run(JSON.stringify(facts));
}

/** Returns the facts of a backup. They are empty if another program made it. */
export function readFacts(database: DatabaseSync): BackupFacts {
  const find = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'backup'";
  if (!database.prepare(find).get()) return {};
  return JSON.parse(String(database.prepare('SELECT facts FROM backup').get()!.facts)) as BackupFacts;
}

/** Removes the facts, the signing key among them, and overwrites their place in the file. */
export function removeFacts(database: DatabaseSync): void {
  database.exec('PRAGMA secure_delete = ON; DROP TABLE IF EXISTS backup');
}

/** Opens a file without its log, to read it. Leaves no file beside it. Nothing may write to the file meanwhile. */
export function openUnchanging(path: string): DatabaseSync {
  const url = pathToFileURL(path);
  url.searchParams.set('immutable', '1');
  return new DatabaseSync(url, { readOnly: true });
}

/** Throws a plain message unless `path` is a readable file with workspaces in a format that this release reads. */
export function checkHeader(path: string): void {
  let found: ReturnType<typeof readFormat>;
  try {
    found = readFormat(path);
  } catch (error) {
    throw new Error(
      `${path} cannot be read (${(error as NodeJS.ErrnoException).code}). Name the file of a backup.`,
    );
  }
  if (!found) throw new Error(`${path} is no backup or database of this service. Name another file.`);
  if (found.age === 'same' || found.age === 'older') return;
  const release = found.age === 'later' ? 'a later' : 'an earlier';
  throw new Error(
    `${path} is of ${release} release: it has format ${found.version}, and this release reads ${oldestFormat} to ${format}. Use it with the release that made it.`,
  );
}

/** Checks every page of a database. Returns what is wrong with one, or undefined if all are right. */
export function findDamage(database: DatabaseSync): string | undefined {
  let report: unknown;
  try {
    report = Object.values(database.prepare('PRAGMA integrity_check(1)').get() ?? {})[0];
  } catch (error) {
    report = (error as Error).message;
  }
  return report === 'ok' ? undefined : String(report).split('\n').at(-1);
}

/** Creates the error of a damaged file. It names an older backup if there is one. */
export function createDamage(path: string, reason: string): Error {
  const older = existsSync(`${path}.1`) ? `, such as ${path}.1` : '';
  return new Error(`${path} is damaged (${reason}). Use an older backup${older}.`);
}

/** Reads the file of a signing key, in PEM. Returns undefined if there is none. */
export function readKeyText(path: string): string | undefined {
  return statSync(path, { throwIfNoEntry: false }) && readFileSync(path, 'utf8');
}
