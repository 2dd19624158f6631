import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runSuite, toExpectText } from '../src/documents/suite-runner.ts';
import { toCallsAtCeiling, toCost, toCountedRates, toMonth } from '../src/pages/_scripts/cost.ts';
import { toJsonTokens } from '../src/pages/_scripts/json-tokens.ts';
import { toCurl, toRequest, toToolCall } from '../src/pages/_scripts/request.ts';
import { toRule, toShape } from '../src/pages/_scripts/schema-text.ts';
import { toIncludedText } from '../src/pricing/operations.ts';

const logic = suite('what pages work out');

logic('a month costs what goes past the included calls, to the millionth', () => {
  const [rate] = toCountedRates([{ operation: 'a', price: 0.002, included: { qty: 100, period: 'month' } }]);
  assert.is(toCost(rate!, 100), 0);
  assert.is(toCost(rate!, 103), 0.006);
  assert.is(toCallsAtCeiling(rate!, 25), 12_600);
  assert.is(toCost(rate!, 12_600), 25);
  assert.equal(toMonth([20, 10], 25), { sum: 30, metered: 25, share: 1, over: true });
  assert.equal(toMonth([0.1, 0.2], 25), { sum: 0.3, metered: 0.3, share: 0.012, over: false });
});

logic('allowances count by the month; prices that are no number are left out', () => {
  const counted = toCountedRates([
    { operation: 'a', price: 1, included: 5 },
    { operation: 'b', price: 1, included: 'unlimited' },
    { operation: 'c', price: 1, included: { qty: 5, period: 'day' } },
    { operation: 'd', price: 1, freeQuota: 7 },
    { operation: 'e', price: { fixed: 1 } },
    { operation: 'f', price: null },
  ]);
  assert.equal(
    counted.map(({ included }) => included),
    [5, Number.POSITIVE_INFINITY, 0, 7],
  );
  assert.is(toCost(counted[1]!, 1e9), 0);
});

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
const none = { path: {}, query: {}, body: {} };

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
    { path: {}, query: { limit: '5', status: '5' }, body: {} },
    { numbers: ['limit'], workspace: 'ws_1' },
  );
  assert.equal(JSON.parse(call.body ?? '').params, {
    name: 'listCandidates',
    arguments: { limit: 5, status: '5', workspace: 'ws_1' },
  });
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
