import { defineUnlisted } from '../kernel/document.ts';
import { preview } from '../kernel/service.ts';
import { supportedVersions } from './protocol.ts';
import type { McpService } from './service.ts';

/** Creates the MCP server card: the address of /mcp and its revisions. The tools are in tools/list only. */
function createServerCard({ catalogue: { service }, settings: { baseUrl, live } }: McpService): object {
  const namespace = new URL(baseUrl).hostname.split('.').reverse().join('.');
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: `${namespace}/${service.name}`,
    title: service.title,
    version: service.version,
    description: live ? service.tagline : preview,
    remotes: [
      { type: 'streamable-http', url: `${baseUrl}/mcp`, supportedProtocolVersions: supportedVersions },
    ],
  };
}

/** One server card at the three addresses where clients look for it. */
export const serverCards = [
  '/mcp/server-card',
  '/.well-known/mcp/server-card.json',
  '/.well-known/mcp.json',
].map((path, index) =>
  defineUnlisted({
    operationId: `getServerCard${index + 1}`,
    path,
    contract: {
      summary: 'MCP server card',
      description: 'Where the MCP door is and which revisions it speaks.',
    },
    type: 'application/mcp-server-card+json',
    headers: { 'Cache-Control': 'public, max-age=3600' },
    make: createServerCard,
  }),
);
