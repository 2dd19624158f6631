import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as assert from 'uvu/assert';
import { inside, type Kind } from './doors.ts';
import type { Body, Client, Reply } from './http.ts';
import type { SharedServer } from './server.ts';

/** A software developer. */
export const onetCode = '15-1252.00';
/** A registered nurse. */
export const nurseCode = '29-1141.00';
export const strict = { Prefer: 'handling=strict' };

/** Returns the day this many days from today, as YYYY-MM-DD. */
export const dayFromNow = (days: number) =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** Returns bodies with every required member. */
export const toBody: Record<Kind, (more?: object) => Body> = {
  candidate: (more) => ({ name: 'Ann Sample', onetCode, ...more }),
  jobOrder: (more) => ({ client: 'Example Works', title: 'Developer', onetCode, ...more }),
  placement: (more) => ({ candidateId: 'cand_006', jobOrderId: 'job_006', onetCode, ...more }),
};

/** How a placement ends early. */
export const ending = { status: 'ended-early', endDate: dayFromNow(0), endReason: 'client-ended' };

/** A workspace, and the records that a batch made in it. */
export interface Sandbox {
  workspace: string;
  /** The header that names it. */
  mine: Record<string, string>;
  candidates: Body[];
  jobOrders: Body[];
  placements: Body[];
}

export async function makeSandbox(client: Client, batch: object): Promise<Sandbox> {
  const { status, body, text } = await client.post('/batch', batch);
  assert.is(status, 201, text);
  const { workspace, candidates = [], jobOrders = [], placements = [] } = body;
  return { workspace, mine: inside(workspace), candidates, jobOrders, placements };
}

/** Reads everything in a workspace, its expiry and revision too. */
export async function look(client: Client, { mine }: Pick<Sandbox, 'mine'>): Promise<object> {
  const { workspace } = (await client.get('/workspace', mine)).body;
  const { exportedAt, ...whole } = (await client.get('/workspace/export', mine)).body;
  return { workspace, whole };
}

/** Runs calls that must all be refused, and asserts that the workspace is unchanged. */
export async function unchanged(client: Client, sandbox: Sandbox, calls: () => Promise<void>): Promise<void> {
  const before = await look(client, sandbox);
  await calls();
  assert.equal(await look(client, sandbox), before, 'nothing is written');
}

/** Counts the workspaces in the store of a server. */
export function countWorkspaces({ dataDir }: SharedServer): number {
  const database = new DatabaseSync(join(dataDir, 'workspaces.sqlite'), { readOnly: true });
  const row = database.prepare('SELECT count(*) AS count FROM workspaces').get();
  database.close();
  return row!.count as number;
}

/** Asserts a refusal: its status and code and, if given, the places that it names. */
export function refused(answer: Reply, status: number, code: string, paths?: string[]): Body {
  const { body, text } = answer;
  assert.equal(answer.status, status, text);
  assert.is(body.type, 'BLOCKED', text);
  assert.equal(body.code, code, text);
  if (paths) assert.equal([...new Set(body.issues.map((issue: Body) => issue.path))], paths, text);
  return body;
}

/** Asserts the same of the result of a tool. */
export function refusedTool({ structuredContent, isError }: Body, code: string, paths?: string[]): Body {
  const text = JSON.stringify(structuredContent);
  assert.is(isError, true, text);
  assert.is(structuredContent.type, 'BLOCKED', text);
  assert.equal(structuredContent.code, code, text);
  if (paths) assert.equal([...new Set(structuredContent.issues.map(({ path }: Body) => path))], paths, text);
  return structuredContent;
}
