import * as v from 'valibot';
import { jobOrder } from '../job-orders/job-order.ts';
import { defineOperation, type OperationRow } from '../kernel/operation.ts';
import { mayNamed, named, textSchema } from '../kernel/text.ts';
import { defineTokenRow } from '../kernel/token.ts';
import type { MatchContext } from '../matches/matcher.ts';
import { longestComment } from '../placements/client-words.ts';
import { createWriteRow } from '../records/operations.ts';
import { checkDecision, decideShortlist, decisionWords } from './decide.ts';
import { createShortlist } from './share.ts';
import { getShortlist, shortlistToken } from './shortlist.ts';

const decision = named(
  v.picklist(decisionWords, 'must be interview, decline, undo or comment'),
  'Decision',
  'interview or decline; undo takes that back; comment decides nothing.',
);

const ofToken = defineTokenRow(shortlistToken);

export const shortlistOperations: readonly OperationRow[] = [
  defineOperation({
    ...createWriteRow(jobOrder, '/shortlist'),
    operationId: 'createShortlist',
    method: 'POST',
    input: v.object({
      replace: mayNamed(
        v.boolean('must be true or false'),
        'Replace',
        'true voids the link without a reviewer that is out; else 409 pending.',
      ),
      reviewer: v.optional(textSchema(80, 'Reviewer', 'Whose link it is. Each has their own.')),
      anonymous: mayNamed(
        v.boolean('must be true or false'),
        'Anonymous',
        'true shows initials, and no title or employer.',
      ),
      revoke: mayNamed(v.boolean('must be true or false'), 'Revoke', 'true voids that link, and makes none.'),
    }),
    check: ({ revoke, ...rest }) =>
      (['replace', 'anonymous'] as const).flatMap((path) =>
        revoke && rest[path] ? [{ path, message: 'makes a link; leave it out with revoke' }] : [],
      ),
    run: createShortlist,
  }),
  defineOperation({
    ...ofToken,
    operationId: 'getShortlist',
    method: 'GET',
    caching: { canWait: () => true },
    run: (_, context: MatchContext) => getShortlist(context),
  }),
  defineOperation({
    ...ofToken,
    operationId: 'decideShortlist',
    method: 'POST',
    effect: 'update',
    input: v.object({
      placementId: textSchema(100, 'Placement', 'The id of one on the shortlist.'),
      decision,
      reason: v.optional(textSchema(200, 'Reason', 'Why; kept with the move. Not with undo.')),
      comment: v.optional(textSchema(longestComment, 'Comment', 'What to say, with comment.')),
      tag: v.optional(textSchema(100, 'Tag', 'That of the placement as you read it.')),
    }),
    check: checkDecision,
    run: decideShortlist,
  }),
];
