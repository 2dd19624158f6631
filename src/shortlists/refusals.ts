import { mostReviewers } from '../job-orders/shortlist-links.ts';
import { defineRefusals } from '../kernel/refusal.ts';
import { mostComments, undoMinutes } from './decision-rules.ts';

export const shortlistRefusals = defineRefusals({
  401: {
    unknown_shortlist:
      'No such shortlist: it never existed, was replaced or revoked, or has expired. Ask the sender for a new link.',
  },
  409: {
    nothing_proposed:
      'Nobody is proposed for it, so there is nothing to share. Propose somebody first: status "proposed".',
    pending:
      'The link without a reviewer is out already. Send "replace": true to void it and get another, or "reviewer" for one more.',
    too_many_reviewers: `At most ${mostReviewers} reviewers have a link at once. Revoke one first: send its "reviewer" with "revoke": true.`,
    no_such_link: 'There is no such link. GET the job order lists those that are out.',
    already_decided:
      'This is already decided differently. If the row has undoableUntil, send "decision": "undo" first. Otherwise the first decision counts.',
    undo_expired: `This was decided more than ${undoMinutes} minutes ago, so it cannot be undone here. Ask the sender of the link to change it.`,
    undo_overtaken:
      'The placement, its candidate or its order changed after this decision, so it cannot be undone here. Ask the sender of the link to change it.',
    too_many_comments: `There is no room for another comment: at most ${mostComments.placement} on a person, and ${mostComments.link} of a link. Tell the sender of the link.`,
    order_closed: 'It is closed, so nothing more is decided on it.',
  },
});
