import type { StoredRecord } from '../workspace/record.ts';

/** The stages before acceptance. Such a placement holds neither candidate nor opening, and has no outcome. */
const openStages = ['proposed', 'interviewing', 'offered'];

/** The statuses that are stored, because they do not follow from other members. */
export const stages = ['proposed', 'interviewing', 'offered', 'declined'] as const;

/** The statuses of an accepted placement. They follow from its days. */
const acceptedStatuses = ['scheduled', 'active', 'completed', 'ended-early'] as const;

export const statusesOfAccepted: readonly string[] = acceptedStatuses;

export const statuses = [...acceptedStatuses, ...stages] as const;

/** All statuses in the order in which a placement can have them. */
export const statusesByTime: readonly string[] = [...openStages, ...acceptedStatuses, 'declined'];

/** A change can ask for either to end a placement. Which one results follows from its days. */
export const endStatuses: readonly string[] = ['ended-early', 'completed'];

/** Every move, and the members that it takes. `scheduled` accepts: from then on the status follows from the days. */
export const moves = [
  { from: ['proposed'], to: 'interviewing' },
  { from: ['proposed', 'interviewing'], to: 'offered' },
  { from: openStages, to: 'scheduled' },
  { from: openStages, to: 'declined', takes: ['declineReason'] },
  ...endStatuses.map((to) => ({ from: acceptedStatuses, to, takes: ['endDate', 'endReason'] })),
];

export const isOpen = ({ asked }: StoredRecord): boolean => asked !== undefined && openStages.includes(asked);

export const isAccepted = ({ asked }: StoredRecord): boolean => asked === undefined;
