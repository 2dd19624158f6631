import type { OperationReply } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { requireSigner } from '../kernel/signer.ts';
import { toIsoDate } from '../kernel/text.ts';
import type { Context } from '../records/service.ts';
import { replyNoRecord } from '../records/write/change.ts';
import { placement } from './placement.ts';
import type { PlacementRecord } from './placement-record.ts';
import { presentReceipt } from './present-receipt.ts';
import { explainNoOutcome } from './state-outcome.ts';
import { readClosingTime, readValidateBy } from './status.ts';

const replyEmpty = (message: string, id: string): OperationReply => ({
  status: 404,
  body: { type: 'EMPTY', message, links: { placement: `${placement.path}/${id}` } },
});

/** Says what would validate an outcome, or why nothing can any more. */
function explainUnvalidated(fact: PlacementRecord, { platform }: Context['service']): string {
  const now = platform.now();
  const validateBy = readValidateBy(fact);
  if (validateBy === null) return explainNoOutcome(fact, toIsoDate(now)) ?? '';
  if (now >= readClosingTime(fact))
    return `Nothing was by the end of ${validateBy} (UTC), and nothing can be now.`;
  return `A party has to agree with what is stated by the end of ${validateBy} (UTC).`;
}

export function getReceipt(id: string, context: Context): OperationReply {
  const { service, workspace } = context;
  if (service.seed.byId.get(id)?.kind === placement) {
    return replyEmpty(
      'This placement is synthetic, and so is its outcome: it was validated by nobody, and has no receipt.',
      id,
    );
  }
  const entry = workspace?.contents.find(placement.name, id);
  if (!entry) return replyNoRecord(placement, id, context);
  const fact = entry.record as PlacementRecord;
  const { validated } = fact.evidence ?? {};
  if (validated?.receipt !== undefined) {
    return { status: 200, body: { type: 'OK', ...presentReceipt(validated.receipt) } };
  }
  requireSigner(service);
  if (validated) {
    throw new Refusal('not_live', {
      reason: 'The outcome was validated while nothing was signed here, so that it has no receipt.',
    });
  }
  return replyEmpty(
    `The outcome is not validated, so that there is no receipt. ${explainUnvalidated(fact, service)}`,
    id,
  );
}
