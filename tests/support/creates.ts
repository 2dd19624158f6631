import * as assert from 'uvu/assert';
import type { Body, Client } from './http.ts';

/** An occupation code that there is. */
export const onetCode = '15-1252.00';
/** A body with every member, for each address that takes a create. */
export const whole: Record<string, Record<string, unknown>> = {
  '/candidates': { name: 'A', onetCode, skills: ['Go'], metro: 'Columbus, OH' },
  '/job-orders': { client: 'Example', title: 'Developer', onetCode, billRateUsdHour: 90 },
  '/placements': {
    candidateId: 'cand_001',
    jobOrderId: 'job_001',
    onetCode,
    startDate: '2026-02-28',
    feeModel: 'perm-fee',
  },
};
/** The members that a create must have. */
export const required: Record<string, string[]> = {
  '/candidates': ['name', 'onetCode'],
  '/job-orders': ['client', 'title', 'onetCode'],
  '/placements': ['candidateId', 'jobOrderId', 'onetCode'],
};

/** Asserts that a create is refused at exactly one place, with a message like `message`. */
export async function refuses(
  client: Client,
  path: string,
  sent: object,
  at: string,
  message: RegExp,
): Promise<void> {
  const { status, body, text, headers } = await client.post(path, sent);
  const what = `${path} ${JSON.stringify(sent).slice(0, 120)}: ${text.slice(0, 300)}`;
  assert.equal([status, body.type], [400, 'BLOCKED'], what);
  assert.equal(
    body.issues.map((issue: Body) => issue.path),
    [at],
    what,
  );
  assert.match(body.issues[0].message, message, what);
  assert.is(headers.get('x-workspace'), null, 'nothing is minted');
}
