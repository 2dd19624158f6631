export type Kind = 'candidate' | 'jobOrder' | 'placement';

/** The address of the records of a kind. */
export const paths: Record<Kind, string> = {
  candidate: '/candidates',
  jobOrder: '/job-orders',
  placement: '/placements',
};

/** The member of a list that holds the rows of a kind. */
export const collections: Record<Kind, string> = {
  candidate: 'candidates',
  jobOrder: 'jobOrders',
  placement: 'placements',
};
export const kinds = Object.keys(collections) as Kind[];

export const inside = (workspace: string | undefined): Record<string, string> =>
  workspace === undefined ? {} : { 'X-Workspace': workspace };
