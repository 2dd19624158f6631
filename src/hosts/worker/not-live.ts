import type { Context } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { requireRung } from '../../ladder/ladder.ts';

/** A browser has neither key nor passkeys, so each run of the ladder refuses with the reason. */
const refuseWork = ({ service }: Context) => requireRung(service, 'work');
const refuseClaim = ({ service }: Context) => requireRung(service, 'claim');
const refuseAnswer = (_: unknown, context: Context) => refuseClaim(context);

export {
  refuseAnswer as answerClaim,
  refuseAnswer as authorizeSpend,
  refuseAnswer as openAsOwner,
  refuseAnswer as signIn,
  refuseClaim as getSignIn,
  refuseClaim as listOwnedWorkspaces,
  refuseClaim as rotateWorkspace,
  refuseClaim as showClaim,
  refuseClaim as startClaim,
  refuseWork as getWork,
};
export const submitWork = (_: unknown, context: Context) => refuseWork(context);

/** A browser has no runner to keep a grade from the agent. */
function refuseBrief(): never {
  throw new Refusal('not_live', { reason: 'Briefs run on the service alone, not in a browser.' });
}

export { refuseBrief as gradeBrief, refuseBrief as startBrief };
