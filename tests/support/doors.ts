import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Body, Client } from './http.ts';

/** A way to the operations that change records: each call answers an envelope. */
export interface Door {
  /** Turns a job title into a code. */
  search(title: string): Promise<Body>;
  batch(page: object, workspace?: string): Promise<Body>;
  update(kind: Kind, id: string, patch: object, workspace: string): Promise<Body>;
  /** Over HTTP by every door, as is the next. */
  exportPage(workspace: string): Promise<Body>;
  erase(workspace: string): Promise<Body>;
  close(): Promise<void>;
}

export type Kind = 'candidate' | 'jobOrder' | 'placement';

/** Where records of a kind are. */
export const paths: Record<Kind, string> = {
  candidate: '/candidates',
  jobOrder: '/job-orders',
  placement: '/placements',
};

export const inside = (workspace: string | undefined): Record<string, string> =>
  workspace === undefined ? {} : { 'X-Workspace': workspace };

/** PATCH with this body. */
export const patch = (client: Client, path: string, body: unknown, headers: Record<string, string> = {}) =>
  client.request('PATCH', path, {
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'Content-Type': 'application/merge-patch+json', ...headers },
  });

export const remove = (client: Client, path: string, headers: Record<string, string> = {}) =>
  client.request('DELETE', path, { headers });

export function openHttp(client: Client): Door {
  return {
    search: async (title) =>
      (await client.get(`/occupations?${new URLSearchParams({ q: title, limit: '1' })}`)).body,
    batch: async (page, workspace) => (await client.post('/batch', page, inside(workspace))).body,
    update: async (kind, id, sent, workspace) =>
      (await patch(client, `${paths[kind]}/${id}`, sent, inside(workspace))).body,
    exportPage: async (workspace) => (await client.get('/workspace/export', inside(workspace))).body,
    erase: async (workspace) => (await remove(client, '/workspace', inside(workspace))).body,
    close: async () => {},
  };
}

/** The same by tool, with the official client; what has no tool goes over HTTP. */
export async function openMcp(origin: string, http: Client): Promise<Door> {
  const client = new McpClient({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${origin}/mcp`)));
  const call = async (name: string, args: object): Promise<Body> => {
    const given = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
    return (await client.callTool({ name, arguments: given })).structuredContent;
  };
  const { exportPage, erase } = openHttp(http);
  return {
    search: (title) => call('listOccupations', { q: title, limit: 1 }),
    batch: (page, workspace) => call('createBatch', { ...page, workspace }),
    update: (kind, id, sent, workspace) =>
      call(`update${kind[0]!.toUpperCase()}${kind.slice(1)}`, { id, ...sent, workspace }),
    exportPage,
    erase,
    close: () => client.close(),
  };
}
