import type { NamedPlacement } from '../state/model.ts';

/** What a person decided on a placement. */
export interface Decision {
  placement: NamedPlacement;
  to: 'scheduled' | 'interviewing' | 'declined';
  /** The start that the placement gets, if it has none. */
  startDate?: string | undefined;
  /** Whether the person has seen what speaks against it. Otherwise the service refuses it for that. */
  isForced?: boolean;
}

/** The decisions that are not sent yet, and why others were refused, by the id of the placement. */
export interface HeldDecisions {
  decisions: ReadonlyMap<string, Decision>;
  isSending: boolean;
  refusals: ReadonlyMap<string, readonly string[]>;
}

export const noDecisions: HeldDecisions = { decisions: new Map(), isSending: false, refusals: new Map() };
