import { defineRefusals } from '../kernel/refusal.ts';
import { undoMinutes } from './decision-rules.ts';

export const shortlistRefusals = defineRefusals({
  401: {
    unknown_shortlist:
      'No such shortlist: it never existed, was replaced, or has expired. Ask the sender for a new link.',
  },
  409: {
    nothing_proposed:
      'Nobody is proposed for it, so there is nothing to share. Propose somebody first: status "proposed".',
    pending: 'A link to this shortlist is out already. Send "replace": true to void it and get another.',
    already_decided:
      'This is already decided differently. If the row has undoableUntil, send "decision": "undo" first. Otherwise the first decision counts.',
    undo_expired: `This was decided more than ${undoMinutes} minutes ago, so it cannot be undone here. Ask the sender of the link to change it.`,
    undo_overtaken:
      'The placement, its candidate or its order changed after this decision, so it cannot be undone here. Ask the sender of the link to change it.',
    order_closed: 'It is closed, so nothing more is decided on it.',
  },
});
