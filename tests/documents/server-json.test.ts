import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readHostCommand } from '../../src/hosts/node/host-command.ts';
import { Environment } from '../../src/hosts/node/settings.ts';

const read = (file: string) => JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', file), 'utf8'));
const registry = suite('server.json for the MCP registry');

registry('matches the schema of the registry, and describes the service as its documents do', () => {
  const { $schema, name, remotes, packages: _, ...told } = read('server.json');
  assert.is($schema, 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json');
  assert.match(name, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  const { title, tagline: description } = read('content/service.json');
  // The registry takes each version once, so it is that of the package and not that of the contract.
  const { version } = read('package.json');
  assert.equal(told, { title, description, version });
  for (const text of [title, description]) assert.ok(text.length > 0 && text.length <= 100, text);
  assert.not.match(version, /[~^<>=*x]|latest/);
  assert.ok(remotes.length > 0);
  for (const { type, url, variables, ...others } of remotes) {
    assert.is(type, 'streamable-http');
    assert.equal(others, {});
    const open = [...url.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    assert.equal(open, Object.keys(variables), 'each variable is explained');
    for (const { placeholder } of Object.values<{ placeholder: string }>(variables))
      assert.is(new URL(url.replace(/\{\w+\}/, placeholder)).pathname, '/mcp');
  }
});

const manifest = read('package.json');
const [entry] = read('server.json').packages;

registry('lists the package, which has the version of the server and names it back', () => {
  assert.is(entry.registryType, 'npm');
  assert.is(entry.identifier, manifest.name);
  assert.is(entry.version, read('server.json').version);
  assert.is(manifest.mcpName, read('server.json').name);
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
