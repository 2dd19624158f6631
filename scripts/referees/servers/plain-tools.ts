import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import type { DeskDatabase } from './plain-database.ts';

interface Arguments {
  q: string;
  limit?: number;
}

const schema = {
  type: 'object',
  required: ['q'],
  properties: {
    q: { type: 'string', description: 'A job title.', minLength: 1, maxLength: 200 },
    limit: { type: 'integer', description: 'How many occupations.', minimum: 1, maximum: 50 },
  },
};

/** Returns a handler of MCP over HTTP with the search as a tool, stateless as in the SDK's guide. */
export function createToolHandler(database: DeskDatabase) {
  const inputSchema = fromJsonSchema<Arguments>(schema);
  const createServer = () => {
    const server = new McpServer({ name: 'plain-desk', version: '1.0.0' });
    const description = 'Find the O*NET-SOC code of a job title.';
    const tool = { title: 'Search occupations', description, inputSchema };
    server.registerTool('listOccupations', tool, async ({ q, limit = 10 }) => {
      const structuredContent = { type: 'OK', ...database.search(q, limit) };
      return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
    });
    return server;
  };
  return toNodeHandler(createMcpHandler(createServer));
}
