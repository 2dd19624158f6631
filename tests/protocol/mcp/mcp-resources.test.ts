import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Body, connect } from '../../support/http.ts';
import { pluck } from '../../support/rows.ts';
import { passed, refused, sendLegacy, sendModern } from '../../support/rpc.ts';
import { startFor } from '../../support/server.ts';

const resources = suite('resources and completion over /mcp');
const code = '15-1252.00';
const server = await startFor(resources, { RATE_LIMIT_MINT: '77' });
const http = await connect(server.origin);

const legacy = async (method: string, params?: object): Promise<Body> =>
  passed(await sendLegacy(server.port, method, params));
const modern = async (method: string, params: Record<string, unknown> = {}): Promise<Body> => {
  const name = typeof params.uri === 'string' ? { 'Mcp-Name': params.uri } : {};
  return passed(await sendModern(server.port, method, params, name as Record<string, string>));
};
const templateOf = async (): Promise<string> =>
  (await legacy('resources/templates/list')).resourceTemplates[0].uriTemplate;
const complete = async (value: string) => {
  const ref = { type: 'ref/resource', uri: await templateOf() };
  return (await legacy('completion/complete', { ref, argument: { name: 'code', value } })).completion;
};

resources('every listed resource has the bytes of its URI over HTTP', async () => {
  const { resources: listed, nextCursor } = await legacy('resources/list');
  assert.is(nextCursor, undefined);
  const paths = listed.map(({ uri }: Body) => new URL(uri).pathname);
  for (const path of ['/pricing', '/llms.txt', '/openapi.json', '/occupations', '/.well-known/agents.json'])
    assert.ok(paths.includes(path), path);
  assert.ok(paths.filter((path: string) => /^\/guides\/[\w-]+\.md$/.test(path)).length > 5);
  assert.not.ok(paths.some((path: string) => /candidates|placements|workspace(?!\.md)/.test(path)));
  assert.is(new Set(paths).size, paths.length);
  assert.is(new Set(pluck(listed, 'name')).size, listed.length);
  for (const { uri, mimeType, title, description } of listed) {
    assert.ok(title && description, uri);
    const response = await fetch(uri);
    assert.is(response.status, 200, uri);
    assert.is(response.headers.get('content-type')!.split(';')[0], mimeType, uri);
    const { contents } = await legacy('resources/read', { uri });
    assert.equal(contents, [{ uri, mimeType, text: await response.text() }], uri);
  }
});

resources('a resource shows the settings of the operator', async () => {
  const { contents } = await modern('resources/read', { uri: `${server.origin}/llms.txt` });
  assert.match(contents[0].text, /77 new workspaces/);
});

resources('an occupation is read through the template, and nothing else is', async () => {
  const template = await templateOf();
  assert.is(template, `${server.origin}/occupations/{code}`);
  const uri = template.replace('{code}', code);
  const { contents } = await legacy('resources/read', { uri });
  assert.is(contents[0].text, (await http.get(`/occupations/${code}`)).text);
  const odd = [
    ...[
      ...['99-9999.99', '', '{code}', '..', '../../pricing', '%2e%2e/pricing', `${code}/`],
      ...[`${code}.json`, `${code}?q=1`],
    ],
    ...[` ${code}`, code.replace('-', '%2D'), '__proto__', 'constructor', '\ud800', 'x'.repeat(50_000)],
  ].map((text) => template.replace('{code}', () => text));
  const other = [
    ...[`${server.origin}/candidates`, `${server.origin}/nothing`, `${server.origin}/occupations?q=nurse`],
    ...['/pricing', 'file:///etc/passwd', 'https://example.org/pricing', `${server.origin}/workspace`, ''],
  ];
  for (const wrong of [...odd, ...other, undefined, 7, null, [uri], { uri }]) {
    const answer = await sendLegacy(server.port, 'resources/read', { uri: wrong });
    refused(answer, 200, -32602);
    assert.match(answer.error.message, /resources\/list/);
    assert.ok(answer.text.length < 1200, String(answer.text.length));
  }
  const answer = await sendLegacy(server.port, 'resources/read', { uri: 'x:y' });
  assert.is(answer.error.data.uri, 'x:y', 'the missing one is named');
});

resources('completes a code by its beginning and by title', async () => {
  const { values, total, hasMore } = await complete('15-12');
  assert.ok(values.length > 5 && values.every((one: string) => one.startsWith('15-12')));
  assert.equal(total, values.length);
  assert.is(hasMore, false);
  assert.is((await complete('Registered nurs')).values[0], '29-1141.00');
  assert.ok((await complete('rn')).values.includes('29-1141.00'), 'it is found by title');
  assert.ok((await complete('android developer')).values.includes(code));
  const all = await complete('');
  assert.is(all.values.length, 100);
  assert.is(all.total, 1016);
  assert.is(all.hasMore, true);
  assert.equal(await complete('zzzzqqqq'), { values: [], total: 0, hasMore: false });
  for (const one of ['%', '\u0000', '😀'.repeat(100), '.*', '(', '__proto__'])
    assert.ok((await complete(one)).values.length <= 100, one);
});

resources('refuses to complete other arguments, and any text that is too long', async () => {
  const ref = { type: 'ref/resource', uri: await templateOf() };
  const argument = { name: 'code', value: 'nurse' };
  const ask = (params: object) => sendLegacy(server.port, 'completion/complete', params);
  for (const params of [
    {},
    { ref },
    { argument },
    { ref: { type: 'ref/prompt', name: 'x' }, argument },
    { ref: { ...ref, uri: 'x'.repeat(60_000) }, argument },
    { ref: 7, argument },
    { ref, argument: { name: 'id', value: 'x' } },
    { ref, argument: { name: 'code' } },
    { ref, argument: { name: 'code', value: 7 } },
    { ref, argument: { name: 'code', value: 'x'.repeat(201) } },
    { ref, argument: { name: 'code', value: 'nurse '.repeat(10_000) } },
  ]) {
    const answer = await ask(params);
    refused(answer, 200, -32602);
    assert.ok(answer.text.length < 1000, answer.text.slice(0, 200));
  }
});

resources('works with every revision, and says without a handshake how long a read lasts', async () => {
  const found = await modern('server/discover');
  assert.equal(found.capabilities, { tools: {}, resources: {}, prompts: {}, completions: {} });
  const uri = `${server.origin}/pricing`;
  for (const [method, params] of [
    ['resources/list', {}],
    ['resources/templates/list', {}],
    ['resources/read', { uri }],
  ] as const) {
    const result = await modern(method, params);
    const { resultType, _meta, ttlMs, cacheScope, ...rest } = result;
    assert.is(resultType, 'complete');
    assert.is(cacheScope, 'public');
    assert.ok(ttlMs > 0);
    assert.is(typeof _meta, 'object');
    assert.equal(await legacy(method, params), rest, method);
  }
  const wrong = await sendModern(server.port, 'resources/read', { uri }, { 'Mcp-Name': `${uri}x` });
  refused(wrong, 400, -32020);
  for (const method of ['resources/list', 'resources/templates/list'])
    refused(await sendLegacy(server.port, method, { cursor: 'x' }), 200, -32602);
});

resources.run();
