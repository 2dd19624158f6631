import deskUrl from '../../../content/live-desk.json?url';
import { type ApiAnswer, ApiError, callApi, isLive } from './api-client.ts';
import { fillDates } from './desk-dates.ts';
import { findVisitor } from './visitor.ts';
import { rememberWorkspace } from './workspace-store.ts';

/** A change of the example, and who asks for it. The changes in it say why, and from which day each counts. */
interface PastChange {
  actor: string;
  batch: object;
}

/** What is done after the records were created. Orders and placements are named by their refs. */
interface NextSteps {
  /** Who shares the proposals of an order with its client. */
  sharer: string;
  shortlist: string;
  /** The placement that the client declines by the link, and why. */
  declined: { placement: string; reason: string };
  /** Who states that placements were retained. The client is asked to confirm it. */
  stater: string;
  retained: string[];
  /** The one of them with which the client agrees, so that it is validated. */
  agreed: string;
}

interface ExampleDesk {
  past: PastChange[];
  then: NextSteps;
}

/** The Idempotency-Keys of the changes until all were answered, so that a second try after a lost reply makes none twice. */
let key: string | undefined;

/** Sends a request. Throws an ApiError unless it gets 2xx. */
async function send(
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: object,
): Promise<ApiAnswer['body']> {
  const answer = await callApi(method, path, { headers: { 'X-Actor': findVisitor(), ...headers }, body });
  if (answer.status >= 300) throw new ApiError(answer.status, answer.body);
  return answer.body;
}

/** Reads the example, with its dates relative to today. Throws an ApiError if nothing answers. */
async function readDesk(): Promise<ExampleDesk> {
  const response = await fetch(deskUrl).catch(() => undefined);
  if (!response?.ok) throw new ApiError(0);
  return JSON.parse(fillDates(await response.text()));
}

const nameActor = (actor: string) => ({ 'X-Actor': encodeURIComponent(actor) });

/** Makes the changes of the past, one call each. The first makes the workspace. Returns its id. */
async function makePast(past: readonly PastChange[]): Promise<string> {
  key ??= crypto.getRandomValues(new Uint32Array(4)).join('-');
  let id: string | undefined;
  for (const [index, { actor, batch }] of past.entries()) {
    const where = id && { 'X-Workspace': id };
    const named = { ...nameActor(actor), 'Idempotency-Key': `${key}-${index}`, Prefer: 'return=minimal' };
    const { workspace, retention } = await send('POST', '/batch', { ...named, ...where }, batch);
    if (id === undefined) await rememberWorkspace(workspace, retention.expiresAt);
    id ??= workspace as string;
  }
  key = undefined;
  return id!;
}

/** Declines a person as the client does who opens the link of a shortlist. */
async function declineByLink(token: string, id: string, reason: string): Promise<void> {
  const headers = { 'X-Shortlist': token };
  const { shortlist } = await send('GET', '/shortlist', headers);
  const { tag } = shortlist.placements.find((row: { id: string }) => row.id === id);
  await send('POST', '/shortlist', headers, { placementId: id, decision: 'decline', reason, tag });
}

/** Agrees as the client does who opens the link of a confirmation. */
async function agree(token: string): Promise<void> {
  const headers = { 'X-Confirmation': token };
  const { tag } = await send('GET', '/confirmation', headers);
  await send('POST', '/confirmation', headers, { agrees: true, tag });
}

/** Returns the address of a record by its ref. */
const addressOf = (path: string, ref: string) => `${path}/${encodeURIComponent(`#${ref}`)}`;

/**
 * Fills a new workspace with synthetic people, orders and placements in every stage, shares a shortlist and states
 * outcomes, and remembers the workspace in this browser. Calls `report` with what it does next. Returns the id of the
 * workspace. Throws an ApiError if a call is refused, with status 0 if nothing answers.
 */
export async function createLiveDesk(report: (words: string) => void): Promise<string> {
  report('Reading the example …');
  const { past, then: next } = await readDesk();
  if (!(await isLive())) throw new ApiError(0);
  report('Creating people, orders and placements …');
  const workspace = await makePast(past);
  const mine = { 'X-Workspace': workspace };
  report('Sharing a shortlist …');
  const sharing = { ...mine, ...nameActor(next.sharer) };
  const { shortlist } = await send(
    'POST',
    `${addressOf('/job-orders', next.shortlist)}/shortlist`,
    sharing,
    {},
  );
  const { placement } = await send('GET', addressOf('/placements', next.declined.placement), mine);
  await declineByLink(shortlist.token, placement.id, next.declined.reason);
  report('Stating outcomes …');
  const stating = { ...mine, ...nameActor(next.stater) };
  for (const ref of next.retained) {
    const path = addressOf('/placements', ref);
    await send('POST', `${path}/outcome`, stating, { result: 'retained' });
    const { confirmation } = await send('POST', `${path}/confirmations`, stating, { party: 'client' });
    if (ref === next.agreed) await agree(confirmation.token);
  }
  return workspace;
}
