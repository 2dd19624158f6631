import type { Client } from './http.ts';

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

export const patch = (client: Client, path: string, body: unknown, headers?: Record<string, string>) =>
  client.ask('PATCH', path, body, headers);

export const remove = (client: Client, path: string, headers?: Record<string, string>) =>
  client.ask('DELETE', path, undefined, headers);
