import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Body, connect } from '../../support/http.ts';
import { openFor } from '../../support/open-host.ts';
import { pluck, words } from '../../support/rows.ts';
import { findPort } from '../../support/server.ts';
import { openWire, type Wire } from '../../support/visit.ts';

/**
 * What the public validator of apis-ax-axp@2.6.0 reads in the documents. tests/rules/kernel/faces.test.ts tests the
 * home page.
 */
const axp = suite('what the public validator reads');
const publicOrigin = 'https://careers.example';
const jsonAccept = { accept: 'application/json' };

const port = await findPort();
const local = await openFor(axp);
await openFor(axp, { PORT: String(port), BASE_URL: publicOrigin, DECLARE_TEST_SUITE: '1' });
const here = openWire(local.origin, local.port);
const there = openWire(publicOrigin, port);

const { body: card } = await here.get('/.well-known/agents.json');
const { body: contract } = await here.get('/openapi.json', jsonAccept);
const { body: pricing } = await here.get('/pricing', jsonAccept);

/** GET operations of the contract that need no parameter. */
const openPaths = Object.entries<Body>(contract.paths).flatMap(([path, { get }]) => {
  const needs = get?.parameters?.some(({ required }: Body) => required) || get?.security?.length > 0;
  return get && !path.includes('{') && !needs ? [path] : [];
});

const places: [string, Wire][] = [
  ['here', here],
  ['at a public origin', there],
];

for (const [where, wire] of places) {
  axp(`${where}, the card links to llms.txt, the contract and the catalogue`, async () => {
    const llms = await wire.get(card.llms);
    assert.is(llms.status, 200);
    assert.match(llms.text, /^#\s+\S/m);
    assert.ok(llms.text.length >= 80);
    for (const word of ['agents.json', 'icp.json', 'openapi'])
      assert.ok(llms.text.includes(word), `llms.txt mentions ${word}`);
    const { status, body } = await wire.get(card.openapi, jsonAccept);
    assert.is(status, 200);
    assert.match(body.openapi, /^3\.1/);
    const known = (await wire.get('/.well-known/agents.json')).body;
    for (const value of [known.name, known.interfaces.mcp.url, known.interfaces.mcp.transport])
      assert.type(value, 'string');
    assert.ok(known.interfaces.mcp.tools.length > 5);
    assert.ok(Array.isArray((await wire.get('/icp.json')).body.agent_classes));
    assert.ok(known.attestationLadder.length > 0);
    for (const name of ['digitalLink', 'uiMessageStream']) assert.not(name in known.interfaces, name);
    assert.is('testSuite' in known.interfaces, wire === there);
  });

  axp(`${where}, every open GET answers in the media type of its contract, and is never empty`, async () => {
    assert.ok(openPaths.length > 10);
    for (const path of openPaths) {
      const { status, type, text } = await wire.get(path, jsonAccept);
      const { responses } = contract.paths[path].get;
      assert.ok(status !== 404 && responses[String(status)], `${path} answered ${status}`);
      const [first] = Object.keys(responses[String(status)].content);
      assert.is(type, first, path);
      assert.ok(text.length > 0, path);
    }
  });
}

axp('every open GET answers as its schema says', async () => {
  const client = await connect(local.origin);
  for (const path of openPaths) await client.get(path, jsonAccept);
});

/** Returns the addresses of one probe channel of the card, on this server. */
const toProbes = (channel: string): { url: URL; param?: string }[] =>
  [card.probes[channel] ?? []]
    .flat()
    .map(({ url, ...rest }: Body) => ({ url: new URL(url, local.origin), ...rest }));

axp('each probe is a GET that the contract has, and each channel has enough of them', () => {
  for (const [channel, least] of Object.entries({
    keyless: 1,
    pricing: 1,
    knownEmpty: 2,
    knownForbidden: 2,
    overCeiling: 1,
  }))
    assert.ok(new Set(pluck(toProbes(channel), 'url').map(String)).size >= least, channel);
  for (const channel of Object.keys(card.probes)) {
    for (const { url, method = 'GET' } of toProbes(channel) as Body[]) {
      assert.equal(url.origin, local.origin);
      assert.is(method, 'GET');
      assert.ok('get' in contract.paths[url.pathname]);
    }
  }
});

/** What the addresses of each channel answer. Without their query they answer 200 OK. */
const answers: [channel: string, status: number, type: string][] = [
  ['keyless', 200, 'OK'],
  ['pricing', 200, 'OK'],
  ['knownEmpty', 200, 'EMPTY'],
  ['knownForbidden', 403, 'BLOCKED'],
];

for (const [channel, status, type] of answers) {
  axp(`a ${channel} probe answers ${status} ${type} because of its query`, async () => {
    for (const { url } of toProbes(channel)) {
      const asked = await here.get(url.href, jsonAccept);
      assert.equal(asked.status, status, url.href);
      assert.equal(asked.body.type, type, url.href);
      if (url.search === '') continue;
      const plain = await here.get(url.pathname, jsonAccept);
      assert.is(plain.status, 200, url.pathname);
      assert.is(plain.body.type, 'OK', url.pathname);
    }
  });
}

axp('refuses spend above the ceiling of the pricing document, and accepts less', async () => {
  const { model, hardCeiling } = pricing;
  assert.is(model, 'metered');
  assert.ok(hardCeiling > 0);
  const [probe] = toProbes('overCeiling');
  for (const [times, status, type] of [
    [1371.5, 402, 'OFFER'],
    [0.5, 200, 'OK'],
    [0, 200, 'OK'],
  ] as const) {
    probe!.url.searchParams.set(probe!.param!, String(hardCeiling * times));
    const seen = await here.get(probe!.url.href, jsonAccept);
    assert.equal(seen.status, status, probe!.url.href);
    assert.equal(seen.body.type, type, probe!.url.href);
  }
});

axp('the card lists offers, and its probe answers with one', async () => {
  const { offers, probe } = card.monetization;
  assert.ok(offers.length > 0);
  assert.is(probe.method ?? 'GET', 'GET');
  const { status, body } = await here.get(probe.url, jsonAccept);
  assert.is(status, 402);
  assert.is(body.type, 'OFFER');
  assert.is(typeof body.id, 'string');
  assert.ok(Array.isArray(body.alternatives));
});

axp('MCP needs no key, and no tool declares a page of its own', async () => {
  const plain = await here.get(card.interfaces.mcp.url, jsonAccept);
  assert.is(plain.status, 405);
  assert.is(plain.headers['www-authenticate'], undefined);
  const accept = { accept: 'application/json, text/event-stream' };
  const ask = (method: string, params: object) =>
    here.post(card.interfaces.mcp.url, { jsonrpc: '2.0', id: 1, method, params }, accept);
  const clientInfo = { name: 'api.qa', version: '0.1.0' };
  const hello = await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  assert.ok(hello.body.result.protocolVersion);
  const { tools } = (await ask('tools/list', {})).body.result;
  assert.ok(tools.length > 0);
  for (const { name, _meta } of tools)
    assert.not(_meta?.ui || _meta?.['openai/outputTemplate'], `${name} carries a page`);
});

axp('a declared suite is served with its digest, and covers exactly our own domain', async () => {
  const known = (await there.get('/.well-known/agents.json')).body;
  const { http: _, mcp, testSuite, ...others } = known.interfaces;
  assert.is(testSuite.runner, 'api.qa/vitest@1');
  const { text, body } = await there.get(testSuite.url);
  assert.is(`sha256:${createHash('sha256').update(text).digest('hex')}`, testSuite.digest);
  assert.type(body.environments[testSuite.environment ?? 'public'].vars, 'object');
  const operations = Object.values<Body>(contract.paths).flatMap((item) => Object.values<Body>(item));
  const domain = [
    ...operations.map(({ operationId }) => `openapi:${operationId}`),
    ...mcp.tools.map((name: string) => `mcp:${name}`),
    ...Object.keys(others).map((name) => `interfaces.${name}`),
  ];
  const covered = Object.entries<string[]>(body.coverage).filter(([, tests]) => tests.length > 0);
  assert.equal(covered.map(([identifier]) => identifier).sort(), domain.sort());
});

axp('no document names localhost', async () => {
  const more = words(`
    / /index.html /index.md /robots.txt /sitemap.xml /mcp/server-card /.well-known/api-catalog /verify
    /.well-known/agents.json /llms.txt /icp.json
  `);
  for (const path of [...openPaths, ...more]) {
    const { url, text, headers } = await there.get(path);
    assert.not.match(text + JSON.stringify(headers), /localhost|127\.0\.0\.1/, url);
  }
});

axp('documents differ between origins in the origin alone', async () => {
  const read = async (wire: Wire, path: string) =>
    (await wire.get(path)).text
      .replaceAll(/https?:\/\/(localhost:\d+|careers\.example)/g, 'ORIGIN')
      .replaceAll('](ORIGIN/', '](/')
      .replace('"servers":[{"url":"ORIGIN"', '"servers":[{"url":"/"');
  for (const path of ['/openapi.json', '/llms.txt', '/icp.json', '/verify', '/pricing', '/index.md'])
    assert.is(await read(there, path), await read(here, path), path);
});

axp('an unknown well-known address is a 404, whatever Accept says', async () => {
  for (const name of words(`
    agent-configuration mcp/server.json mcp-registry-auth oauth-protected-resource
    oauth-protected-resource/mcp oauth-authorization-server openid-configuration gs1resolver
    ai-plugin.json agent-card.json x402 no-such-document
  `)) {
    for (const accept of ['*/*', 'text/html,application/xhtml+xml,*/*;q=0.8', 'application/json']) {
      const { status, type, body } = await here.get(`/.well-known/${name}`, { accept });
      assert.is(status, 404, name);
      assert.is(type, 'application/json', name);
      assert.is(body.type, 'EMPTY', name);
    }
  }
});

axp.run();
