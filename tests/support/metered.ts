import { buildService } from '../../src/hosts/build/build-service.ts';
import { createAnswer } from '../../src/kernel/answer.ts';
import type { MeteredDocument } from '../../src/pricing/document.ts';
import { createService } from '../../src/service.ts';
import { openSqliteStore } from '../../src/stores/sqlite.ts';
import { operations } from '../../src/table.ts';
import type { Body } from './http.ts';

/** What one call was answered in this process. */
interface Told {
  status: number;
  headers: Record<string, string>;
  body: Body;
}

/** How often each metered operation was called by a reading of the meter, those never called left out. */
export const toCounts = ({ operations }: Body): Record<string, number> =>
  Object.fromEntries(
    operations.flatMap(({ operation, calls }: Body) => (calls > 0 ? [[operation, calls]] : [])),
  );

/** A service in memory with a clock that can be set and a rate card of its own. */
export function makeMetered(pricing: Partial<MeteredDocument> = {}, meter: 'on' | 'count' = 'on') {
  const clock = { now: Date.parse('2026-11-22T12:00:00Z') };
  const built = buildService();
  const { catalogue } = built;
  const store = openSqliteStore(':memory:');
  const service = createService({
    ...built,
    operations,
    store,
    catalogue: { ...catalogue, pricing: { ...catalogue.pricing, ...pricing } },
    settings: { ...built.settings, meter, retentionSeconds: 100 * 86_400 },
    platform: { ...built.platform, now: () => clock.now },
  });
  const answer = createAnswer(service);

  async function ask(method: string, target: string, sent?: object, headers: object = {}): Promise<Told> {
    const [path = '/', query = ''] = target.split('?');
    const body = new TextEncoder().encode(sent === undefined ? '' : JSON.stringify(sent));
    const all = { host: 'localhost', 'content-type': 'application/json', ...headers };
    const reply = await answer({ method, path, query, headers: all, body });
    return { status: reply.status, headers: reply.headers, body: JSON.parse(reply.body || 'null') };
  }

  /** One tool call; answers its result. */
  async function tool(name: string, given: object): Promise<Body> {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } };
    return (await ask('POST', '/mcp', message)).body.result;
  }

  return {
    ask,
    tool,
    clock,
    store,
    service,
    /** A workspace with one candidate, which cost one create. */
    async space() {
      const made = await ask('POST', '/candidates', { name: 'Ann Sample', onetCode: '15-1252.00' });
      const headers = { 'x-workspace': made.body.workspace as string };
      const within = (method: string, target: string, sent?: object, more: object = {}) =>
        ask(method, target, sent, { ...headers, ...more });
      return {
        id: made.body.candidate.id as string,
        workspace: made.body.workspace as string,
        ask: within,
        usage: async (): Promise<Body> => (await within('GET', '/workspace')).body.workspace.usage,
      };
    },
  };
}
