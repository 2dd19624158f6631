import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Body, Reply } from '../../support/http.ts';
import { client } from '../../support/in-process.ts';
import { dayFromNow, makeSandbox, onetCode, type Sandbox, strict, toBody } from '../../support/sandbox.ts';

const texts = suite('texts of warnings and refusals');

/** Words that no refusal contains, because nothing was accepted. */
const accepted = /was ignored|is not read|not taken|its link is null|gets its own/;

interface Case {
  code: string;
  method: string;
  path: string;
  body?: Body;
  /** Returns the tool with the same body, if there is one. */
  tool?: string;
}

const ending = { status: 'ended-early', endDate: dayFromNow(0), endReason: 'other' };
const person = { name: 'A', onetCode };
const exported = { ...toBody.placement(), outcome: { statedAt: '2026-11-01T00:00:00.000Z' } };
const page = { exportedAt: '2026-11-01T00:00:00.000Z', total: 1, placements: [{ id: 'plc_1', ...exported }] };

/**
 * Every way to get a warning that strict handling refuses. `@` begins the ref of a record that the test
 * creates.
 */
const cases: Case[] = [
  { code: 'unknown_scope', method: 'GET', path: '/candidates?scope=foo' },
  { code: 'unknown_status', method: 'GET', path: '/candidates?status=available,foo' },
  { code: 'unknown_scope', method: 'GET', path: '/workspace/matches?scope=foo' },
  { code: 'unknown_scope', method: 'GET', path: '/job-orders/%23open/matches?scope=foo' },
  { code: 'unknown_name', method: 'GET', path: '/candidates?colour=red' },
  { code: 'unread_query', method: 'POST', path: '/candidates?limit=3', body: person },
  { code: 'unread_query', method: 'PATCH', path: '/candidates/%23free?limit=3', body: { note: 'x' } },
  { code: 'unknown_name', method: 'POST', path: '/candidates', body: { ...person, colour: 'red' } },
  { code: 'unknown_name', method: 'PATCH', path: '/candidates/%23free', body: { note: 'x', colour: 'red' } },
  {
    code: 'unknown_name',
    method: 'POST',
    path: '/batch',
    body: { candidates: [{ ...person, colour: 'red' }] },
    tool: 'createBatch',
  },
  {
    code: 'not_taken',
    method: 'POST',
    path: '/batch',
    body: { candidates: [{ ...person, createdAt: 'x' }] },
    tool: 'createBatch',
  },
  { code: 'not_taken', method: 'POST', path: '/batch', body: page },
  ...(['#none', 'cand_none', 'nobody'] as const).map((candidateId) => ({
    code: candidateId === 'nobody' ? 'wrong_reference' : 'unresolved_reference',
    method: 'POST',
    path: '/placements',
    body: toBody.placement({ candidateId, jobOrderId: '#open' }),
    tool: 'createPlacement',
  })),
  ...Object.entries({
    already_placed: { candidateId: '#placed' },
    withdrawn: { candidateId: '#withdrawn' },
    already_filled: { jobOrderId: '#filled' },
    closed: { jobOrderId: '#closed' },
    code_mismatch: { onetCode: '29-1141.00' },
    requirement_unmet: { jobOrderId: '#strict' },
    already_proposed: { candidateId: '#proposed', status: 'proposed' },
  }).map(([code, what]) => ({
    code,
    method: 'POST',
    path: '/placements',
    body: toBody.placement({ candidateId: '#free', jobOrderId: '#open', ...what }),
    tool: 'createPlacement',
  })),
];

async function prepare(): Promise<Sandbox> {
  const sandbox = await makeSandbox(client, {
    candidates: ['free', 'placed', 'withdrawn', 'proposed', 'ended'].map((ref) => toBody.candidate({ ref })),
    jobOrders: [
      ...['open', 'filled', 'closed'].map((ref) => toBody.jobOrder({ ref })),
      toBody.jobOrder({ ref: 'strict', requires: ['RN license'] }),
    ],
    placements: [
      toBody.placement({ candidateId: '#placed', jobOrderId: '#filled' }),
      toBody.placement({ candidateId: '#proposed', jobOrderId: '#open', status: 'proposed' }),
      toBody.placement({ candidateId: '#ended', jobOrderId: '#open', startDate: dayFromNow(-5), ...ending }),
    ],
  });
  await client.patch('/candidates/%23withdrawn', { status: 'withdrawn' }, sandbox.mine);
  await client.patch('/job-orders/%23closed', { status: 'closed' }, sandbox.mine);
  return sandbox;
}

function holdRefusal({ type, reason, issues = [] }: Body): void {
  assert.is(type, 'BLOCKED');
  assert.not.match(reason, accepted);
  assert.ok(issues.length > 0);
  for (const { message } of issues) assert.not.match(message, accepted);
}

const send = ({ mine }: Sandbox, { method, path, body }: Case, headers: object = {}): Promise<Reply> =>
  client.ask(method, path, body, { 'Content-Type': 'application/json', ...mine, ...headers });

for (const one of cases) {
  const what = `${one.code}: ${one.method} ${one.path} ${one.body ? JSON.stringify(one.body) : ''}`;

  texts(`${what} gives a warning`, async () => {
    const { status, body } = await send(await prepare(), one);
    assert.ok(status < 300, JSON.stringify(body));
    assert.ok(
      body.warnings.some(({ code }: Body) => code === one.code),
      JSON.stringify(body.warnings),
    );
    for (const warning of body.warnings) assert.not('refusal' in warning);
  });

  texts(`${what} is refused under strict handling in the words of a refusal`, async () => {
    const { status, body } = await send(await prepare(), one, strict);
    assert.ok(status === 400 || status === 409, JSON.stringify(body));
    holdRefusal(body);
    assert.ok(
      body.issues.some(({ code }: Body) => code === one.code),
      JSON.stringify(body.issues),
    );
  });

  if (one.tool)
    texts(`${what} is refused by the tool in the same way`, async () => {
      const { workspace } = await prepare();
      const { isError, structuredContent } = await client.tool(one.tool!, {
        ...one.body,
        workspace,
        strict: true,
      });
      assert.is(isError, true);
      holdRefusal(structuredContent);
    });
}

texts('an unknown scope is named as such', async () => {
  const { body } = await client.get('/candidates?scope=foo', strict);
  assert.is(body.reason, 'scope must be workspace, all or public, or left out.');
});

texts('a query on a request with a body is referred to the body', async () => {
  const { body } = await client.post('/candidates?limit=3', person, strict);
  assert.is(body.reason, '?limit belongs in the body of a POST, not in the query.');
});

texts.run();
