import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Body } from '../../support/http.ts';
import { client } from '../../support/in-process.ts';
import { dayFromNow, makeSandbox, onetCode, refused, toBody } from '../../support/sandbox.ts';

const short = suite('short replies');
const minimal = { Prefer: 'return=minimal' };
const proposed = { candidateId: '#ann', jobOrderId: '#dev', onetCode, ref: 'pair', status: 'proposed' };
const desk = {
  candidates: [toBody.candidate({ ref: 'ann', skills: ['SQL'], metro: 'Columbus, OH' })],
  jobOrders: [toBody.jobOrder({ ref: 'dev' })],
};
const namesOf = (record: Body) => Object.keys(record).sort();

short('return=minimal answers a create with its id, ref, status, retention and workspace', async () => {
  const { status, body, headers } = await client.post('/candidates', desk.candidates[0], minimal);
  assert.is(status, 201);
  assert.equal(Object.keys(body), ['type', 'candidate', 'retention', 'workspace']);
  assert.equal(body.candidate, { id: body.candidate.id, ref: 'ann', status: 'available' });
  assert.is(headers.get('preference-applied'), 'return=minimal');
  assert.is(headers.get('location'), `/candidates/${body.candidate.id}`);
});

short('return=minimal shortens every record of a batch, and of its changes', async () => {
  const { mine, candidates } = await makeSandbox(client, desk);
  const sent = {
    jobOrders: [toBody.jobOrder({ ref: 'two' })],
    placements: [proposed],
    changes: [{ id: '#ann', metro: 'Austin, TX' }],
  };
  const { status, body } = await client.post('/batch', sent, { ...mine, ...minimal });
  assert.is(status, 201, JSON.stringify(body));
  assert.equal(namesOf(body.jobOrders[0]), ['id', 'ref', 'status']);
  assert.equal(namesOf(body.placements[0]), ['id', 'ref', 'status']);
  assert.equal(body.changes, [{ candidate: { id: candidates[0]!.id, ref: 'ann', status: 'available' } }]);
});

short('return=minimal is applied to a delete', async () => {
  const { mine, candidates } = await makeSandbox(client, desk);
  const { status, headers } = await client.delete(candidates[0]!.links.self, { ...mine, ...minimal });
  assert.is(status, 200);
  assert.is(headers.get('preference-applied'), 'return=minimal');
});

short('return=minimal keeps warnings', async () => {
  const body = toBody.placement({ candidateId: 'cand_999', status: 'proposed' });
  const answer = await client.post('/placements', body, minimal);
  assert.is(answer.status, 201);
  assert.is(answer.body.warnings[0].path, 'candidateId');
});

short('return=minimal and handling=strict are applied together', async () => {
  const prefer = { Prefer: 'handling=strict, return=minimal' };
  const { status, body, headers } = await client.post('/candidates', desk.candidates[0], prefer);
  assert.is(status, 201);
  assert.equal(namesOf(body.candidate), ['id', 'ref', 'status']);
  assert.is(headers.get('preference-applied'), 'return=minimal, handling=strict');
});

short('return=minimal changes no refusal', async () => {
  const answer = await client.post('/candidates', { name: 'Ann Sample' }, minimal);
  refused(answer, 400, 'invalid_request', ['onetCode']);
  assert.is(answer.headers.get('preference-applied'), null);
});

short('minimal shortens the reply of a tool', async () => {
  const { workspace, placements } = await makeSandbox(client, { ...desk, placements: [proposed] });
  const { structuredContent } = await client.tool('updatePlacement', {
    id: placements[0]!.id,
    workspace,
    minimal: true,
    startDate: dayFromNow(3),
  });
  assert.equal(structuredContent.placement, { id: placements[0]!.id, ref: 'pair', status: 'proposed' });
});

short('fields leaves only the named members and the id in a list', async () => {
  const { mine, candidates } = await makeSandbox(client, desk);
  const { body } = await client.get('/candidates?fields=name,%20skills', mine);
  assert.equal(body.candidates, [{ id: candidates[0]!.id, name: 'Ann Sample', skills: ['SQL'] }]);
});

short('fields leaves only the named members and the id in a record', async () => {
  const { mine, jobOrders } = await makeSandbox(client, desk);
  const { id } = jobOrders[0]!;
  const { body } = await client.get(`/job-orders/${id}?fields=client`, mine);
  assert.equal(body.jobOrder, { id, client: 'Example Works' });
});

short('fields keeps the mark of the seed', async () => {
  const { body } = await client.get('/candidates/cand_001?fields=metro');
  assert.equal(namesOf(body.candidate), ['example', 'id', 'metro']);
  assert.is(body.candidate.example, true);
});

short('fields keeps the links of a placement to what it refers to', async () => {
  const made = await makeSandbox(client, { ...desk, placements: [proposed] });
  const { body } = await client.get('/placements?fields=status', made.mine);
  assert.equal(body.placements[0].links, {
    candidate: `/candidates/${made.candidates[0]!.id}`,
    jobOrder: `/job-orders/${made.jobOrders[0]!.id}`,
  });
});

short('the next page of a list with fields has the same fields', async () => {
  const { headers } = await client.get('/candidates?fields=name&limit=1');
  assert.match(headers.get('link')!, 'fields=name');
});

for (const path of ['/candidates', '/candidates/cand_001', '/job-orders/job_001/matches'])
  short(`an unknown member in fields of ${path} is refused, and the known ones are named`, async () => {
    const { issues } = refused(await client.get(`${path}?fields=name,nonesuch`), 400, 'invalid_request', [
      'fields',
    ]);
    assert.match(issues[0].message, /^has unknown members \(nonesuch\); send any of .*\b(?:skills|metro)\b/);
  });

short('fields without a name is refused', async () => {
  refused(await client.get('/candidates?fields=,'), 400, 'invalid_request', ['fields']);
});

short('a tool takes fields as an array', async () => {
  const { workspace, candidates } = await makeSandbox(client, desk);
  const args = { workspace, fields: ['name', 'name'] };
  const { structuredContent } = await client.tool('listCandidates', args);
  assert.equal(structuredContent.candidates, [{ id: candidates[0]!.id, name: 'Ann Sample' }]);
});

short('the ETag of a record with fields is valid for a change', async () => {
  const { mine, candidates } = await makeSandbox(client, desk);
  const path = candidates[0]!.links.self;
  const tag = (await client.get(`${path}?fields=name`, mine)).headers.get('etag')!;
  const changed = await client.patch(path, { metro: 'Austin, TX' }, { ...mine, 'If-Match': tag });
  assert.is(changed.status, 200);
});

const names = suite('names in placements');

names('a placement has the name of its candidate, and the client and title of its order', async () => {
  const { placements } = await makeSandbox(client, { ...desk, placements: [proposed] });
  const { candidateName, client: company, title } = placements[0]!;
  assert.equal(
    { candidateName, company, title },
    {
      candidateName: 'Ann Sample',
      company: 'Example Works',
      title: 'Developer',
    },
  );
});

names('a placement shows the new name of its candidate after a rename', async () => {
  const made = await makeSandbox(client, { ...desk, placements: [proposed] });
  await client.patch(made.candidates[0]!.links.self, { name: 'Ann Other' }, made.mine);
  const { body } = await client.get(made.placements[0]!.links.self, made.mine);
  assert.is(body.placement.candidateName, 'Ann Other');
});

names('the names in a placement are null once its records are gone', async () => {
  const made = await makeSandbox(client, { ...desk, placements: [proposed] });
  await client.delete(made.candidates[0]!.links.self, made.mine);
  await client.delete(made.jobOrders[0]!.links.self, made.mine);
  const { body } = await client.get(made.placements[0]!.links.self, made.mine);
  const { candidateName, client: company, title } = body.placement;
  assert.equal({ candidateName, company, title }, { candidateName: null, company: null, title: null });
});

short.run();
names.run();
