import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Body } from '../../support/http.ts';
import { pluck } from '../../support/rows.ts';
import { passed, refused, sendLegacy, sendModern } from '../../support/rpc.ts';
import { useServer } from '../../support/server.ts';

const prompts = suite('prompts over /mcp');
const { origin, port } = await useServer();

const legacy = async (method: string, params?: object): Promise<Body> =>
  passed(await sendLegacy(port, method, params));
const textOf = async (name: string, given: unknown): Promise<string> => {
  const { messages } = await legacy('prompts/get', { name, arguments: given });
  assert.is(messages.length, 1);
  assert.is(messages[0].role, 'user');
  assert.is(messages[0].content.type, 'text');
  return messages[0].content.text;
};
const tools: string[] = pluck((await legacy('tools/list')).tools, 'name') as string[];
const listed: Body[] = (await legacy('prompts/list')).prompts;

/** Each prompt, arguments that it accepts, and tools that its text must name. */
const known: [name: string, args: Record<string, string>, tools: string[]][] = [
  [
    'fill-order',
    { order: 'job_1', workspace: 'ws_1' },
    ['getJobOrder', 'matchCandidates', 'createPlacement'],
  ],
  ['code-titles', { titles: 'nurse; driver' }, ['codeTitles']],
  ['what-is-due', { workspace: 'ws_1' }, ['listPlacements', 'listJobOrders', 'getWorkspace']],
  ['run-brief', { brief: 'messy-titles', variant: '7' }, ['startBrief', 'gradeBrief']],
];

prompts('lists the four prompts', () => {
  assert.equal(pluck(listed, 'name'), pluck(known as unknown as Body[], '0'));
});

prompts('each has a title, a description and described arguments, and no text', () => {
  for (const { name, title, description, arguments: takes, ...rest } of listed) {
    assert.equal(rest, {}, name);
    for (const text of [title, description, ...pluck(takes, 'description')])
      assert.match(text as string, /\S/);
  }
});

for (const [name, args, named] of known) {
  prompts(`${name} holds its arguments`, async () => {
    const text = await textOf(name, args);
    for (const value of Object.values(args)) assert.ok(text.includes(value), value);
    assert.not.match(text, /[{}]/);
  });

  prompts(`${name} names only tools that exist`, async () => {
    const text = await textOf(name, args);
    for (const tool of named) assert.ok(text.includes(tool), tool);
    for (const [word] of text.matchAll(/\b(list|get|create|match|code|grade)[A-Z]\w+/g))
      assert.ok(tools.includes(word), word);
  });

  prompts(`${name} refuses a call without a required argument, and names it`, async () => {
    const required = listed.find((one) => one.name === name).arguments.find((one: Body) => one.required).name;
    for (const value of [undefined, null, '']) {
      const params = { name, arguments: { ...args, [required]: value } };
      const answer = await sendLegacy(port, 'prompts/get', params);
      refused(answer, 200, -32602);
      assert.match(answer.error.message, required);
    }
  });
}

prompts('a line about an optional argument is left out without it', async () => {
  for (const workspace of [undefined, null, '']) {
    const text = await textOf('fill-order', { order: 'a nurse', workspace });
    assert.not.match(text, 'Pass the workspace');
    assert.match(text, 'a nurse');
  }
});

prompts('arguments may be JSON text, and a variant a number', async () => {
  assert.match(await textOf('run-brief', '{"brief": "messy-titles", "variant": 7}'), 'variant 7');
});

prompts('a placeholder in an argument stays as the caller wrote it', async () => {
  assert.match(await textOf('code-titles', { titles: '$& {workspace} $1' }), '$& {workspace} $1');
});

prompts('refuses an unknown prompt, and lists the known ones', async () => {
  for (const name of ['nonesuch', '', undefined, 7, '__proto__']) {
    const answer = await sendLegacy(port, 'prompts/get', { name, arguments: {} });
    refused(answer, 200, -32602);
    assert.match(answer.error.message, 'fill-order');
  }
});

prompts('refuses arguments of another type', async () => {
  for (const given of [[], 7, { titles: ['nurse'] }, { titles: { a: 1 } }])
    refused(await sendLegacy(port, 'prompts/get', { name: 'code-titles', arguments: given }), 200, -32602);
});

prompts('a brief is completed by its id and its title', async () => {
  const complete = async (value: string) => {
    const ref = { type: 'ref/prompt', name: 'run-brief' };
    const argument = { name: 'brief', value };
    return (await legacy('completion/complete', { ref, argument })).completion.values;
  };
  assert.equal(await complete('messy'), ['messy-titles']);
  assert.ok((await complete('')).length > 10);
  assert.equal(await complete('zzz'), []);
});

prompts('completes no other arguments of prompts', async () => {
  const ref = { type: 'ref/prompt', name: 'fill-order' };
  const { completion } = await legacy('completion/complete', {
    ref,
    argument: { name: 'order', value: 'j' },
  });
  assert.equal(completion, { values: [], total: 0, hasMore: false });
});

prompts('refuses to complete an unknown prompt or argument', async () => {
  for (const [prompt, name] of [
    ['nonesuch', 'brief'],
    ['run-brief', 'nonesuch'],
  ]) {
    const ref = { type: 'ref/prompt', name: prompt };
    refused(
      await sendLegacy(port, 'completion/complete', { ref, argument: { name, value: '' } }),
      200,
      -32602,
    );
  }
});

prompts('without a handshake, the list says how long it is valid', async () => {
  const { ttlMs, cacheScope, prompts: same } = passed(await sendModern(port, 'prompts/list'));
  assert.ok(ttlMs > 0);
  assert.is(cacheScope, 'public');
  assert.equal(same, listed);
});

prompts('without a handshake, Mcp-Name is the name of the prompt', async () => {
  const params = { name: 'code-titles', arguments: { titles: 'nurse' } };
  passed(await sendModern(port, 'prompts/get', params));
  refused(await sendModern(port, 'prompts/get', params, { 'Mcp-Name': 'run-brief' }), 400, -32020);
});

for (const mode of ['legacy', { pin: '2026-07-28' }] as const)
  prompts(`the official client lists and gets them: ${JSON.stringify(mode)}`, async () => {
    const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${origin}/mcp`)));
    assert.is((await client.listPrompts()).prompts.length, listed.length);
    const { messages } = await client.getPrompt({ name: 'code-titles', arguments: { titles: 'nurse' } });
    assert.match((messages[0]!.content as Body).text, 'nurse');
    await client.close();
  });

prompts.run();
