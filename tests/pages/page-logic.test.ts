import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runSuite, toExpectText } from '../../src/documents/suite-runner.ts';
import { toOperations } from '../../src/pages/_scripts/contract.ts';
import { toJsonTokens } from '../../src/pages/_scripts/json-tokens.ts';
import { toCurl, toRequest, toToolCall } from '../../src/pages/_scripts/request.ts';
import { toRule, toShape } from '../../src/pages/_scripts/schema-text.ts';
import { toIncludedText } from '../../src/pricing/get-pricing.ts';

const logic = suite('what pages work out');

logic('an allowance is told with its period, a month where none is said', () => {
  assert.is(toIncludedText({}), '');
  assert.is(toIncludedText({ included: 'unlimited' }), 'unlimited');
  assert.is(toIncludedText({ included: 5 }), '5 a month');
  assert.is(toIncludedText({ freeQuota: 5 }), '5 a month');
  assert.is(toIncludedText({ included: { qty: 5 } }), '5 a month');
  assert.is(toIncludedText({ included: { qty: 5, period: 'day' } }), '5 a day');
  assert.is(toIncludedText({ included: { qty: 5, period: 'once' } }), '5 once');
});

const create = { method: 'POST', path: '/candidates', workspace: true };
const get = { method: 'GET', path: '/candidates/{id}', workspace: true };
const none = { path: {}, query: {}, header: {}, body: {} };

logic('a request carries the workspace where it is read, and nothing that was left empty', () => {
  assert.equal(toRequest(get, { ...none, path: { id: 'a/b' } }, 'ws_1'), {
    method: 'GET',
    target: '/candidates/a%2Fb',
    headers: { 'X-Workspace': 'ws_1' },
    body: undefined,
  });
  assert.equal(toRequest({ ...get, workspace: false }, none, 'ws_1').headers, {});
  assert.is(toRequest(create, { ...none, body: { name: 'Ada' } }).body, '{"name":"Ada"}');
});

logic('the command line quotes what a shell would take for its own', () => {
  const line = toCurl(toRequest(create, { ...none, body: { name: "O'Brien $HOME" } }), 'http://a.test');
  assert.is(
    line,
    `curl -i -X POST 'http://a.test/candidates' \\\n  -H 'Content-Type: application/json' \\\n  -d '{"name":"O'\\''Brien $HOME"}'`,
  );
});

logic('a tool call has one flat object of arguments, numbers as numbers', () => {
  const call = toToolCall(
    'listCandidates',
    { ...none, query: { limit: '5', status: '5' } },
    { numbers: ['limit'], workspace: 'ws_1' },
  );
  assert.equal(JSON.parse(call.body ?? '').params, {
    name: 'listCandidates',
    arguments: { limit: 5, status: '5', workspace: 'ws_1' },
  });
});

const contract = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../dist/client/openapi.json'), 'utf8'),
);
const rows = toOperations(contract);

logic('every header of the contract is a field, but for the workspace that the page knows', () => {
  let seen = 0;
  for (const { operationId, path, method, fields } of rows) {
    const declared = (contract.paths[path][method.toLowerCase()].parameters ?? [])
      .map((one: { $ref?: string }) =>
        one.$ref ? contract.components.parameters[one.$ref.split('/').at(-1)!] : one,
      )
      .filter((one: { in: string; name: string }) => one.in === 'header' && one.name !== 'X-Workspace');
    const told = fields.filter(({ place }) => place === 'header');
    assert.equal(
      told.map(({ name, required }) => [name, required]),
      declared.map(({ name, required }: { name: string; required: boolean }) => [name, required]),
      operationId,
    );
    seen += told.length;
  }
  assert.ok(seen > 30, String(seen));
  const answer = rows.find(({ operationId }) => operationId === 'answerConfirmation')!;
  assert.is(answer.fields[0]?.name, 'X-Confirmation');
  assert.is(answer.fields[0]?.required, true);
});

logic('a header goes out as one, and over MCP as the argument in its place', () => {
  const header = {
    'X-Confirmation': 'cnf_1',
    'Idempotency-Key': '12',
    'If-Match': '3',
    Prefer: 'handling=strict',
  };
  const values = { ...none, header, body: { agrees: true } };
  assert.equal(toRequest({ ...create, workspace: false }, values, 'ws_1').headers, {
    'Content-Type': 'application/json',
    ...header,
  });
  const { params } = JSON.parse(toToolCall('answerConfirmation', values, { numbers: [] }).body ?? '');
  assert.equal(params.arguments, {
    agrees: true,
    confirmation: 'cnf_1',
    idempotencyKey: '12',
    revision: 3,
    strict: true,
  });
  const { tools } = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../dist/client/.well-known/agents.json'), 'utf8'),
  ).interfaces.mcp;
  for (const { operationId, fields } of rows.filter((row) => tools.includes(row.operationId))) {
    const names = fields.filter(({ place }) => place === 'header').map(({ name }) => [name, '1']);
    const call = toToolCall(operationId, { ...none, header: Object.fromEntries(names) }, { numbers: [] });
    assert.is(Object.keys(JSON.parse(call.body ?? '').params.arguments).length, names.length, operationId);
  }
});

logic('JSON cut into tokens is the same text when joined', () => {
  const text = JSON.stringify({ 'a"b': [1, -2.5e3, true, null, 'x: {y}'], c: {} }, null, 2);
  const tokens = [...toJsonTokens(text)];
  assert.is(tokens.map((token) => token.text).join(''), text);
  assert.equal(
    tokens.filter(({ kind }) => kind === 'name').map((token) => token.text),
    ['"a\\"b"', '"c"'],
  );
});

logic('schemas read as shapes and rules', () => {
  const list = { type: 'array', items: { $ref: '#/components/schemas/Issue' } };
  const schema = {
    type: 'object',
    required: ['type'],
    properties: { type: { const: 'OK' }, warnings: list },
  };
  assert.is(toShape(schema), '{ type: "OK", warnings?: Issue[] }');
  assert.is(toRule({ type: 'integer', minimum: 1, maximum: 5 }), 'integer, 1 to 5');
});

logic('a row of the suite tells what it wants, and how an answer breaks it', async () => {
  const expect = {
    status: 200,
    contentTypeIncludes: 'application/json',
    paths: [{ path: 'type', equals: 'OK' }],
  };
  const row = { id: 'a', kind: 'endpoint', method: 'GET', path: '/a', expect } as const;
  assert.is(toExpectText(row), 'answers 200, type application/json, type is "OK"');
  const run = async (answer: () => Response) => {
    const { value } = await runSuite({ requirements: [row] }, async () => answer()).next();
    return value!.problems;
  };
  assert.equal(await run(() => Response.json({ type: 'OK' })), []);
  assert.equal(
    await run(() => new Response('{}', { status: 404, headers: { 'Content-Type': 'text/plain' } })),
    [
      'answered 404, not 200',
      'the type is text/plain, without application/json',
      'type is undefined; it must be "OK"',
    ],
  );
  assert.is((await run(() => new Response('<p>'))).length, 2);
  assert.equal(
    await run(() => {
      throw new Error('no connection');
    }),
    ['no connection'],
  );
});

logic.run();
