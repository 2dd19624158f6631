import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Finding, Json } from '../verdict.ts';

interface FunctionCall {
  name: string;
  args: Record<string, unknown>;
}

/** Finds arrays without items in a schema. The model API refuses every request with such a tool. */
function findBareArrays(schema: Json, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const isArray = [schema.type].flat().some((type) => String(type).toLowerCase() === 'array');
  const inside = Object.entries(schema).flatMap(([name, part]) => findBareArrays(part, `${path}/${name}`));
  return isArray && !schema.items ? [path, ...inside] : inside;
}

/**
 * Starts a server on loopback in place of the model. It answers a prompt with the function call in `state.next`, and
 * the result of that call with a text. It stores the tools and the last result that it received.
 */
export async function startModel() {
  const state: { next?: FunctionCall; tools: Json[]; result?: Json } = { tools: [] };
  const server = createServer(async (request, reply) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { contents, tools } = JSON.parse(Buffer.concat(chunks).toString());
    state.tools = tools.flatMap(({ functionDeclarations }: Json) => functionDeclarations);
    const [answered] = contents.at(-1).parts.flatMap(({ functionResponse }: Json) => functionResponse ?? []);
    if (answered) state.result = answered.response;
    const part = answered ? { text: 'Done.' } : { functionCall: state.next };
    const candidates = [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP' }];
    reply.setHeader('Content-Type', 'application/json').end(JSON.stringify({ candidates }));
  });
  await once(server.listen(0, 'localhost'), 'listening');

  return {
    state,
    baseUrl: `http://localhost:${(server.address() as AddressInfo).port}`,
    /** Lists what the API of the model would refuse in the tools. */
    listFindings: (client: string): Finding[] =>
      state.tools.flatMap(({ name, parameters, parametersJsonSchema }) =>
        findBareArrays(parameters ?? parametersJsonSchema, name).map((path) => {
          return { rule: 'array-items', where: `${client} ${path}`, message: 'an array has no items' };
        }),
      ),
    stop: () => server.close(),
  };
}
