import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import type { Client } from '../../../tests/support/http.ts';
import { World } from '../../../tests/support/world.ts';
import { type FuzzRequest, toRequests } from './requests.ts';

const json = { 'Content-Type': 'application/json' };
const toHref = (pairs: [string, unknown][]) =>
  new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]));

/**
 * Fuzzes the service of a client, which throws at the first reply that breaks the contract. Returns the number of answers
 * with each status.
 */
export async function fuzz(client: Client, runs: number, seed: number): Promise<Record<string, number>> {
  const { contract } = client;
  const byStatus: Record<string, number> = {};
  const usedKey = randomUUID();
  let own = '';
  let made = 0;

  async function hold({ method, path, template, query, body, workspace, key }: FuzzRequest): Promise<void> {
    if (own === '' || made > 30) {
      const sent = await client.post('/candidates', { name: 'Ann', onetCode: '15-1252.00' });
      own = sent.body.workspace;
      made = 0;
    }
    const ids = { none: {}, own: { 'X-Workspace': own }, wrong: { 'X-Workspace': `${own.slice(0, -2)}zz` } };
    const keys = {
      none: {},
      fresh: { 'Idempotency-Key': randomUUID() },
      used: { 'Idempotency-Key': `"${usedKey}"` },
      broken: { 'Idempotency-Key': 'a, b' },
    };
    const written = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const sent = /^(GET|HEAD)$/.test(method) ? undefined : (written as string | undefined);
    const target = query.length > 0 ? `${path}?${toHref(query)}` : path;
    const headers = { ...json, ...ids[workspace], ...keys[key] };
    const { status, text } = await client.ask(method, target, sent, headers);
    if (method === 'POST' && status === 201) made += 1;
    if (method === 'DELETE' && template === '/workspace' && status === 200) own = '';
    byStatus[status] = (byStatus[status] ?? 0) + 1;
    const operation = template === undefined ? undefined : contract.paths[template]?.[method.toLowerCase()];
    if (operation)
      assert.ok(
        operation.responses[status],
        `${method} ${target} is ${status}, not in the contract: ${text}`,
      );
  }

  await fc.assert(fc.asyncProperty(toRequests(contract), hold), {
    numRuns: runs,
    seed,
    includeErrorInReport: true,
  });
  return byStatus;
}

/** Opens the core in this process, over workspaces in memory that hold 20 records each. */
export const openCore = (): Client => new World({ settings: { recordCeiling: 20, retentionSeconds: 3600 } });
