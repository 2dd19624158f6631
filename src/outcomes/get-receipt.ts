import type { Context, Outcome } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { toSigner } from '../kernel/signer.ts';
import { toNoRecord } from '../records/on-record.ts';
import { placement } from '../records/placement.ts';
import { type Judged, toValidateBy } from '../records/placement-outcome.ts';

const empty = (message: string, id: string): Outcome => ({
  status: 404,
  body: { type: 'EMPTY', message, links: { placement: `${placement.path}/${id}` } },
});

/** Answers the receipt of a validated outcome. */
export async function getReceipt(id: string, { service, workspace }: Context): Promise<Outcome> {
  if (service.seed.byId.get(id)?.kind === placement) {
    return empty(
      'This placement is synthetic, and so is its outcome: it was validated by nobody, and has no receipt.',
      id,
    );
  }
  const [found] = workspace ? await service.store.find(workspace.key, [id]) : [];
  const record = found?.record;
  if (record?.kind !== placement.name || record.fact.id !== id) return toNoRecord(placement);
  const fact = record.fact as Judged;
  const { validated } = fact.evidence ?? {};
  if (validated?.receipt !== undefined) {
    return { status: 200, body: { type: 'OK', receipt: validated.receipt } };
  }
  const signer = toSigner(service);
  if ('reason' in signer) throw new Refusal('not_live', { reason: signer.reason });
  if (validated) {
    throw new Refusal('not_live', {
      reason: 'The outcome was validated while nothing was signed here, so that it has no receipt.',
    });
  }
  const validateBy = toValidateBy(fact);
  return empty(
    `The outcome is not validated, so that there is no receipt. ${validateBy === null ? 'Without startDate it cannot be.' : `A party has to agree with what is stated by the end of ${validateBy} (UTC).`}`,
    id,
  );
}
