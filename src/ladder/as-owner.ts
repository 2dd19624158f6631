import type { Context, Outcome } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { toPeriod } from '../pricing/meter.ts';
import { toCheck } from '../records/charge.ts';
import { toUsage } from '../records/usage.ts';
import { mintWorkspaceId, toWorkspaceHash } from '../records/workspace.ts';
import { write } from '../records/write.ts';

/** Refuses what only the owner of a workspace may do to whoever opened it otherwise. */
function refuseOthers({ workspace }: Context): void {
  if (workspace!.by !== 'owner') throw new Refusal('owner_only');
}

/**
 * Gives a workspace another id. The one before is unknown at once, everywhere, and with it the replies that were kept
 * under its keys: whoever sends such a request again makes it anew.
 */
export async function rotateWorkspace(context: Context): Promise<Outcome> {
  refuseOthers(context);
  const { service } = context;
  const id = mintWorkspaceId(service);
  const rename = await toWorkspaceHash(service, id);
  return write(
    {
      needs: [],
      decide: () => ({
        writing: { rename },
        outcome: { status: 200, body: { type: 'OK', workspace: null } },
      }),
      fill: (outcome) => ({ ...outcome, body: { ...(outcome.body as object), workspace: id } }),
    },
    { ...context, options: { ...context.options, key: undefined } },
  );
}

/** Authorises a ceiling for the rest of the month, at least what is used. */
export async function authorizeSpend(ceiling: number, context: Context): Promise<Outcome> {
  refuseOthers(context);
  const { service } = context;
  return write(
    {
      needs: [],
      decide({ now, head }) {
        const { total } = toUsage(service, head, now);
        if (ceiling < total) {
          const message = `must be at least ${total}, which is used already`;
          throw new Refusal('invalid_request', { issues: [{ path: 'ceiling', message }] });
        }
        const state = { ...head!.state, authorised: { period: toPeriod(now), ceiling } };
        const after = { ...head!, state };
        const outcome = { status: 200, body: { type: 'OK', usage: toUsage(service, after, now) } };
        return { writing: { state }, outcome, charge: toCheck(service, after, now) };
      },
    },
    context,
  );
}
