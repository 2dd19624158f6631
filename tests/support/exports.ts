import type { Body, Reply } from './http.ts';
import { type Desk, World } from './world.ts';

export const world = new World({ now: Date.parse('2026-11-27T09:00:00Z') });

export const readCsvFile = (desk: Desk, kind: string): Promise<Reply> =>
  desk.get(`/workspace/export.csv?kind=${kind}`);

/** Members that a record gets from the service. */
const own = ['id', 'createdAt', 'updatedAt', 'links', 'transitions', 'revision', 'example'];

/** Returns the records of a workspace, oldest first, without what each copy has of its own. */
export async function listRecords(desk: Desk, path: string): Promise<Body[]> {
  const { body } = await desk.get(`${path}?limit=200`);
  const rows: Body[] = body.candidates ?? body.jobOrders ?? [];
  return rows
    .toReversed()
    .map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !own.includes(name))));
}

/** Exports the records of a workspace as CSV, and imports the file into a new workspace. */
export async function copyByCsv(desk: Desk, kind: string): Promise<Desk> {
  const { text } = await readCsvFile(desk, kind);
  return desk.world.open(text, `/imports?kind=${kind}&dryRun=false`, { 'content-type': 'text/csv' });
}
