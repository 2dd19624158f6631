import { generateKeyPairSync } from 'node:crypto';
import { createSigner } from '../../hosts/node/keys.ts';
import { readReceipt } from '../../placements/read-receipt.ts';
import type { ReceiptClaims } from '../../placements/sign-receipt.ts';
import { createService, type Service } from '../../service.ts';
import type { ShortlistRow } from '../../shortlists/shortlist.ts';
import { SqliteStore } from '../../stores/sqlite.ts';
import { fillDates } from '../_scripts/desk-dates.ts';
import { dayFromNow } from '../_scripts/format.ts';
import { type CoreReply, type CoreRequest, createAsk, service } from './ask.ts';
import { exampleDesk } from './example-desk.ts';

/** The origin that the example receipt names. It is reserved for examples (RFC 2606). */
const issuer = 'https://careers.example';

/** The day on which the example takes place. A fixed day gives every build of a release the same page. */
const today = service.catalogue.service.release;

/** The order of the example, and the people who do such work. */
const order = exampleDesk.jobOrders[0]!;
const candidates = exampleDesk.candidates.filter(({ onetCode }) => onetCode === order.onetCode);

/** Creates a service with its own store and key, whose clock stands still on the day of the example. */
async function createExampleService(): Promise<Service> {
  const { privateKey } = generateKeyPairSync('ed25519');
  return createService({
    ...service,
    signer: await createSigner([privateKey]),
    store: new SqliteStore(':memory:'),
    settings: { ...service.settings, baseUrl: issuer },
    platform: { ...service.platform, now: () => Date.parse(`${today}T09:00:00Z`) },
  });
}

type Send = (method: CoreRequest['method'], target: string, body?: object) => Promise<CoreReply['body']>;

/** Returns a function that sends requests with these headers. It throws unless the reply has content. */
const createSend =
  (ask: ReturnType<typeof createAsk>, headers: Record<string, string> = {}): Send =>
  async (method, target, body) => {
    const reply = await ask({ method, target, headers, body });
    if (reply.status < 300) return reply.body;
    throw new Error(`${method} ${target} answered ${reply.status}: ${JSON.stringify(reply.body)}`);
  };

/** Calls a tool over MCP. Returns its structured content. */
async function callTool(send: Send, name: string, args: object) {
  const params = { name, arguments: args };
  return (await send('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params })).result
    .structuredContent;
}

/** Finds who fits the order and proposes the best, as an agent does. Returns its calls, and the id of the placement. */
async function propose(send: Send, workspace: string) {
  const question = { id: `#${order.ref}`, limit: 1 };
  const { matches, total } = await callTool(send, 'matchCandidates', { ...question, workspace });
  const [{ candidate, score, meets }] = matches;
  const proposal = {
    candidateId: `#${candidate.ref}`,
    jobOrderId: `#${order.ref}`,
    onetCode: order.onetCode,
    status: 'proposed',
  };
  const { placement } = await callTool(send, 'createPlacement', { ...proposal, workspace });
  const { candidateName, client, status } = placement;
  return {
    id: placement.id as string,
    calls: [
      { tool: 'matchCandidates', args: question, result: { total, name: candidate.name, score, meets } },
      { tool: 'createPlacement', args: proposal, result: { candidateName, client, status } },
    ],
  };
}

/** Has the client confirm that the person was still there near the end of the guarantee. Returns the receipt. */
async function confirmOutcome(ask: ReturnType<typeof createAsk>, send: Send, id: string) {
  await send('PATCH', `/placements/${id}`, { status: 'scheduled', startDate: dayFromNow(-90, today) });
  await send('POST', `/placements/${id}/outcome`, { result: 'retained' });
  const { confirmation } = await send('POST', `/placements/${id}/confirmations`, { party: 'client' });
  const answer = createSend(ask, { 'x-confirmation': confirmation.token });
  const { tag } = await answer('GET', '/confirmation');
  await answer('POST', '/confirmation', { agrees: true, tag });
  return (await send('GET', `/placements/${id}/receipt`)).receipt as string;
}

/** Checks the receipt as the page of receipts does. Returns what it says. */
async function readExample(receipt: string, keys: object): Promise<ReceiptClaims> {
  const read = await readReceipt(receipt, keys, { issuer });
  if (read.holds) return read.claims;
  throw new Error(`The example receipt does not hold: ${read.reason}`);
}

/**
 * Lets an agent propose a person, reads the shortlist as the client does, and has the outcome confirmed, all by calls to
 * the core. Returns what the home page shows of it.
 */
export async function runLoop() {
  const example = await createExampleService();
  const ask = createAsk(example);
  const records = JSON.parse(fillDates(JSON.stringify({ candidates, jobOrders: [order] }), today));
  const { workspace, jobOrders } = await createSend(ask)('POST', '/batch', records);
  const send = createSend(ask, { 'x-workspace': workspace });
  const { id, calls } = await propose(send, workspace);
  const { shortlist } = await send('POST', `/job-orders/${jobOrders[0].id}/shortlist`, {});
  const shown = await createSend(ask, { 'x-shortlist': shortlist.token })('GET', '/shortlist');
  const receipt = await confirmOutcome(ask, send, id);
  return {
    calls,
    order: shown.shortlist.jobOrder as typeof order,
    row: shown.shortlist.placements[0] as ShortlistRow,
    claims: await readExample(receipt, await send('GET', '/.well-known/jwks.json')),
  };
}
