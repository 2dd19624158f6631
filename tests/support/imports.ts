import * as assert from 'uvu/assert';
import type { Body, Reply } from './http.ts';
import { World } from './world.ts';

export const world = new World({ now: Date.parse('2026-11-27T09:00:00Z') });

const csvType = { 'content-type': 'text/csv' };

/** Imports a CSV file as the body of the request. */
export const sendCsv = (text: string, query: string, headers: object = {}): Promise<Reply> =>
  world.post(`/imports?${query}`, text, { ...csvType, ...headers });

/** Imports a file with JSON arguments. */
export const sendImport = (args: object, headers: object = {}): Promise<Reply> =>
  world.post('/imports', args, headers);

/** Runs a CSV file dry, and returns the reply, which must be a 200. */
export async function readDry(lines: string[], kind = 'candidates', newline = '\r\n'): Promise<Body> {
  const { status, body, text } = await sendCsv(lines.join(newline), `kind=${kind}`);
  assert.is(status, 200, text);
  return body;
}

/** Returns the one candidate that a header and a row become. */
export async function readOne(header: string, row: string): Promise<Body> {
  return (await readDry([header, row])).records.candidates[0];
}

/** Returns the one job order that a header and a row become. */
export async function readOrder(header: string, row: string): Promise<Body> {
  return (await readDry([header, row], 'jobOrders')).records.jobOrders[0];
}
