import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { client } from '../../support/front.ts';
import type { Body } from '../../support/http.ts';

const schemas = suite('tools for every client');

/** Sends a request to /mcp with this query. */
const send = async (query: string, method: string, params = {}): Promise<Body> =>
  (await client.post(`/mcp${query}`, { jsonrpc: '2.0', id: 1, method, params })).body;
const list = async (query: string): Promise<Body> => (await send(query, 'tools/list')).result;
const lists: [name: string, tools: Body[]][] = [
  ['all tools', (await list('')).tools],
  ['core tools', (await list('?tools=core')).tools],
];
const clientInfo = { name: 'x', version: '1' };
const handshake = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
const { serverInfo } = (await client.rpc('initialize', handshake)).body.result;

/** Lists every schema of a tool with its path and depth, the root first. */
function* walk(
  schema: Body,
  path: string,
  depth = 1,
): Generator<[schema: Body, path: string, depth: number]> {
  yield [schema, path, depth];
  for (const [name, one] of Object.entries(schema.properties ?? {}))
    yield* walk(one, `${path}.${name}`, depth + 1);
  if (schema.items) yield* walk(schema.items, `${path}[]`, depth + 1);
}

const namesOf = (schema: Body) => Object.keys(schema.properties ?? {});
const types = ['string', 'number', 'integer', 'boolean', 'array', 'object'];
const members = ['type', 'description', 'enum', 'items', 'properties', 'required'];

/** What each family of clients requires of a schema, by its documentation or its converter. */
const schemaRules: Record<string, (schema: Body, depth: number) => boolean> = {
  'Gemini: type is one string': ({ type }) => types.includes(type),
  'Gemini and VS Code: an array has items of a type': ({ type, items }) =>
    (type === 'array') === (items !== undefined) && (!items || types.includes(items.type)),
  'Gemini: an object inside another has properties': (schema, depth) =>
    depth === 1 || schema.type !== 'object' || namesOf(schema).length > 0,
  'Gemini: an enum is of texts that are not empty': ({ type, enum: values }) =>
    !values || (type === 'string' && values.every((one: unknown) => typeof one === 'string' && one !== '')),
  'Gemini and OpenAI: no keyword but the six that all converters know': (schema) =>
    Object.keys(schema).every((name) => members.includes(name)),
  'OpenAI: each required member is a property': (schema) =>
    (schema.required ?? []).every((name: string) => namesOf(schema).includes(name)),
  'OpenAI: at most 5 levels, 100 properties and 500 values': (schema, depth) =>
    depth <= 5 && namesOf(schema).length <= 100 && (schema.enum ?? []).length <= 500,
  'Anthropic: names of properties are 1 to 64 of A-Z a-z 0-9 _ . -': (schema) =>
    namesOf(schema).every((name) => /^[A-Za-z0-9_.-]{1,64}$/.test(name)),
  'LangChain and pydantic: no property begins with an underscore': (schema) =>
    namesOf(schema).every((name) => !name.startsWith('_')),
};

/** What each family of clients requires of a tool. */
const toolRules: Record<string, (tool: Body) => boolean> = {
  'Anthropic and OpenAI: a name is 1 to 64 of A-Z a-z 0-9 _ -': ({ name }) =>
    /^[A-Za-z0-9_-]{1,64}$/.test(name),
  'Gemini: a name begins with a letter': ({ name }) => /^[A-Za-z]/.test(name),
  'Cursor: server and tool together have at most 60 characters': ({ name }) =>
    `${serverInfo.name}${name}`.length <= 60,
  'OpenAI: a description has 1 to 1,024 characters': ({ description }) =>
    description.length >= 1 && description.length <= 1024,
  'OpenAI: the arguments are an object with properties': ({ inputSchema }) =>
    inputSchema.type === 'object' && inputSchema.properties !== undefined,
  'Claude and VS Code: the title is in annotations': ({ annotations }) => /\S/.test(annotations.title),
  'ChatGPT: every hint is there': ({ annotations: { readOnlyHint, destructiveHint, openWorldHint } }) =>
    [readOnlyHint, destructiveHint, openWorldHint].every((hint) => typeof hint === 'boolean'),
};

for (const [name, tools] of lists) {
  for (const [rule, isKept] of Object.entries(schemaRules))
    schemas(`${name}: ${rule}`, () => {
      for (const tool of tools)
        for (const [schema, path, depth] of walk(tool.inputSchema, tool.name))
          assert.ok(isKept(schema, depth), `${path}: ${JSON.stringify(schema)}`);
    });

  for (const [rule, isKept] of Object.entries(toolRules))
    schemas(`${name}: ${rule}`, () => {
      for (const tool of tools) assert.ok(isKept(tool), `${tool.name} ${JSON.stringify(tool.annotations)}`);
    });
}

const [[, all], [, core]] = lists as [(typeof lists)[0], (typeof lists)[0]];
const toolNames = (tools: Body[]): string[] => tools.map(({ name }) => name);
const schemaOf = (name: string, tools: Body[] = all) => tools.find((tool) => tool.name === name)!.inputSchema;

/** The hints of tools by what they do: read-only, destructive and idempotent. */
const hints: [tools: RegExp, hints: [boolean, boolean, boolean]][] = [
  [/^(list|get|match|plan|export|code)/, [true, false, true]],
  [/^create(?!Shortlist|Batch)|^(importRecords|startBrief)$/, [false, false, false]],
  [/^(createBatch|createShortlist|requestConfirmation|startClaim)$/, [false, true, false]],
  [/^(update|state|answer|delete)/, [false, true, true]],
  [/^gradeBrief$/, [false, false, true]],
];

for (const [pattern, expected] of hints)
  schemas(`the hints of tools like ${pattern.source} match what the tools do`, () => {
    const tools = all.filter(({ name }) => pattern.test(name));
    assert.ok(tools.length > 0);
    for (const { name, annotations } of tools) {
      const { readOnlyHint, destructiveHint, idempotentHint = readOnlyHint } = annotations;
      assert.equal([readOnlyHint, destructiveHint, idempotentHint], expected, name);
    }
  });

schemas('every tool has one row in the table of hints', () => {
  for (const name of toolNames(all))
    assert.is(hints.filter(([pattern]) => pattern.test(name)).length, 1, name);
});

schemas('a batch shows the members of its records', () => {
  const { candidates, jobOrders, placements } = schemaOf('createBatch').properties;
  assert.equal(candidates.items.required, ['name', 'onetCode']);
  assert.is(jobOrders.items.properties.openings.type, 'integer');
  assert.equal(placements.items.properties.status.enum, ['proposed']);
});

for (const [name, tools] of lists)
  schemas(`a batch shows the members that go with a move, in ${name}`, () => {
    const { items } = schemaOf('createBatch', tools).properties.changes;
    const shown = Object.keys(items.properties);
    for (const member of ['status', 'reason', 'endDate', 'endReason', 'declineReason', 'declineProposals'])
      assert.ok(shown.includes(member), member);
    assert.is(items.properties.clear.type, 'array');
  });

schemas('a day describes its format', () => {
  assert.match(schemaOf('createPlacement').properties.startDate.description, 'YYYY-MM-DD');
  assert.match(schemaOf('updatePlacement').properties.startDate.description, 'YYYY-MM-DD');
  assert.match(schemaOf('listCandidates').properties.availableBy.description, 'YYYY-MM-DD');
});

schemas('the core tools are a part of all tools, and enough to place a person', () => {
  const names = toolNames(core);
  for (const name of names) assert.ok(toolNames(all).includes(name), name);
  for (const name of [
    'listOccupations',
    'createCandidate',
    'createJobOrder',
    'matchCandidates',
    'createBatch',
  ])
    assert.ok(names.includes(name), name);
  for (const name of ['createPlacement', 'updatePlacement', 'stateOutcome'])
    assert.ok(names.includes(name), name);
});

schemas('a tool outside the core list can still be called there', async () => {
  assert.not.ok(toolNames(core).includes('getPricing'));
  const params = { name: 'getPricing', arguments: {} };
  const { result } = await send('?tools=core', 'tools/call', params);
  assert.is(result.structuredContent.type, 'OK');
});

schemas('both lists can be read repeatedly', async () => {
  for (let count = 0; count < 3; count += 1) {
    assert.equal((await list('')).tools, all);
    assert.equal((await list('?tools=core')).tools, core);
  }
});

schemas('refuses an unknown list of tools, and names the known one', async () => {
  const { error } = await send('?tools=few', 'tools/list');
  assert.is(error.code, -32602);
  assert.match(error.message, '/mcp?tools=core');
});

schemas('another query changes nothing', async () => {
  assert.equal((await list('?session=1')).tools, all);
});

schemas.run();
