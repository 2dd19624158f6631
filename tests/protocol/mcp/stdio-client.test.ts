import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Body } from '../../support/http.ts';
import { makeFolder } from '../../support/server.ts';

const official = suite('the official client over stdio');
const main = join(import.meta.dirname, '..', '..', '..', 'dist', 'host', 'main.mjs');
const current = '2026-07-28';
const modes = [
  ['auto', 'auto', current],
  ['legacy', 'legacy', '2025-11-25'],
  ['pinned', { pin: current }, current],
] as const;

for (const [name, mode, version] of modes) {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  const folder = makeFolder();
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [main, '--stdio'],
    cwd: folder,
    env: { HOME: folder },
    stderr: 'ignore',
  });

  const call = async (tool: string, args: Record<string, unknown>) => {
    const { structuredContent } = await client.callTool({ name: tool, arguments: args });
    return structuredContent as Body;
  };

  official(`${name}: connects at ${version}`, async () => {
    await client.connect(transport);
    assert.is(client.getNegotiatedProtocolVersion(), version);
  });

  official(`${name}: lists tools and prompts`, async () => {
    assert.ok((await client.listTools()).tools.length > 0);
    assert.ok((await client.listPrompts()).prompts.length > 0);
  });

  official(`${name}: reads back what it creates`, async () => {
    const { candidate, workspace } = await call('createCandidate', {
      name: 'Ada Example-Sample',
      onetCode: '15-1252.00',
    });
    const read = await call('getCandidate', { id: candidate.id, workspace });
    assert.is(read.candidate.name, 'Ada Example-Sample');
  });

  official(`${name}: reads a resource`, async () => {
    const [resource] = (await client.listResources()).resources;
    const { contents } = await client.readResource({ uri: resource!.uri });
    assert.is(contents[0]!.uri, resource!.uri);
  });

  official(`${name}: closes`, async () => {
    await client.close();
  });
}

official.run();
