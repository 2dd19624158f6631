import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Body, unknownWorkspace } from '../../support/http.ts';
import { onetCode } from '../../support/sandbox.ts';
import { useServer } from '../../support/server.ts';

type Mode = 'auto' | 'legacy' | { pin: string };

const official = suite('the official client');
const current = '2026-07-28';
const modes: [name: string, mode: Mode, version: string][] = [
  ['auto', 'auto', current],
  ['legacy', 'legacy', '2025-11-25'],
  ['pinned', { pin: current }, current],
];
const { origin } = await useServer();
const candidate = { name: 'Ada Example-Sample', onetCode };

/** Calls, the type of their answer, and whether it is an error. */
const calls: [tool: string, args: Record<string, unknown>, type: string, isError?: true][] = [
  ['listOccupations', { q: 'android developer', limit: 3 }, 'OK'],
  ['codeTitles', { titles: ['Sr. SWE (backend)', 'zzqxv'] }, 'OK'],
  ['createCandidate', { ...candidate, skills: ['TypeScript'], metro: 'Austin, TX' }, 'OK'],
  ['createPlacement', { candidateId: 'cand_none', jobOrderId: 'job_001', onetCode }, 'OK'],
  ['createBatch', { candidates: [candidate] }, 'OK'],
  ['getPricing', {}, 'OK'],
  ['listCandidates', { status: 'nonesuch' }, 'EMPTY'],
  ['getPlacement', { id: 'never' }, 'EMPTY'],
  ['getOccupation', {}, 'BLOCKED', true],
  ['listPlacements', { scope: 'admin' }, 'BLOCKED', true],
  ['getCandidate', { id: 'never', workspace: unknownWorkspace }, 'BLOCKED', true],
  ['updateCandidate', { id: 'cand_001', name: 'Other' }, 'BLOCKED', true],
  ['getWorkspace', {}, 'BLOCKED', true],
  ['getOffer', {}, 'OFFER'],
  ['listPlacements', { spend: 26 }, 'OFFER', true],
];

for (const [name, mode, version] of modes) {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });

  official(`${name}: connects at ${version}`, async () => {
    await client.connect(new StreamableHTTPClientTransport(new URL(`${origin}/mcp`)));
    assert.is(client.getNegotiatedProtocolVersion(), version);
    assert.is(client.getProtocolEra(), version === current ? 'modern' : 'legacy');
    assert.equal(client.getServerCapabilities(), {
      tools: {},
      resources: {},
      prompts: {},
      completions: {},
    });
    assert.type(client.getServerVersion()?.name, 'string');
    assert.match(client.getInstructions() ?? '', 'listOccupations');
  });

  official(`${name}: lists tools that every model API accepts, always in the same order`, async () => {
    const { tools, nextCursor } = await client.listTools();
    assert.is(nextCursor, undefined);
    for (const tool of tools) {
      assert.match(tool.name, /^[A-Za-z0-9_-]{1,64}$/);
      assert.ok(tool.annotations?.title && tool.description);
      assert.is(tool.inputSchema.type, 'object');
      assert.is(
        /retention in the result/.test(tool.description),
        /^(create|importRecords|startBrief)/.test(tool.name) && tool.name !== 'createShortlist',
        `${tool.name} says how long records are kept`,
      );
    }
    assert.equal((await client.listTools(undefined, { cacheMode: 'refresh' })).tools, tools);
  });

  official(`${name}: calls each kind of tool, and accepts every envelope`, async () => {
    for (const [tool, args, type, isError] of calls) {
      const result = await client.callTool({ name: tool, arguments: args });
      const envelope = result.structuredContent as Body;
      assert.equal(envelope.type, type, `${tool} ${JSON.stringify(args)}`);
      assert.equal(result.isError, isError, `${tool} ${JSON.stringify(args)}`);
      const [text] = result.content as { type: string; text: string }[];
      assert.equal(JSON.parse(text!.text), envelope);
    }
  });

  official(`${name}: reads resources, and completes a code`, async () => {
    assert.ok((await client.listResources()).resources.length > 15);
    const [{ uriTemplate: uri }] = (await client.listResourceTemplates()).resourceTemplates as [Body];
    const argument = { name: 'code', value: 'software dev' };
    const { completion } = await client.complete({ ref: { type: 'ref/resource', uri }, argument });
    assert.is(completion.values[0], onetCode);
    const { contents } = await client.readResource({ uri: uri.replace('{code}', onetCode) });
    assert.is(JSON.parse((contents as Body)[0].text).occupation.id, onetCode);
    await client.close();
  });
}

official.run();
