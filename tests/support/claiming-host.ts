import * as assert from 'uvu/assert';
import { makeAuthenticator } from './authenticator.ts';
import { type Client, connect, type Reply } from './http.ts';
import { type OpenedHost, openServer } from './open-host.ts';
import { findPort } from './server.ts';

const quiet = { LOG: 'off', RATE_LIMIT: 'off', METER: 'count', TRUST_PROXY: '1', METRICS: 'on' };
export const onetCode = '15-1252.00';
export const candidate = { name: 'Ann Sample', onetCode };

/**
 * A host behind a proxy, with claims. Passkeys belong to its origin, which must be known before it starts.
 */
export async function startWithClaims(
  env: Record<string, string>,
): Promise<{ host: OpenedHost; client: Client }> {
  const port = await findPort();
  const host = await openServer({
    ...quiet,
    PORT: String(port),
    BASE_URL: `http://localhost:${port}`,
    ...env,
  });
  return { host, client: await connect(host.origin) };
}

let addresses = 0;
/** Returns the headers of a caller at its own address. */
export function makeCaller(): Record<string, string> {
  addresses += 1;
  return { 'X-Forwarded-For': `203.0.${113 + (addresses >> 7)}.${addresses & 127}` };
}

let keys = 0;
export function makeKey(): Record<string, string> {
  keys += 1;
  return { 'Idempotency-Key': `a-key-of-its-own-${keys}` };
}

/** Makes a workspace. Returns its id, and the headers of a caller in it. */
export async function mint(client: Client, caller = makeCaller()) {
  const { status, body } = await client.post('/candidates', candidate, caller);
  assert.is(status, 201);
  return {
    id: body.workspace as string,
    first: body.candidate,
    inside: { ...caller, 'X-Workspace': body.workspace },
  };
}

/** Claims a workspace with a passkey from an address, and returns the reply. */
export async function claim(
  client: Client,
  host: OpenedHost,
  id: string,
  caller: Record<string, string>,
  authenticator = makeAuthenticator(host.origin),
) {
  const started = await client.post('/workspace/claim', undefined, { ...makeCaller(), 'X-Workspace': id });
  assert.is(started.status, 201, started.text);
  const token = { 'X-Claim': started.body.claim.url.split('#')[1], ...caller };
  const { options } = (await client.get('/claim', token)).body;
  return client.post('/claim', { credential: authenticator.make(options.create.challenge) }, token);
}

export const toOwner = ({ body }: Reply, caller: Record<string, string>) => ({
  ...caller,
  Authorization: `Bearer ${body.owner.bearer}`,
  'X-Workspace': body.workspace as string,
});

/** Sends changes until one is refused, and returns that one. */
export async function untilRefused(change: () => Promise<Reply>, most = 400): Promise<Reply> {
  for (let count = 0; count < most; count += 1) {
    const answer = await change();
    if (answer.status >= 400) return answer;
  }
  return assert.unreachable(`none of ${most} was refused`) as never;
}

/** Makes a placement whose outcome a client may confirm, and the token to do so. */
export async function makeConfirmable(client: Client) {
  const { first, inside } = await mint(client);
  const post = async (path: string, body: object) =>
    (await client.post(path, body, { ...inside, ...makeCaller() })).body;
  const { jobOrder } = await post('/job-orders', { client: 'Example', title: 'Developer', onetCode });
  const pair = { candidateId: first.id, jobOrderId: jobOrder.id, onetCode };
  const startDate = new Date(Date.now() - 864_000_000).toISOString().slice(0, 10);
  const { placement } = await post('/placements', { ...pair, startDate });
  const { self } = placement.links;
  await post(`${self}/outcome`, { result: 'retained' });
  const { token } = (await post(`${self}/confirmations`, { party: 'client' })).confirmation;
  return { self, inside, token: token as string, jobOrder, post };
}

export async function confirm(client: Client, token: string, caller: Record<string, string>): Promise<Reply> {
  const headers = { ...caller, 'X-Confirmation': token };
  const { tag } = (await client.get('/confirmation', headers)).body;
  return client.post('/confirmation', { agrees: true, tag }, { ...headers, ...makeKey() });
}
