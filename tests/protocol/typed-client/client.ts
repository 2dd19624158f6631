import createClient from 'openapi-fetch';
import type { components, paths } from './contract.ts';

type Candidate = components['schemas']['Candidate'];

/**
 * Creates and reads back, and narrows every envelope without a cast. It compiles only if the types of the
 * contract allow that.
 */
export async function tellStory(baseUrl: string) {
  const client = createClient<paths>({ baseUrl });

  const made = await client.POST('/candidates', { body: { name: 'Ada Example', onetCode: '15-1252.00' } });
  if (!made.data) throw new Error(JSON.stringify(made.error));
  const { candidate: created, workspace } = made.data;
  const got = await client.GET('/candidates/{id}', {
    params: { path: { id: created.id }, header: { 'X-Workspace': workspace } },
  });
  if (got.data?.type !== 'OK') throw new Error(JSON.stringify(got.error));
  const read: Candidate = got.data.candidate;

  const none = await client.GET('/candidates', { params: { query: { occupation: '00-0000.00' } } });
  if (none.data?.type !== 'EMPTY') throw new Error('something was found');
  const nothing: string = none.data.message;

  const wrong = await client.GET('/placements', { params: { query: { limit: 0 } } });
  if (wrong.error?.type !== 'BLOCKED') throw new Error('it was not refused');
  const refused = (wrong.error.issues ?? []).map(({ path }) => path);

  const beyond = await client.GET('/placements', { params: { query: { spend: 1e6 } } });
  if (beyond.error?.type !== 'OFFER') throw new Error('no offer was made');
  return { created, read, nothing, refused, offered: beyond.error.title };
}

/** Calls that the types must refuse. Never run. */
export async function mistake(baseUrl: string): Promise<void> {
  const client = createClient<paths>({ baseUrl });
  // @ts-expect-error: onetCode is missing
  await client.POST('/candidates', { body: { name: 'Ada Example' } });
  // @ts-expect-error: no such address
  await client.GET('/candidate');
  // @ts-expect-error: a limit is a number
  await client.GET('/candidates', { params: { query: { limit: '3' } } });
  const { data } = await client.GET('/candidates');
  // @ts-expect-error: an EMPTY has no candidates
  data?.candidates;
}
