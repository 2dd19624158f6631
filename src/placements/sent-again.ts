import type { PlacementRecord } from './placement-record.ts';
import { isAccepted, statusesOfAccepted } from './stages.ts';

type Members = Readonly<Record<string, unknown>>;

/**
 * Returns the changes by which a known placement becomes as a page of an export has it. An end can be recorded only after the
 * placement is accepted, and a planned end can be changed only while there is no end.
 */
export function listPatchesOfEnd({
  record,
  patch,
  sent,
}: {
  record: PlacementRecord;
  patch: Members;
  sent: Members;
}): Members[] {
  const { endDate, endReason, declineReason, ...rest } = patch;
  const isOpenAfter = patch.status !== undefined && patch.status !== 'scheduled';
  if (isOpenAfter || (!isAccepted(record) && patch.status === undefined)) {
    const isDeclined = (patch.status ?? record.asked) === 'declined';
    return [{ ...rest, ...(isDeclined && declineReason !== undefined && { declineReason }) }];
  }
  const hasEnd = record.endDate !== undefined;
  const isWithoutEnd = sent.endDate === undefined && statusesOfAccepted.includes(sent.status as string);
  if (hasEnd && isWithoutEnd) return [{ ...rest, endDate: null }];
  if (hasEnd && patch.plannedEndDate !== undefined)
    return [
      { ...rest, endDate: null },
      { endDate: sent.endDate, endReason: sent.endReason },
    ];
  const end = {
    ...(endDate !== undefined && { endDate }),
    ...(endReason !== undefined && { endReason }),
  };
  return [rest, end];
}
