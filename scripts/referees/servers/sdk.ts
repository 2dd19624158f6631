/** The tool listPlacements on the server of the official SDK, stateless, as its guide has it. */
import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { port, type Query, readTools, toList } from './facts.ts';

const tools: { name: string; title: string; description: string; inputSchema: object }[] = await readTools();
const {
  name,
  title,
  description,
  inputSchema: schema,
} = tools.find((tool) => tool.name === 'listPlacements')!;
const inputSchema = fromJsonSchema<Query>(schema);

function createTools(): McpServer {
  const server = new McpServer({ name: 'peer', version: '1.0.0' });
  server.registerTool(name, { title, description, inputSchema }, async (query) => {
    const structuredContent = toList('placements', { limit: 20, ...query }) as Record<string, unknown>;
    return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
  });
  return server;
}

createServer(toNodeHandler(createMcpHandler(createTools))).listen(port, '127.0.0.1');
