import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const read = (file: string) => JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', file), 'utf8'));
const registry = suite('server.json for the MCP registry');

registry('matches the schema of the registry, and describes the service as its documents do', () => {
  const { $schema, name, remotes, ...told } = read('server.json');
  assert.is($schema, 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json');
  assert.match(name, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/);
  const { title, version, tagline: description } = read('content/service.json');
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

registry.run();
