import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Body, Reply } from '../support/http.ts';
import { client } from '../support/in-process.ts';
import { addresses, type Mistake, mistakes, toolNames, verbs } from '../support/mistakes.ts';

const guesses = suite('mistakes of callers');
const { workspace } = (await client.post('/candidates', { name: 'Ada', onetCode: '15-1252.00' })).body;

/** Returns the words of a refusal, of warnings, or of an empty answer. */
const toTold = (body: Body): string =>
  JSON.stringify([body?.reason, body?.issues, body?.warnings, body?.type === 'EMPTY' ? body : undefined]);

const toQuery = (args: object) => `?${new URLSearchParams(args as Record<string, string>)}`;

async function byHttp({ tool, args }: Mistake): Promise<Reply> {
  const row = Object.entries(client.contract.paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods as Record<string, Body>).map(([method, { operationId }]) => ({
        method: method.toUpperCase(),
        path,
        operationId,
      })),
    )
    .find(({ operationId }) => operationId === tool)!;
  const { id, ...rest } = args as { id?: string };
  const path = row.path.replace('{id}', encodeURIComponent(id ?? ''));
  const headers = { 'X-Workspace': workspace };
  if (row.method === 'GET') return client.get(path + toQuery(rest), headers);
  const body = JSON.stringify(rest);
  return client.ask(row.method, path, body, { ...headers, 'Content-Type': 'application/json' });
}

const takesWorkspace = (tool: string) => !/Occupation|Title/.test(tool);

/** Asserts that at least 95 % of the answers name what was meant, and lists the others. */
async function holdToShare<T>(
  cases: readonly T[],
  ask: (one: T) => Promise<{ told: string; isNamed: boolean }>,
): Promise<void> {
  let misses = 0;
  for (const one of cases) {
    const { told, isNamed } = await ask(one);
    if (isNamed) continue;
    misses += 1;
    console.log(`${JSON.stringify(one)} is not named: ${told.slice(0, 300)}`);
  }
  assert.ok(misses <= 0.05 * cases.length, `${misses} of ${cases.length} do not name the right call`);
}

/** Returns whether an answer names what was meant and, in the same place, what was sent. */
function namesMeant(body: Body, { meant, sent }: Mistake): boolean {
  const places = [...(body?.issues ?? []), ...(body?.warnings ?? [])].map((one) => JSON.stringify(one));
  return sent === undefined
    ? toTold(body).includes(meant)
    : places.some((place) => place.includes(meant) && place.includes(sent));
}

guesses('over HTTP, a wrong argument is answered with the right one', () =>
  holdToShare(mistakes, async (one) => {
    const { body } = await byHttp(one);
    return { told: toTold(body), isNamed: namesMeant(body, one) };
  }),
);

guesses('over MCP, a wrong argument is answered with the right one', () =>
  holdToShare(mistakes, async (one) => {
    const args = takesWorkspace(one.tool) ? { ...one.args, workspace } : one.args;
    const { structuredContent } = await client.tool(one.tool, args);
    return { told: toTold(structuredContent), isNamed: namesMeant(structuredContent, one) };
  }),
);

guesses('a guessed address is answered with the right one', () =>
  holdToShare(addresses, async ([method, path, meant]) => {
    const answer = await client.ask(method, path, method === 'GET' ? undefined : {});
    assert.is(answer.status, 404, path);
    assert.is(answer.body.type, 'EMPTY', path);
    const told = toTold(answer.body);
    return { told, isNamed: told.includes(meant) };
  }),
);

guesses('an unsupported method is answered with the supported ones', async () => {
  for (const [method, path, meant] of verbs) {
    const { status, body } = await client.ask(method, path);
    assert.is(status, 405, `${method} ${path}`);
    assert.ok(body.reason.includes(meant), `${method} ${path}: ${body.reason}`);
  }
});

guesses('a guessed tool is answered with the right one', () =>
  holdToShare(toolNames, async ([name, meant]) => {
    const { body } = await client.rpc('tools/call', { name, arguments: {} });
    const told = JSON.stringify(body.error);
    return { told, isNamed: told.includes(meant) };
  }),
);

guesses.run();
