import type { Json } from '../verdict.ts';
import { type Desk, toEnvelope } from './story.ts';

/** The two classes of an official client for Streamable HTTP. The types of their arguments depend on the version. */
export interface OfficialParts {
  Client: new (...args: Json[]) => Json;
  StreamableHTTPClientTransport: new (...args: Json[]) => Json;
}

/** Returns a desk for a connected official client. */
export async function toDesk(client: Json): Promise<Desk> {
  const { tools } = await client.listTools();
  return {
    tools: tools.map(({ name }: Json) => name),
    findings: [],
    call: async (name, args) => toEnvelope(await client.callTool({ name, arguments: args })),
    close: () => client.close(),
  };
}

/** Connects an official client by Streamable HTTP. */
export async function connectOfficial(parts: OfficialParts, address: string, options = {}): Promise<Json> {
  const client = new parts.Client({ name: 'referee', version: '1.0.0' }, options);
  await client.connect(new parts.StreamableHTTPClientTransport(new URL(address)));
  return client;
}

/** Connects an official client, and returns it as a desk. */
export const openOfficial = async (parts: OfficialParts, address: string, options = {}): Promise<Desk> =>
  toDesk(await connectOfficial(parts, address, options));
