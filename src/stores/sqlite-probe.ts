import { noCalls } from '../workspace/charge.ts';
import type { Head } from '../workspace/head.ts';
import { noChange } from '../workspace/store.ts';
import type { SqliteTables } from './sqlite-tables.ts';

/** The version of the workspace with which a store checks its disk. */
export const probeVersion = 'check';

/** Hashes that no workspace has. A check writes a large record under one of them, then deletes the other. */
const probeHashes = ['ff', 'fe'].map((end) => end.padStart(64, 'f')) as [string, string];
const probeMs = 10_000;
const probeText = ' '.repeat(16_384);

/** Writes a large record and deletes the one of the previous check. A full disk has no room for both. */
export function writeProbe(tables: SqliteTables): void {
  const [first, second] = probeHashes.map((hash) => tables.findByHash(hash));
  const hash = probeHashes[first ? 1 : 0]!;
  const now = Date.now();
  const counters = { revision: 1, lastSeq: 1, bytes: 0, counts: {} };
  const after: Head = {
    ...counters,
    key: '',
    hash,
    createdAt: now,
    expiresAt: now + probeMs,
    version: probeVersion,
    state: {},
    used: noCalls,
  };
  const record = { id: 'check', onetCode: '' };
  const entry = { kind: 'check', seq: 1, record, bytes: probeText.length };
  tables.write({
    ...noChange,
    before: undefined,
    after,
    written: [{ entry, text: probeText, isNew: true }],
  });
  for (const old of [first, second]) if (old) tables.deleteWorkspace(Number(old.key), 10);
}
