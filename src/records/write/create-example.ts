import { toIsoDate } from '../../kernel/text.ts';
import type { StoredRecord } from '../../workspace/record.ts';
import { View } from '../../workspace/view.ts';
import { presentRetention } from '../account/workspace-state.ts';
import type { Kind } from '../kind/kind.ts';
import type { PresentedRecord } from '../kind/record.ts';
import { presentRecord } from '../read/view.ts';
import type { RecordService } from '../service.ts';

const isStoredStatus = ({ lifecycle }: Kind, status: unknown): status is string =>
  lifecycle.stored.some((stored) => stored === status);

/** Returns an example of the reply to a create of `sample`. Its ids and times are made up. */
export function buildCreateExample(
  kind: Kind,
  { status, ...sample }: Record<string, unknown>,
  service: RecordService,
): Record<string, unknown> {
  const now = Date.parse(`${service.catalogue.seed.asOf}T00:00:00Z`);
  const heldStatus = isStoredStatus(kind, status) ? { asked: status } : {};
  const id = `${kind.prefix}0000000000000000`;
  const fact = { id, ...sample, createdAt: now, ...heldStatus } as StoredRecord;
  const row = presentRecord(kind, fact, new View(service.seed.workspace), toIsoDate(now));
  const members = presentRetention({ now, head: undefined }, service);
  return { type: 'OK', [kind.name]: row, ...members, workspace: `ws_${'0'.repeat(39)}` };
}

/** Returns the sample record of a kind as it reads after the sample of a change. */
export function buildChangeExample(kind: Kind, service: RecordService): object {
  const { reason, ...members } = kind.changeSample;
  const [before, after] = [kind.sample, { ...kind.sample, ...members }].map(
    (sample) => buildCreateExample(kind, sample, service)[kind.name] as PresentedRecord,
  );
  if (before!.status === after!.status) return { ...after, revision: 2 };
  const move = {
    at: after!.createdAt,
    from: before!.status,
    to: after!.status,
    ...(reason !== undefined && { reason }),
  };
  return { ...after, revision: 2, transitions: [move] };
}
