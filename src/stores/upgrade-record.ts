import { countBytes } from '../kernel/json.ts';
import { upgradePlacement } from '../placements/upgrade.ts';
import type { StoredRecord } from '../workspace/record.ts';
import type { StoredText } from '../workspace/store.ts';
import type { WholeWorkspace } from './transfer-end.ts';

/** How records of a kind become those of this release. */
interface Upgrade {
  kind: string;
  /** Records whose text lacks this need no upgrade, and are not parsed. */
  mark: string;
  /** Returns a record of this release unchanged: a record can be upgraded each time it is read. */
  upgrade(record: StoredRecord): StoredRecord;
}

/** Oldest first. Each is the reason for a SQLite format after `oldestFormat`. */
const upgrades: readonly Upgrade[] = [{ kind: 'placement', mark: '"attrited"', upgrade: upgradePlacement }];

/** The kinds of records that an upgrade may change. */
export const upgradedKinds: readonly string[] = [...new Set(upgrades.map(({ kind }) => kind))];

/** Returns a stored record as this release stores it. `bytes` is its size in the store if that is another one. */
export function upgradeStored(stored: StoredText): StoredText {
  const due = upgrades.filter(({ kind, mark }) => kind === stored.kind && stored.text.includes(mark));
  if (due.length === 0) return stored;
  let record = JSON.parse(stored.text) as StoredRecord;
  for (const { upgrade } of due) record = upgrade(record);
  const text = JSON.stringify(record);
  return text === stored.text ? stored : { ...stored, text, bytes: countBytes(stored.text) };
}

/** Returns a workspace as this release would have stored it. Its head counts the bytes of the upgraded records. */
export function upgradeWhole(whole: WholeWorkspace): WholeWorkspace {
  let { bytes } = whole.head;
  const records = whole.records.map((stored) => {
    const { bytes: storedBytes, ...upgraded } = upgradeStored(stored);
    if (storedBytes !== undefined) bytes += countBytes(upgraded.text) - storedBytes;
    return upgraded;
  });
  return { ...whole, head: { ...whole.head, bytes }, records };
}
