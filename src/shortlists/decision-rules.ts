/** The decisions on a placement, and the status that each gives it. */
export const decisions = { interview: 'interviewing', decline: 'declined' } as const;
export type ShortlistDecision = keyof typeof decisions;
export const decisionNames = Object.keys(decisions) as ShortlistDecision[];

/** How many minutes a decision can be undone. */
export const undoMinutes = 10;

/** How many comments there may be on one placement, and how many through one link. */
export const mostComments = { placement: 20, link: 50 };
