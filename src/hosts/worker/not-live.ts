import { Refusal } from '../../kernel/refusal.ts';
import type { LadderContext } from '../../ladder/ladder.ts';
import { requireRung } from '../../ladder/ladder.ts';

/** A browser has neither a key nor passkeys, so each rung of the ladder refuses with the reason. */
const refuseWork = ({ service }: LadderContext) => requireRung(service, 'work');
const refuseClaim = ({ service }: LadderContext) => requireRung(service, 'claim');
const refuseAnswer = (_: unknown, context: LadderContext) => refuseClaim(context);

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
export const submitWork = (_: unknown, context: LadderContext) => refuseWork(context);

/** A browser has no runner that could keep a grade from the agent. */
function refuseBrief(): never {
  throw new Refusal('not_live', { reason: 'Briefs run on the service alone, not in a browser.' });
}

export { refuseBrief as gradeBrief, refuseBrief as startBrief };

/** A browser has no workspace of a brief, so it has no people who react. */
const reactToNothing = () => undefined;

export { reactToNothing as reactToChange };
