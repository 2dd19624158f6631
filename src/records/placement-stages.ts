import type { StoredRecord } from './record.ts';

/** A placement that is not accepted yet: it holds neither candidate nor opening, and has no outcome. */
const open = ['proposed', 'interviewing', 'offered'];

/** The stages that a placement has as asked; all but the last of them are open. */
export const stages = [...open, 'declined'] as const;

/** What a placement may be created as: as accepted, or as this. */
export const born = ['proposed'] as const;

/** Every move, and what may be sent with it. `scheduled` is to accept: from then on the status follows the dates. */
export const moves = [
  { from: ['proposed'], to: 'interviewing' },
  { from: ['proposed', 'interviewing'], to: 'offered' },
  { from: open, to: 'scheduled' },
  { from: open, to: 'declined', takes: ['declineReason'] },
  { from: ['scheduled', 'active'], to: 'ended-early', takes: ['endDate', 'endReason'] },
];

/** Open placements that a job order takes at most. */
export const mostProposals = 50;

type Pair = { candidateId: string; jobOrderId: string };

/** What a store counts the open placements of a job order by, and of a pair. */
export const toProposalsName = (jobOrderId: string) => `${jobOrderId}?`;
export const toPairName = ({ candidateId, jobOrderId }: Pair) => `${jobOrderId}?${candidateId}`;

export const isOpen = ({ asked }: StoredRecord) => asked !== undefined && open.includes(asked);
/** Whether it was accepted, so that it holds its candidate and an opening until it ends. */
export const isAccepted = ({ asked }: StoredRecord) => asked === undefined || asked === 'ended-early';
