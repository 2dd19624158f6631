import type { Body } from './http.ts';
import { pluck } from './rows.ts';
import { toBody } from './sandbox.ts';
import type { World } from './world.ts';

/** The address of the activity of a workspace. */
export const address = '/workspace/activity';

export type Service = Pick<World, 'ask' | 'tool'>;

/** Makes a workspace with one candidate, and calls on it. */
export async function mint({ ask, tool }: Service, headers: object = {}) {
  const { body } = await ask('POST', '/candidates', toBody.candidate({ name: 'Ann Sample' }), headers);
  const workspace = body.workspace as string;
  const mine = { 'x-workspace': workspace };
  const path = `/candidates/${body.candidate.id}`;
  return {
    id: body.candidate.id as string,
    path,
    workspace,
    mine,
    patch: (sent: object, more: object = {}) => ask('PATCH', path, sent, { ...mine, ...more }),
    post: (to: string, sent: object) => ask('POST', to, sent, mine),
    read: (query = '') => ask('GET', address + query, undefined, mine),
    readByTool: async (given: object = {}) =>
      (await tool('getActivity', { workspace, ...given })).structuredContent,
    newest: async () => (await ask('GET', address, undefined, mine)).body.activity[0] as Body,
  };
}

/** Returns the revisions of a page, in order. */
export const toRevisions = (body: Body): number[] => pluck(body.activity ?? [], 'revision');
