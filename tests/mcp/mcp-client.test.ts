import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readContract } from '../support/contract.ts';
import { type Body, unknownWorkspace } from '../support/http.ts';
import { pluck } from '../support/rows.ts';
import { startFor } from '../support/server.ts';

type Mode = 'auto' | 'legacy' | { pin: string };
type Call = readonly [tool: string, args: Record<string, unknown>];

const official = suite('the official client');
const current = '2026-07-28';
const modes: [name: string, mode: Mode, version: string][] = [
  ['auto', 'auto', current],
  ['legacy', 'legacy', '2025-11-25'],
  ['pinned', { pin: current }, current],
];
const onetCode = '15-1252.00';
const candidate = { name: 'Ada Example-Sample', onetCode };
const jobOrder = { client: 'Example Works', title: 'Engineer', onetCode };
const placement = { candidateId: 'cand_001', jobOrderId: 'job_001', onetCode };
const recordTools = ['getCandidate', 'getJobOrder', 'getPlacement'];
const listTools = ['listCandidates', 'listJobOrders', 'listPlacements'];

const good: Call[] = [
  ['listOccupations', {}],
  ['listOccupations', { q: 'android developer', limit: 3 }],
  ['getOccupation', { id: onetCode }],
  ['codeTitles', { titles: ['Sr. SWE (backend)', 'zzqxv'] }],
  ['listCandidates', {}],
  ['createCandidate', { ...candidate, skills: ['TypeScript'], metro: 'Austin, TX' }],
  ['getCandidate', { id: 'cand_001' }],
  ['listJobOrders', { scope: 'public', limit: 5 }],
  ['createJobOrder', { ...jobOrder, billRateUsdHour: 95.5 }],
  ['getJobOrder', { id: 'job_001' }],
  ['listPlacements', { scope: 'public' }],
  ['createPlacement', { ...placement, startDate: '2026-02-28', feeModel: 'perm-fee' }],
  ['createPlacement', { ...placement, candidateId: 'cand_none' }],
  ['getPlacement', { id: 'plc_001' }],
  ['createBatch', { candidates: [candidate] }],
  ['getPricing', {}],
];
const empty: Call[] = [
  ['listOccupations', { majorGroup: '99' }],
  ['getOccupation', { id: '15-1252.99' }],
  ...listTools.map((tool): Call => [tool, { status: 'nonesuch' }]),
  ...recordTools.map((tool): Call => [tool, { id: 'never' }]),
];
const blocked: Call[] = [
  ['listOccupations', { limit: 0 }],
  ['getOccupation', {}],
  ['codeTitles', { titles: [] }],
  ['listPlacements', { scope: 'admin' }],
  ...listTools.map((tool): Call => [tool, { workspace: unknownWorkspace }]),
  ...recordTools.map((tool): Call => [tool, { id: 'never', workspace: unknownWorkspace }]),
  ['createCandidate', {}],
  ['createJobOrder', { ...jobOrder, onetCode: 'nonesuch' }],
  ['createPlacement', { ...placement, workspace: unknownWorkspace }],
  ['getWorkspace', {}],
  ['updateCandidate', { id: 'cand_001', name: 'Other' }],
];
const server = await startFor(official, { RECORD_CEILING: '1' });
const { contract } = await readContract(server.origin);
/** Every tool, in the order of the table. */
const { tools: names } = (await (await fetch(`${server.origin}/.well-known/agents.json`)).json()).interfaces
  .mcp;

const ajv = new Ajv2020({ strict: false, allErrors: true });
(addFormats as unknown as (ajv: Ajv2020) => void)(ajv);

const shapes = new Map<string, ReturnType<typeof ajv.compile>>();

/** Checks a body against what the contract says that an operation can answer. */
function toShape(tool: string): ReturnType<typeof ajv.compile> {
  const operations = Object.values(contract.paths).flatMap((verbs) => Object.values(verbs));
  const { responses } = operations.find(({ operationId }) => operationId === tool)!;
  const media = Object.values(responses).flatMap(({ content = {} }) => Object.values(content));
  const anyOf = pluck(media, 'schema');
  const shape = shapes.get(tool) ?? ajv.compile({ anyOf, components: contract.components });
  shapes.set(tool, shape);
  return shape;
}

for (const [name, mode, version] of modes) {
  let client: Client;

  /** Calls a tool, and holds its envelope to what the contract says of its operation. */
  async function call([tool, args]: Call): Promise<{ envelope: Body; isError: boolean }> {
    const result = await client.callTool({ name: tool, arguments: args });
    const envelope = result.structuredContent as Body;
    const fits = toShape(tool);
    assert.ok(
      fits(envelope),
      `${tool} ${JSON.stringify(args)}: ${ajv.errorsText(fits.errors)}\n${JSON.stringify(envelope)}`,
    );
    const [text] = result.content as { type: string; text: string }[];
    assert.equal(JSON.parse(text!.text), envelope);
    return { envelope, isError: result.isError === true };
  }

  async function expect(calls: Call[], type: string, isError: boolean): Promise<void> {
    for (const one of calls) {
      const { envelope, isError: given } = await call(one);
      assert.equal([envelope.type, given], [type, isError], `${one[0]} ${JSON.stringify(one[1])}`);
    }
  }

  official(`${name}: connects at ${version}`, async () => {
    client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${server.origin}/mcp`)));
    assert.is(client.getNegotiatedProtocolVersion(), version);
    assert.is(client.getProtocolEra(), version === current ? 'modern' : 'legacy');
    assert.equal(client.getServerCapabilities(), { tools: {}, resources: {}, completions: {} });
    assert.type(client.getServerVersion()?.name, 'string');
    assert.match(client.getInstructions() ?? '', 'listOccupations');
  });

  official(`${name}: lists tools that every model API takes, always in one order`, async () => {
    const { tools, nextCursor } = await client.listTools();
    assert.is(nextCursor, undefined);
    assert.equal(
      tools.map((tool) => tool.name),
      names,
    );
    for (const tool of tools) {
      assert.match(tool.name, /^[A-Za-z0-9_-]{1,64}$/);
      assert.ok(tool.title && tool.description);
      assert.is(tool.inputSchema.type, 'object');
      const creates = /^(create|request|start)/.test(tool.name);
      const deletes = tool.name === 'deleteWorkspace';
      const updates = deletes || /^(update|state|answer)/.test(tool.name);
      assert.equal(tool.annotations, {
        readOnlyHint: !creates && !updates,
        ...((creates || updates) && { destructiveHint: updates }),
        ...(deletes && { idempotentHint: true }),
        openWorldHint: false,
      });
      assert.is(
        /retention in the result/.test(tool.description),
        tool.name.startsWith('create') && tool.name !== 'createShortlist',
        `${tool.name} tells how long records are kept`,
      );
    }
    const again = await client.listTools(undefined, { cacheMode: 'refresh' });
    assert.equal(again.tools, tools);
  });

  official(`${name}: every tool gives what it is for`, () => expect(good, 'OK', false));
  official(`${name}: what is not there is EMPTY, and no error`, () => expect(empty, 'EMPTY', false));
  official(`${name}: a boundary is BLOCKED, and an error`, () => expect(blocked, 'BLOCKED', true));

  official(`${name}: beyond a ceiling is an OFFER, an error unless it was asked for`, async () => {
    await expect([['getOffer', {}]], 'OFFER', false);
    await expect([['listPlacements', { spend: 26 }]], 'OFFER', true);
    const full = (await call(['createCandidate', candidate])).envelope.workspace;
    const more: Call[] = [
      ['createCandidate', { ...candidate, workspace: full }],
      ['createJobOrder', { ...jobOrder, workspace: full }],
      ['createPlacement', { ...placement, workspace: full }],
    ];
    await expect(more, 'OFFER', true);
    const { envelope } = await call(['listCandidates', { workspace: full, limit: 1 }]);
    assert.is(envelope.candidates[0].example, false);
    await client.close();
  });
}

official.run();
