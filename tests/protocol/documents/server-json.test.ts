import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readHostCommand } from '../../../src/hosts/node/host-command.ts';
import { Environment } from '../../../src/hosts/node/settings.ts';

const read = (file: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', '..', file), 'utf8'));
const registry = suite('server.json for the MCP registry');

const server = read('server.json');
const manifest = read('package.json');
const [remote] = server.remotes;
const [entry] = server.packages;

registry('has members that the schema of the registry allows', () => {
  const { $schema, name, title, description, version, remotes, packages, ...others } = server;
  assert.is($schema, 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json');
  assert.match(name, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  for (const text of [title, description]) assert.ok(text.length > 0 && text.length <= 100, text);
  assert.not.match(version, /[~^<>=*x]|latest/);
  for (const list of [remotes, packages]) assert.is(list.length, 1);
  assert.equal(others, {});
});

registry('describes the service as its documents do', () => {
  const { title, tagline } = read('content/service.json');
  assert.is(server.title, title);
  assert.is(server.description, tagline);
});

registry('has the version of the package, because the registry takes each version once', () => {
  assert.is(server.version, manifest.version);
});

registry('lists the address of /mcp over Streamable HTTP', () => {
  const { type, url, variables, ...others } = remote;
  assert.is(type, 'streamable-http');
  assert.is(new URL(url.replace('{host}', variables.host.placeholder)).pathname, '/mcp');
  assert.equal(others, {});
});

registry('explains each variable of the address', () => {
  const names = [...remote.url.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  assert.equal(names, Object.keys(remote.variables));
});

registry('lists the package, which has the version of the server and names it back', () => {
  assert.is(entry.registryType, 'npm');
  assert.is(entry.identifier, manifest.name);
  assert.is(entry.version, server.version);
  assert.is(manifest.mcpName, server.name);
});

registry('starts the package over stdio', () => {
  assert.equal(entry.transport, { type: 'stdio' });
  const host = readHostCommand(entry.packageArguments.map(({ value }: { value: string }) => value));
  assert.ok(host.isStdio);
});

registry('names settings of the host for the package', () => {
  for (const { name } of entry.environmentVariables) assert.ok(name in Environment.entries, name);
});

registry.run();
