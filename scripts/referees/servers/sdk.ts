/** The tool listPlacements on the server of the official SDK, stateless, as its guide has it. */
import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { facts, port, type Query, toList } from './facts.ts';

const { name, title, description } = facts.tool;
const inputSchema = fromJsonSchema<Query>(facts.tool.inputSchema);

function createTools(): McpServer {
  const server = new McpServer({ name: 'peer', version: '1.0.0' });
  server.registerTool(name, { title, description, inputSchema }, async (query) => {
    const structuredContent = toList('placements', { limit: 20, ...query }) as Record<string, unknown>;
    return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
  });
  return server;
}

createServer(toNodeHandler(createMcpHandler(createTools))).listen(port, '127.0.0.1');
