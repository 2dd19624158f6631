import deskUrl from '../../../content/live-desk.json?url';
import { type ApiAnswer, ApiError, callApi, isLive } from './api-client.ts';
import { fillDates } from './desk-dates.ts';
import { rememberWorkspace } from './workspace-store.ts';

/** A row of a reply of which only its id, ref and status were asked for. */
interface ShortRow {
  id: string;
  ref?: string;
}

/** What is done after the records were created. Orders and placements are named by their refs. */
interface NextSteps {
  /** The order whose proposals are shared with its client. */
  shortlist: string;
  /** Placements whose outcome is stated as retained. The client is asked to confirm it. */
  retained: string[];
  /** The one of them with which the client agrees, so that it is validated. */
  agreed: string;
}

/** The Idempotency-Key of the batch until it was answered, so that a second try after a lost reply makes no second one. */
let batchKey: string | undefined;

/** Sends a request. Throws an ApiError unless it gets 2xx. */
async function send(
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: object,
): Promise<ApiAnswer['body']> {
  const answer = await callApi(method, path, { headers, body });
  if (answer.status >= 300) throw new ApiError(answer.status, answer.body);
  return answer.body;
}

/** Reads the records of a desk, with their dates relative to today. Throws an ApiError if nothing answers. */
async function readDesk(): Promise<{ records: object; next: NextSteps }> {
  const response = await fetch(deskUrl).catch(() => undefined);
  if (!response?.ok) throw new ApiError(0);
  const { then: next, ...records } = JSON.parse(fillDates(await response.text()));
  return { records, next };
}

/** Creates all records in one call. Returns the new workspace, and the id of each record that has a ref. */
async function createRecords(records: object) {
  batchKey ??= crypto.getRandomValues(new Uint32Array(4)).join('-');
  const headers = { 'Idempotency-Key': batchKey, Prefer: 'return=minimal' };
  const { workspace, retention, jobOrders, placements } = await send('POST', '/batch', headers, records);
  batchKey = undefined;
  await rememberWorkspace(workspace, retention.expiresAt);
  const rows: ShortRow[] = [...jobOrders, ...placements];
  return { workspace: workspace as string, ids: new Map(rows.map(({ ref, id }) => [ref, id])) };
}

/** Agrees as the client does who opens the link of a confirmation. */
async function agree(token: string): Promise<void> {
  const headers = { 'X-Confirmation': token };
  const { tag } = await send('GET', '/confirmation', headers);
  await send('POST', '/confirmation', headers, { agrees: true, tag });
}

/**
 * Fills a new workspace with synthetic people, orders and placements in every stage, shares a shortlist and states
 * outcomes, and remembers the workspace in this browser. Calls `report` with what it does next. Returns the id of the
 * workspace. Throws an ApiError if a call is refused, with status 0 if nothing answers.
 */
export async function createLiveDesk(report: (words: string) => void): Promise<string> {
  report('Reading the example …');
  const { records, next } = await readDesk();
  if (!(await isLive())) throw new ApiError(0);
  report('Creating people, orders and placements …');
  const { workspace, ids } = await createRecords(records);
  const headers = { 'X-Workspace': workspace };
  report('Sharing a shortlist …');
  await send('POST', `/job-orders/${ids.get(next.shortlist)}/shortlist`, headers, {});
  report('Stating outcomes …');
  for (const ref of next.retained) {
    const path = `/placements/${ids.get(ref)}`;
    await send('POST', `${path}/outcome`, headers, { result: 'retained' });
    const { confirmation } = await send('POST', `${path}/confirmations`, headers, { party: 'client' });
    if (ref === next.agreed) await agree(confirmation.token);
  }
  return workspace;
}
