import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdtempSync,
  rmdirSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { findDamage, openUnchanging } from '../../stores/backup-file.ts';
import {
  databaseName,
  describeLeftDraft,
  keyName,
  lockFile,
  lockName,
  refuseHalfRestore,
} from '../../stores/data-dir.ts';
import { refuseNoRoom } from '../../stores/migrate-file.ts';
import { openStore } from '../../stores/open-store.ts';
import { findFileFormat, format, refuseForeignFile } from '../../stores/sqlite-file.ts';
import { refuseForeignLog } from '../../stores/sqlite-log.ts';
import { describeStore, listSettings } from './describe-settings.ts';
import { readFolderKeys } from './keys.ts';
import { listen } from './listen.ts';
import { explainNearSetting, findNearSettings } from './near-settings.ts';
import { openBlocks } from './operator/blocks.ts';
import { Environment, isPublicWithoutName, type NodeSettings, readSettings } from './settings.ts';
import { explainLack } from './storage.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** What to do if others can reach this host and BASE_URL is not set. */
export const noNameAdvice =
  'BASE_URL is not set, so /mcp answers 403 on every name but localhost. Set it to the address that clients use, such as https://careers.example.';

/** What a check found: reasons why the service would not start, and other remarks. */
interface Findings {
  faults: string[];
  notes: string[];
}

/** Runs a step. Returns the message of the error that it throws, or nothing. */
async function findFault(run: () => unknown): Promise<string[]> {
  try {
    await run();
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}

/**
 * Returns the path itself, or the closest folder above it that exists. Throws a plain message if a link on the way leads
 * nowhere, because no folder can be made there.
 */
function findExistingFolder(path: string): string {
  const folder = resolve(path);
  if (existsSync(folder) || dirname(folder) === folder) return folder;
  if (lstatSync(folder, { throwIfNoEntry: false }))
    throw new Error(`DATA_DIR: ${folder} is a link to a folder that is not there. Make that folder.`);
  return findExistingFolder(dirname(folder));
}

/** Throws a plain message if nothing can be made in a folder. Rights do not say so of /proc or a read-only disk. */
function refuseUnwritable(dataDir: string, folder: string): void {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    rmdirSync(mkdtempSync(join(folder, '.check-')));
  } catch (error) {
    // A service starts on a full disk, if it has its files.
    if (/^(ENOSPC|EDQUOT)$/.test((error as NodeJS.ErrnoException).code ?? '')) return;
    throw new Error(
      `DATA_DIR is ${dataDir}, but this user may not write to ${folder}. Give it the right to, or set DATA_DIR to another folder.`,
    );
  }
}

/** Throws a plain message if a database that no process uses cannot be read, or not be migrated. Leaves no file beside it. */
function refuseBrokenDatabase(file: string): void {
  const { size: logSize = 0 } = statSync(`${file}-wal`, { throwIfNoEntry: false }) ?? {};
  if (logSize > 0 || (statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0) return;
  try {
    const database = openUnchanging(file);
    database.exec('SELECT * FROM records LIMIT 1');
    const damage = findFileFormat(file)?.age === 'older' ? findDamage(database) : undefined;
    database.close();
    if (damage !== undefined) throw new Error(damage);
  } catch (error) {
    throw new Error(
      `${file} cannot be used as a database (${(error as Error).message}). Move it, or set DATA_DIR.`,
    );
  }
}

/** Throws a plain message if a start in the folder would fail. Leaves nothing in it. `isHeld`: a host runs there. */
function refuseFolder(dataDir: string, isHeld: boolean): void {
  const folder = findExistingFolder(dataDir);
  if (!statSync(folder).isDirectory())
    throw new Error(`DATA_DIR is ${dataDir}, but ${folder} is no folder. Name a folder.`);
  refuseUnwritable(dataDir, folder);
  const file = join(dataDir, databaseName);
  refuseForeignFile(file);
  refuseHalfRestore(dataDir);
  // A running host writes to its files, so they cannot be read.
  if (isHeld) return;
  refuseForeignLog(file);
  refuseBrokenDatabase(file);
  if (findFileFormat(file)?.age === 'older') refuseNoRoom(file);
}

/** Whether a process holds the folder. Throws a plain message if its lock cannot be used. */
function isFolderHeld(dataDir: string): boolean {
  const path = join(dataDir, lockName);
  if (!existsSync(path)) return false;
  try {
    const lock = lockFile(path);
    lock?.close();
    return lock === undefined;
  } catch (error) {
    throw new Error(
      `DATA_DIR is ${dataDir}, where ${lockName} cannot be locked: ${(error as Error).message}.`,
    );
  }
}

/** Throws a plain message if the service would not sign with the key in the folder. */
function refuseKeyFile({ SIGNING_KEY, DATA_DIR }: NodeSettings): void {
  if (!SIGNING_KEY && existsSync(join(DATA_DIR, keyName))) readFolderKeys(DATA_DIR);
}

/** Returns a note if the start would migrate the file. */
function noteMigration(dataDir: string): string[] {
  const file = join(dataDir, databaseName);
  const found = findFileFormat(file);
  if (found?.age !== 'older') return [];
  return [
    `${file} has format ${found.version}. The start migrates it to ${format}, and keeps it under another name for seven days.`,
  ];
}

/** Returns a note if nothing could be added, or if the disk is full before the store has STORE_BYTES. */
function noteRoom(settings: NodeSettings): string[] {
  const { bavail, bsize } = statfsSync(findExistingFolder(settings.DATA_DIR));
  const file = statSync(join(settings.DATA_DIR, databaseName), { throwIfNoEntry: false });
  const room = { used: file?.size ?? 0, free: bavail * bsize };
  const lack = explainLack(room, settings);
  if (lack) return [`The store would be full from the start, and nothing could be added: ${lack}.`];
  const mostBytes = room.used + room.free - settings.STORE_FREE;
  if (mostBytes >= settings.STORE_BYTES) return [];
  return [
    `The store will be full at ${mostBytes} bytes, before STORE_BYTES (${settings.STORE_BYTES}): its disk has ${room.free} bytes left, of which STORE_FREE (${settings.STORE_FREE}) stay free.`,
  ];
}

/**
 * Throws a plain message if the service could not listen. Beside a host that runs with this folder, its own port is not
 * tried, because that host stops before this one starts.
 */
async function refuseAddress(settings: NodeSettings, isHeld: boolean): Promise<void> {
  if (isHeld && (settings.LISTEN || !settings.HOST)) return;
  const server = createServer();
  await listen(server, isHeld ? { ...settings, PORT: 0 } : settings);
  server.close();
}

async function checkStore(settings: NodeSettings, isHeld: boolean): Promise<Findings> {
  const { STORE_URL: url, DATA_DIR: dataDir, STORE_REPLICAS: replicas } = settings;
  if (!url) {
    const faults = await findFault(() => refuseFolder(dataDir, isHeld));
    if (faults.length > 0) return { faults, notes: [] };
    const draft = describeLeftDraft(dataDir);
    const notes = [
      ...(isHeld ? [describeHeld(dataDir)] : []),
      ...(draft ? [draft] : []),
      ...noteMigration(dataDir),
      ...noteRoom(settings),
    ];
    return { faults: await findFault(() => refuseKeyFile(settings)), notes };
  }
  const notes: string[] = [];
  const open = async () => {
    const report = (fault: Error) => void notes.push(`STORE_URL: ${fault.message}`);
    const store = await openStore({ url, dataDir, replicas, durability: settings.STORE_DURABILITY, report });
    await store.check().catch(({ cause }: Error) => report(cause as Error));
    await store.close();
  };
  const faults = await findFault(open);
  if (!settings.SIGNING_KEY)
    notes.push('SIGNING_KEY is not set, so nothing is signed, and there is neither work nor claims.');
  return { faults, notes: [...new Set(notes)] };
}

const describeHeld = (dataDir: string) =>
  `A host runs with DATA_DIR ${dataDir}. Stop it before this one starts.`;

async function findFindings(env: Variables): Promise<Findings> {
  const near = findNearSettings(env, Object.keys(Environment.entries)).map(explainNearSetting);
  let settings: NodeSettings;
  try {
    settings = readSettings(env);
  } catch (error) {
    return { faults: (error as Error).message.split('\n'), notes: near };
  }
  let isHeld = false;
  const lockFaults = await findFault(() => {
    isHeld = !settings.STORE_URL && isFolderHeld(settings.DATA_DIR);
  });
  const store = await checkStore(settings, isHeld);
  const addressFaults = await findFault(() => refuseAddress(settings, isHeld));
  const blockFaults = settings.OPERATOR_TOKEN ? await findFault(() => openBlocks(settings)) : [];
  const faults = [...addressFaults, ...lockFaults, ...store.faults, ...blockFaults];
  const { notes } = store;
  const nameless = isPublicWithoutName(settings) ? [noNameAdvice] : [];
  return { faults, notes: [...near, ...nameless, ...notes] };
}

const formatList = (title: string, lines: readonly string[]) =>
  lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)];

/** Checks what a start would do under these variables. Returns the text for the operator, and whether it would start. */
export async function checkStart(env: Variables): Promise<{ text: string; wouldStart: boolean }> {
  const { faults, notes } = await findFindings(env);
  const rows = listSettings(env).map(({ name, value, isChanged }) =>
    `${isChanged ? '*' : ' '} ${name.padEnd(24)}${value}`.trimEnd(),
  );
  const store = describeStore({
    STORE_URL: env.STORE_URL?.trim() ?? '',
    DATA_DIR: env.DATA_DIR?.trim() || '.data',
  });
  const lines = [
    'Settings (* differs from its default):',
    ...rows,
    '',
    `Store: ${store}`,
    ...formatList('Wrong:', faults),
    ...formatList('Worth a look:', notes),
    '',
    faults.length === 0 ? 'The service would start.' : 'The service would not start.',
  ];
  return { text: lines.join('\n'), wouldStart: faults.length === 0 };
}
