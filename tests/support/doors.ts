import type { Client } from './http.ts';

export type Kind = 'candidate' | 'jobOrder' | 'placement';

/** Where records of a kind are. */
export const paths: Record<Kind, string> = {
  candidate: '/candidates',
  jobOrder: '/job-orders',
  placement: '/placements',
};

/** The member that a list of a kind is told in. */
export const collections: Record<Kind, string> = {
  candidate: 'candidates',
  jobOrder: 'jobOrders',
  placement: 'placements',
};
export const kinds = Object.keys(collections) as Kind[];

export const inside = (workspace: string | undefined): Record<string, string> =>
  workspace === undefined ? {} : { 'X-Workspace': workspace };

/** PATCH with this body. */
export const patch = (client: Client, path: string, body: unknown, headers: Record<string, string> = {}) =>
  client.request('PATCH', path, {
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'Content-Type': 'application/merge-patch+json', ...headers },
  });

export const remove = (client: Client, path: string, headers: Record<string, string> = {}) =>
  client.request('DELETE', path, { headers });
