import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const root = join(import.meta.dirname, '..', '..');
const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'));
const published = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';
const text = { type: 'string', minLength: 1, maxLength: 100 };
const words = { type: 'string' };

/** What the schema of that name asks of the members that we have; the members themselves are all that it knows. */
const schema = {
  type: 'object',
  required: ['name', 'description', 'version'],
  additionalProperties: false,
  properties: {
    $schema: { const: published },
    name: { type: 'string', minLength: 3, maxLength: 200, pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$' },
    title: text,
    description: text,
    version: { type: 'string', maxLength: 255, not: { pattern: '[~^<>=*x]|latest' } },
    remotes: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['type', 'url'],
        additionalProperties: false,
        properties: {
          type: { enum: ['streamable-http', 'sse'] },
          url: words,
          variables: {
            type: 'object',
            additionalProperties: {
              type: 'object',
              additionalProperties: false,
              properties: { description: words, placeholder: words, isRequired: { type: 'boolean' } },
            },
          },
        },
      },
    },
  },
};

const registry = suite('server.json, for the MCP registry');

registry('is valid, and says of the service what the service says', () => {
  const server = read('server.json');
  const ajv = new Ajv({ strict: false });
  assert.ok(ajv.validate(schema, server), ajv.errorsText());
  assert.not(ajv.validate(schema, { ...server, description: 'x'.repeat(101) }), 'the schema refuses');
  const { title, version, tagline } = read('content/service.json');
  assert.equal([server.title, server.version, server.description], [title, version, tagline]);
});

registry('leaves no part of its address open that it does not explain', () => {
  for (const { url, variables } of read('server.json').remotes) {
    const open = [...url.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    assert.equal(open, Object.keys(variables));
    for (const { placeholder } of Object.values<{ placeholder: string }>(variables))
      assert.is(new URL(url.replace(/\{\w+\}/, placeholder)).pathname, '/mcp');
  }
});

registry.run();
