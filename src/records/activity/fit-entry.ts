import { countJsonBytes } from '../../kernel/json.ts';
import { type MemberChange, mostBytesOfEntry, mostChangesOfEntry } from '../../workspace/activity.ts';
import type { NewActivity } from '../../workspace/change.ts';

/** The most bytes of the revision, the time, and the number of changes that are left out, as JSON. */
const bytesOfPlace = 100;

/** Cuts the records of an entry to those that fit, and counts the others. */
function fitRecords({ records, more = 0, ...rest }: NewActivity): NewActivity {
  let kept = records.length;
  const cut = (): NewActivity => {
    const left = more + records.length - kept;
    return { ...rest, records: records.slice(0, kept), ...(left > 0 && { more: left }) };
  };
  while (kept > 0 && bytesOfPlace + countJsonBytes(cut()) > mostBytesOfEntry) kept -= 1;
  return cut();
}

/**
 * Returns an entry as it is stored. Changes without room for their values are told without them, and what has no room at
 * all is counted.
 */
export function fitEntry({ changes = [], ...whole }: NewActivity): NewActivity {
  // The entry of one new record is small.
  if (changes.length === 0 && whole.records.length <= 1) return whole;
  const entry = fitRecords(whole);
  let room = mostBytesOfEntry - bytesOfPlace - countJsonBytes(entry);
  const kept: MemberChange[] = [];
  for (const change of changes.slice(0, mostChangesOfEntry)) {
    const { id, member } = change;
    const told = [change, { id, member }].find((one) => countJsonBytes(one) < room);
    if (!told) continue;
    room -= countJsonBytes(told) + 1;
    kept.push(told);
  }
  const moreChanges = changes.length - kept.length;
  return {
    ...entry,
    ...(kept.length > 0 && { changes: kept }),
    ...(moreChanges > 0 && { moreChanges }),
  };
}
