import { Refusal } from '../../kernel/refusal.ts';

/** A browser has no runner to keep a grade from the agent. */
function refuse(): never {
  throw new Refusal('not_live', { reason: 'Briefs run on the service alone, not in a browser.' });
}

export { refuse as gradeBrief, refuse as startBrief };
export const noSuchBrief = {
  status: 404,
  body: { type: 'EMPTY', message: 'There is no brief with this id.' },
};
