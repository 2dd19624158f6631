import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connect } from '../../support/http.ts';
import { openFor } from '../../support/open-host.ts';
import { pluck } from '../../support/rows.ts';
import { findPort, useServer } from '../../support/server.ts';

const discovery = suite('discovery documents');
const base = 'https://careers.example.org';
const contact = 'mailto:security@example.org';
const server = await openFor(discovery, {
  BASE_URL: base,
  CONTACT: contact,
  PORT: String(await findPort()),
});
const client = await connect(server.origin);

const read = async (path: string) => {
  const { status, body, text, headers } = await client.get(path);
  assert.is(status, 200, path);
  return { body, text, type: headers.get('content-type')! };
};
const toPath = (href: string) => {
  assert.is(new URL(href).origin, base, href);
  return new URL(href).pathname;
};

discovery('card, catalogue, server cards, skills and security.txt name one service', async () => {
  const { body: card } = await read('/.well-known/agents.json');
  const { body: catalogue } = await read(card.links.apiCatalog);
  const { body: serverCard, text } = await read(card.links.mcpServerCard);
  const { body: contract } = await read(card.openapi);
  const { result } = (await client.rpc('initialize', { protocolVersion: '2025-11-25' })).body;
  const { tools } = (await client.rpc('tools/list')).body.result;

  for (const other of ['/.well-known/mcp/server-card.json', '/.well-known/mcp.json'])
    assert.is((await read(other)).text, text, other);
  assert.is(toPath(serverCard.remotes[0].url), card.interfaces.mcp.url);
  assert.is(serverCard.remotes[0].type, card.interfaces.mcp.transport);
  assert.ok(serverCard.remotes[0].supportedProtocolVersions.includes(result.protocolVersion));
  const { version, name, title } = result.serverInfo;
  for (const one of [card.version, serverCard.version, contract.info.version]) assert.is(one, version);
  for (const one of [card.name, serverCard.name.split('/')[1]]) assert.is(one, name);
  for (const one of [card.title, serverCard.title]) assert.is(one, title);
  assert.equal(pluck(tools, 'name'), card.interfaces.mcp.tools);

  const [{ anchor, ...links }] = catalogue.linkset;
  assert.is(toPath(anchor), '/');
  const listed: [string, string][] = Object.values<{ href: string; type: string }[]>(links)
    .flat()
    .map(({ href, type }) => [toPath(href), type]);
  for (const [path, type] of listed) assert.is((await read(path)).type.split(';')[0], type, path);
  const paths = listed.map(([path]) => path);
  const { openapi, llms, links: own } = card;
  for (const path of [openapi, llms, own.mcpServerCard, own.skills, '/.well-known/agents.json'])
    assert.ok(paths.includes(path), `the catalogue has ${path}`);

  const { body: index } = await read(card.links.skills);
  for (const { url, digest } of index.skills) {
    const { text: skill } = await read(url);
    assert.is(digest, `sha256:${createHash('sha256').update(skill).digest('hex')}`);
    assert.match(skill, `connect to ${serverCard.remotes[0].url}:`);
    const named = [...skill.matchAll(/\[([a-z][\w, ]+)\]/gi)].flatMap(([, names]) => names!.split(', '));
    assert.ok(named.length > 8);
    for (const tool of named) assert.ok(card.interfaces.mcp.tools.includes(tool), tool);
  }

  const { text: security } = await read(card.links.security);
  assert.match(security, `Contact: ${contact}\n`);
  assert.is(toPath(/^Canonical: (.*)$/m.exec(security)![1]!), card.links.security);
});

discovery('without a contact there is no security.txt, and nothing links to one', async () => {
  const quiet = await connect((await useServer()).origin);
  const card = await quiet.get('/.well-known/agents.json');
  assert.is(card.body.links.security, undefined);
  assert.is((await quiet.get('/.well-known/security.txt')).status, 404);
});

discovery.run();
