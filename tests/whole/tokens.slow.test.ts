import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { installReferees, requireOfReferees } from '../../scripts/referees/install.ts';
import type { Body } from '../support/http.ts';
import { dayFromNow } from '../support/sandbox.ts';
import { useServer } from '../support/server.ts';

const tokens = suite('tokens that a model reads and writes');
const { origin } = await useServer();
installReferees();
const { Tiktoken } = requireOfReferees('js-tiktoken/lite');
const encoder = new Tiktoken(requireOfReferees('js-tiktoken/ranks/o200k_base'));
const count = (text: string): number => encoder.encode(text).length;

/** Sends one message to `/mcp`, as a client does. */
async function send(method: string, params = {}): Promise<Body> {
  const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  return (await (await fetch(`${origin}/mcp`, { method: 'POST', headers, body })).json()).result;
}

/** What a model writes for a call, and the text that it then reads. */
async function call(name: string, args: object) {
  const { content, structuredContent, isError } = await send('tools/call', { name, arguments: args });
  assert.not(isError, JSON.stringify(content));
  const used = count(JSON.stringify({ name, arguments: args })) + count(content[0].text);
  return { used, text: content[0].text as string, body: structuredContent as Body };
}

function hold(name: string, value: number, limit: number): void {
  console.log(`\nfigure: tokens of ${name} ${value}`);
  assert.ok(value <= limit, `${name} takes ${value} tokens, the limit is ${limit}`);
}

const onetCode = '29-1141.03';
const order = { client: 'Example Hospital', title: 'ICU nurse', onetCode, requires: ['RN license PA'] };

tokens('the list of tools', async () => {
  hold('tools/list', count(JSON.stringify((await send('tools/list')).tools)), 7000);
});

tokens('ten calls, from a title to a receipt', async () => {
  let sum = 0;
  const path = async (name: string, args: object) => {
    const { used, body } = await call(name, args);
    console.log(`\nfigure: tokens of ${name} ${used}`);
    sum += used;
    return body;
  };
  await path('listOccupations', { q: 'ICU nurse', limit: 3 });
  const { workspace } = await path('createBatch', {
    candidates: [{ ref: 'ann', name: 'Ann Example', onetCode, credentials: ['RN license PA'] }],
    jobOrders: [{ ref: 'icu', ...order }],
  });
  const mine = { workspace, id: '#ann-icu' };
  await path('matchCandidates', { workspace, id: '#icu', scope: 'workspace' });
  const startDate = dayFromNow(0);
  const proposed = { ref: 'ann-icu', candidateId: '#ann', jobOrderId: '#icu', onetCode, startDate };
  await path('createPlacement', { workspace, ...proposed, status: 'proposed' });
  await path('updatePlacement', { ...mine, status: 'scheduled' });
  await path('stateOutcome', { ...mine, result: 'retained' });
  const { confirmation } = await path('requestConfirmation', { ...mine, party: 'client' });
  const theirs = { confirmation: confirmation.token };
  const { tag } = await path('getConfirmation', theirs);
  await path('answerConfirmation', { ...theirs, agrees: true, tag });
  await path('getReceipt', mine);
  hold('ten calls', sum, 3300);
});

tokens('a match', async () => {
  const people = Array.from({ length: 20 }, (_, at) => ({ name: `Person ${at}`, onetCode, skills: ['ICU'] }));
  const { body } = await call('createBatch', { candidates: people, jobOrders: [{ ref: 'icu', ...order }] });
  const of = async (limit: number) =>
    call('matchCandidates', { workspace: body.workspace, id: '#icu', scope: 'workspace', limit });
  const [one, twenty] = [await of(1), await of(20)];
  assert.is(twenty.body.matches.length, 20);
  hold('each further match', Math.ceil((twenty.used - one.used) / 19), 195);
});

tokens.run();
