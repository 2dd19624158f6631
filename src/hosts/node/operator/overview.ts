import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { backupNote } from '../../../stores/backup-note.ts';
import { describeStore } from '../describe-settings.ts';
import type { Limits } from '../limits.ts';
import type { Readings } from '../metrics.ts';
import type { NodeSettings } from '../settings.ts';
import type { Blocks } from './blocks.ts';
import type { Tally } from './tally.ts';

/** What the overview is made of. */
export interface OverviewParts {
  settings: NodeSettings;
  tally: Tally;
  limits: Pick<Limits, 'listNearEnd'>;
  blocks: Blocks;
  /** The version and the commit. */
  version: string;
  commit: string | undefined;
  /** The values that /metrics has. */
  read(): Readings;
}

/** A limit from which this part is used is near its end. */
const nearShare = 0.8;
const mostClients = 100;

const startedAt = new Date(Date.now() - performance.now()).toISOString();

/** Reads when the last backup was made. Null if there is none, or if the store is on a server. */
function readLastBackup({ STORE_URL, DATA_DIR }: NodeSettings) {
  if (STORE_URL) return null;
  try {
    return JSON.parse(readFileSync(join(DATA_DIR, backupNote), 'utf8'));
  } catch {
    return null;
  }
}

const toNumber = (reading: Readings[keyof Readings]) => (typeof reading === 'number' ? reading : null);

/** Lists the limits of the whole service that are near their end. */
function listNearInAll({ STORE_BYTES, MAX_CONNECTIONS }: NodeSettings, readings: Readings) {
  const uses = [
    { limit: 'STORE_BYTES', used: toNumber(readings.careers_store_bytes), quota: STORE_BYTES },
    { limit: 'MAX_CONNECTIONS', used: toNumber(readings.careers_connections), quota: MAX_CONNECTIONS },
  ];
  return uses.filter(({ used, quota }) => used !== null && used >= quota * nearShare);
}

/** Describes what is in the store, what was called and refused since the start, and which limits are near their end. */
export function createOverview({ settings, tally, limits, blocks, version, commit, read }: OverviewParts) {
  const readings = read();
  return {
    type: 'OK',
    at: new Date().toISOString(),
    versions: { service: version, commit: commit ?? null, node: process.versions.node, startedAt },
    store: {
      place: describeStore(settings),
      workspaces: toNumber(readings.careers_store_workspaces),
      bytes: toNumber(readings.careers_store_bytes),
      roomBytes: toNumber(readings.careers_store_room_bytes),
      isFull: readings.careers_store_full === 1,
      lastBackup: readLastBackup(settings),
    },
    connections: toNumber(readings.careers_connections),
    calls: tally.readCalls(),
    refusals: tally.readRefusals(mostClients),
    nearLimits: [...listNearInAll(settings, readings), ...limits.listNearEnd(nearShare, mostClients)],
    blocks: blocks.list(),
  };
}
