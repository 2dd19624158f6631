import { buildService } from '../../src/hosts/build/build-service.ts';
import { passkeys } from '../../src/hosts/node/passkeys.ts';
import { createAnswer } from '../../src/kernel/answer.ts';
import { createService, type ServiceParts } from '../../src/service.ts';
import { SqliteStore } from '../../src/stores/sqlite.ts';
import { operations } from '../../src/table.ts';
import type { Body } from './http.ts';

/** What a service in this process answered. `body` is undefined if it is not JSON. */
export interface Told {
  status: number;
  headers: Record<string, string>;
  text: string;
  body: Body;
}

type Parts = ServiceParts;

/**
 * Makes the service in this process, over a store in memory and with a fake clock. `parts` replaces some
 * parts.
 */
export function makeCore({
  settings,
  now = Date.now(),
  ...parts
}: { settings?: object | undefined; now?: number } & Partial<Omit<Parts, 'settings'>> = {}) {
  const clock = { now };
  const built = buildService();
  const service = createService({
    ...built,
    operations,
    platform: { ...built.platform, now: () => clock.now },
    passkeys,
    ...parts,
    store: parts.store ?? new SqliteStore(':memory:'),
    settings: { ...built.settings, ...settings },
  });
  const answer = createAnswer(service);

  async function ask(method: string, target: string, sent?: unknown, headers: object = {}): Promise<Told> {
    const [path = '/', query = ''] = target.split(/\?(.*)/s);
    const named = { host: 'localhost', 'content-type': 'application/json', ...headers };
    const lower = Object.entries(named).map(([name, value]) => [name.toLowerCase(), value]);
    const bytes = typeof sent === 'string' || sent === undefined ? (sent ?? '') : JSON.stringify(sent);
    const body = new TextEncoder().encode(bytes);
    const call = { method, path, query, headers: Object.fromEntries(lower), client: '127.0.0.1', body };
    const { status, headers: told, body: text } = await answer(call);
    const isJson = text !== '' && /json/.test(told['Content-Type'] ?? '');
    return { status, headers: told, text, body: isJson ? JSON.parse(text) : undefined };
  }

  /** Makes one tool call and returns its result. */
  async function tool(name: string, given: object): Promise<Body> {
    const params = { name, arguments: given };
    return (await ask('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params })).body.result;
  }

  return { ask, tool, clock, service, store: service.store };
}
