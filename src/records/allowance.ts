import type { MeteredDocument } from '../pricing/document.ts';
import { toMillionths } from '../pricing/meter-row.ts';
import type { WorkspaceHead } from './store.ts';
import { perCredit, toWorkspaceState } from './workspace-state.ts';

/** What a workspace may use of a month. */
interface Allowance {
  /** In millionths of a dollar: no metered call takes the month above it. */
  authorised: number;
  /** Calls of each create that are included beside those of the rate card. */
  included: number;
}

/**
 * What a workspace in this state may use of a month: as much as its owner authorised for that month, else the hard
 * ceiling; and what the credits that it earned in that month include.
 */
export function toAllowance(
  state: WorkspaceHead['state'],
  period: string,
  { hardCeiling }: Pick<MeteredDocument, 'hardCeiling'>,
): Allowance {
  const { authorised, work } = toWorkspaceState(state);
  return {
    authorised: toMillionths(authorised?.period === period ? authorised.ceiling : hardCeiling),
    included: work?.period === period ? work.earned * perCredit.included : 0,
  };
}
