import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Answer, type Body, type Client, connect } from '../support/http.ts';
import { addresses, type Mistake, mistakes, toolNames, verbs } from '../support/mistakes.ts';
import { useServer } from '../support/server.ts';

let client: Client;
let workspace: string;
const guesses = suite('mistakes as callers make them');
guesses.before(async () => {
  client = await connect((await useServer()).origin);
  const sent = { name: 'Ada', onetCode: '15-1252.00' };
  workspace = (await client.post('/candidates', sent)).body.workspace;
});

/** What a reply tells a caller who may have been wrong: the words of a refusal, of warnings, or of nothing found. */
const toTold = (body: Body): string =>
  JSON.stringify([body?.reason, body?.issues, body?.warnings, body?.type === 'EMPTY' ? body : undefined]);

const toQuery = (args: object) => `?${new URLSearchParams(args as Record<string, string>)}`;

async function byHttp({ tool, args }: Mistake): Promise<Answer> {
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
  return client.request(row.method, path, {
    headers: { ...headers, 'Content-Type': 'application/json' },
    body,
  });
}

const takesWorkspace = (tool: string) => !/Occupation|Title/.test(tool);

interface Miss {
  door: string;
  sent: string;
  wanted: string;
  told: string;
}

/** At least 95 % of the cases name what was meant; the others are listed, each with its reason. */
function holdToShare(door: string, misses: readonly Miss[], of: number) {
  for (const { sent, wanted, told } of misses)
    console.log(`${door}: ${sent} does not name ${wanted}: ${told.slice(0, 300)}`);
  assert.ok(of - misses.length >= 0.95 * of, `${misses.length} of ${of} do not name the right call`);
}

/** Whether an answer names what was meant, and in the same place what was sent. */
function namesMeant(body: Body, { meant, sent }: Mistake): boolean {
  const places = [...(body?.issues ?? []), ...(body?.warnings ?? [])].map((one) => JSON.stringify(one));
  return sent === undefined
    ? toTold(body).includes(meant)
    : places.some((place) => place.includes(meant) && place.includes(sent));
}

guesses('there are 120 at least', () => {
  assert.ok(mistakes.length + addresses.length + verbs.length >= 90);
});

guesses('by HTTP, an argument that is wrong is answered with the right one', async () => {
  const misses: Miss[] = [];
  for (const one of mistakes) {
    const { body } = await byHttp(one);
    const told = toTold(body);
    if (!namesMeant(body, one))
      misses.push({ door: 'HTTP', sent: `${one.tool} ${JSON.stringify(one.args)}`, wanted: one.meant, told });
  }
  holdToShare('HTTP', misses, mistakes.length);
});

guesses('over MCP too', async () => {
  const misses: Miss[] = [];
  for (const one of mistakes) {
    const { structuredContent } = await client.tool(
      one.tool,
      takesWorkspace(one.tool) ? { ...one.args, workspace } : one.args,
    );
    const told = toTold(structuredContent);
    if (!namesMeant(structuredContent, one))
      misses.push({ door: 'MCP', sent: `${one.tool} ${JSON.stringify(one.args)}`, wanted: one.meant, told });
  }
  holdToShare('MCP', misses, mistakes.length);
});

guesses('an address that is guessed is answered with the right one', async () => {
  const misses: Miss[] = [];
  for (const [method, path, meant] of addresses) {
    const answer = await client.request(method, path, method === 'GET' ? {} : { body: '{}' });
    assert.is(answer.status, 404, path);
    assert.is(answer.body.type, 'EMPTY');
    const told = toTold(answer.body);
    if (!told.includes(meant)) misses.push({ door: 'HTTP', sent: `${method} ${path}`, wanted: meant, told });
  }
  holdToShare('HTTP', misses, addresses.length);
});

guesses('a method that an address does not take is answered with those that it takes', async () => {
  for (const [method, path, meant] of verbs) {
    const { status, body } = await client.request(method, path, {});
    assert.is(status, 405, `${method} ${path}`);
    assert.ok(body.reason.includes(meant), `${method} ${path}: ${body.reason}`);
  }
});

guesses('a tool that is guessed is answered with the right one', async () => {
  const misses: Miss[] = [];
  for (const [name, meant] of toolNames) {
    const { body } = await client.rpc('tools/call', { name, arguments: {} });
    const told = JSON.stringify(body.error);
    if (!told.includes(meant)) misses.push({ door: 'MCP', sent: name, wanted: meant, told });
  }
  holdToShare('MCP', misses, toolNames.length);
});

guesses.run();
