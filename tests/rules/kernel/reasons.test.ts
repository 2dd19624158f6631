import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Body, Reply } from '../../support/http.ts';
import { client } from '../../support/in-process.ts';
import { onetCode } from '../../support/sandbox.ts';

const reasons = suite('the reason of a refusal');

/** Returns the reason of a refusal over HTTP and by tool. Both name the same members. */
async function both(answer: Promise<Reply>, tool: string, args: object): Promise<[Body, Body]> {
  const { status, body } = await answer;
  const { isError, structuredContent, content } = await client.tool(tool, args);
  assert.is(status, 400);
  assert.equal(body.code, body.code);
  assert.is(isError, true);
  assert.equal(structuredContent.code, body.code);
  assert.match(content[0].text, JSON.stringify(structuredContent.reason).slice(1, -1));
  return [body, structuredContent];
}

reasons('names the one wrong member, and what to send instead', async () => {
  const missing = { name: 'Ada' };
  for (const { reason } of await both(client.post('/candidates', missing), 'createCandidate', missing))
    assert.is(reason, 'onetCode is missing; send it.');
  const limit = { limit: 0 };
  for (const { reason } of await both(client.get('/candidates?limit=0'), 'listCandidates', limit))
    assert.is(reason, 'limit must be at least 1.');
  const deep = { ...missing, onetCode, skills: ['a', '', 'b'] };
  for (const { reason } of await both(client.post('/candidates', deep), 'createCandidate', deep))
    assert.match(reason, /^skills\[1\] must /);
  const batch = { candidates: [{ ...missing, onetCode }, missing] };
  for (const { reason } of await both(client.post('/batch', batch), 'createBatch', batch))
    assert.is(reason, 'candidates[1].onetCode is missing; send it.');
});

reasons('lists the allowed values of a missing member if there are few', async () => {
  const { body } = await client.post('/candidates', { name: 'Ada', onetCode });
  const job = { client: 'Example', title: 'Developer', onetCode };
  const order = await client.post('/job-orders', job, { 'X-Workspace': body.workspace });
  const ids = { candidateId: body.candidate.id, jobOrderId: order.body.jobOrder.id };
  const mine = { 'X-Workspace': body.workspace };
  const placed = (await client.post('/placements', { ...ids, onetCode, startDate: '2026-01-01' }, mine)).body;
  const { status, body: refused } = await client.post(`${placed.placement.links.self}/outcome`, {}, mine);
  assert.is(status, 400);
  assert.is(refused.reason, 'result is missing; send one of retained, converted, attrited, finished.');
});

reasons('names an unknown code in the words of the protocol', async () => {
  const wrong = { name: 'Ada', onetCode: '99-9999.99' };
  const [http, mcp] = await both(client.post('/candidates', wrong), 'createCandidate', wrong);
  assert.match(http.reason, /^onetCode is not an O\*NET-SOC 2019 code; .* at \/occupations\?q=$/);
  assert.match(mcp.reason, /the tool listOccupations with q\.?$/);
});

reasons('counts the wrong members, and names the first', async () => {
  const wrong = { onetCode: 1, skills: 'no' };
  for (const { reason } of await both(client.post('/candidates', wrong), 'createCandidate', wrong)) {
    assert.match(
      reason,
      /^3 members are not valid: (name|onetCode|skills)(, (name|onetCode|skills)){2}; issues/,
    );
    assert.is(new Set(reason.match(/name(?=[,;])|onetCode|skills/g)).size, 3, reason);
  }
  const many = { name: 'Ada', onetCode, skills: Array(50).fill({}) };
  for (const { reason, issues } of await both(client.post('/candidates', many), 'createCandidate', many)) {
    assert.match(
      reason,
      /^At least 50 members are not valid: skills\[0\], .*skills\[4\], …; issues names each place\.$/,
    );
    assert.is(issues.length, 21);
  }
});

reasons('names what strict handling refuses, and what was probably meant', async () => {
  const strict = { Prefer: 'handling=strict' };
  const { body } = await client.get('/occupations?query=nurse', strict);
  assert.match(body.reason, /^query is not known here; did you mean q\?$/);
  const placement = { candidateId: 'cand_nope', jobOrderId: 'job_034', onetCode: '29-1141.00' };
  const { status, body: conflict } = await client.post('/placements', placement, strict);
  assert.is(status, 409);
  assert.match(
    conflict.reason,
    /^candidateId .*[.?] This conflicts with other records\. Leave out handling=strict/,
  );
});

reasons('stays short, however long the name is that a caller sent', async () => {
  const name = '\u0000😀'.repeat(2000);
  const query = Array.from({ length: 9 }, (_, n) => `${n}${encodeURIComponent(name.slice(0, 90))}=1`);
  const { body, text } = await client.get(`/candidates?${[...query, ...query].join('&')}`);
  assert.match(body.reason, /^9 members are not valid: 0/);
  assert.ok(body.reason.length < 500 && text.length < 8192, `${body.reason.length} ${text.length}`);
  assert.ok(body.reason.isWellFormed());
});

reasons.run();
