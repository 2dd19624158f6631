import * as assert from 'uvu/assert';
import type { Body } from './http.ts';
import { type Reply, World } from './world.ts';

export const { ask, clock } = new World({ now: Date.parse('2026-11-27T09:00:00Z') });

/** Creates records in a new workspace. Returns the header that opens it. */
export async function makeWorkspace(batch: object): Promise<{ 'X-Workspace': string }> {
  const { status, body, text } = await ask('POST', '/batch', batch);
  assert.is(status, 201, text);
  return { 'X-Workspace': body.workspace };
}

export const readCsvFile = (kind: string, workspace: object): Promise<Reply> =>
  ask('GET', `/workspace/export.csv?kind=${kind}`, undefined, workspace);

/** Members that a record gets from the service. */
const own = ['id', 'createdAt', 'updatedAt', 'links', 'transitions', 'revision', 'example'];

/** Returns the records of a workspace, oldest first, without what each copy has of its own. */
export async function listRecords(path: string, workspace: object): Promise<Body[]> {
  const { body } = await ask('GET', `${path}?limit=200`, undefined, workspace);
  const rows: Body[] = body.candidates ?? body.jobOrders ?? [];
  return rows
    .toReversed()
    .map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !own.includes(name))));
}

/** Exports the records of a workspace as CSV, and imports the file into a new workspace. */
export async function copyByCsv(kind: string, workspace: object): Promise<{ 'X-Workspace': string }> {
  const { text } = await readCsvFile(kind, workspace);
  const headers = { 'content-type': 'text/csv' };
  const copied = await ask('POST', `/imports?kind=${kind}&dryRun=false`, text, headers);
  assert.is(copied.status, 201, copied.text);
  return { 'X-Workspace': copied.body.workspace };
}
