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

guesses(
  'a title that nothing is known of, and a code that is gone, are answered with what to send',
  async () => {
    const { titles } = (await client.post('/titles', { titles: ['xqzptl wuzz'] })).body;
    assert.equal([titles[0].certainty, titles[0].occupations], ['unsure', []]);
    assert.match(titles[0].message, /reads English/);
    const { body } = await client.get('/candidates?occupation=15-1132.00');
    assert.match(body.message, /gone; use 15-1252\.00/);
    assert.match((await client.get('/occupations?q=15-1133.00')).body.message, /gone; use 15-1252\.00/);
  },
);

guesses('the contract asks for what the service takes: a key, and a batch', async () => {
  const contract = client.contract as Body;
  const { parameters, requestBody } = contract.paths['/batch'].post;
  assert.is(requestBody.content['application/json'].schema.minProperties, 1);
  const header = parameters
    .map((one: Body) => (one.$ref ? contract.components.parameters[one.$ref.split('/').at(-1)] : one))
    .find(({ name }: Body) => name === 'Idempotency-Key');
  const pattern = new RegExp(header.schema.pattern);
  for (const key of [
    'k',
    '"quoted key"',
    'k'.repeat(255),
    `"${'k'.repeat(255)}"`,
    '',
    'two words',
    'k'.repeat(256),
    '"a',
    'k,k',
    `"${'k'.repeat(256)}"`,
  ]) {
    const headers = { 'X-Workspace': workspace, 'Idempotency-Key': key };
    const { status } = await client.post('/candidates', { name: 'Ada', onetCode: '15-1252.00' }, headers);
    assert.is(pattern.test(key), status !== 400, `${key.slice(0, 20)} ${status}`);
  }
});

guesses.run();
