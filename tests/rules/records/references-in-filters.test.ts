import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { client } from '../../support/in-process.ts';
import { makeSandbox, refused, toBody } from '../../support/sandbox.ts';

const references = suite('references in filters');

/** Makes a workspace with a placement of #c on #j, and another candidate and order without one. */
const makePlacement = () =>
  makeSandbox(client, {
    candidates: [toBody.candidate({ ref: 'c' }), toBody.candidate({ ref: 'free' })],
    jobOrders: [toBody.jobOrder({ ref: 'j' }), toBody.jobOrder({ ref: 'empty' })],
    placements: [toBody.placement({ candidateId: '#c', jobOrderId: '#j', ref: 'p' })],
  });

const used = { candidateId: '#c', jobOrderId: '#j' };
const unused = { candidateId: '#free', jobOrderId: '#empty' };

for (const [filter, ref] of Object.entries(used)) {
  const query = `scope=workspace&${filter}=${encodeURIComponent(ref)}`;

  references(`${filter} takes a ref`, async () => {
    const { mine } = await makePlacement();
    const { body } = await client.get(`/placements?${query}`, mine);
    assert.is(body.placements?.[0].ref, 'p');
  });

  references(`an unknown ref in ${filter} is refused`, async () => {
    const { mine } = await makePlacement();
    const answer = await client.get(`/placements?${filter}=%23nobody`, mine);
    refused(answer, 400, 'invalid_request', [filter]);
  });

  references(`a ref in ${filter} without a workspace is refused, and the refusal asks for it`, async () => {
    const answer = await client.get(`/placements?${filter}=%23c`);
    const { issues } = refused(answer, 400, 'invalid_request', [filter]);
    assert.match(issues[0].message, /X-Workspace/);
  });
}

for (const [filter, ref] of Object.entries(unused)) {
  references(`${filter} with the ref of a record without placements is EMPTY`, async () => {
    const { mine } = await makePlacement();
    const { body } = await client.get(`/placements?${filter}=${encodeURIComponent(ref)}`, mine);
    assert.is(body.type, 'EMPTY');
  });
}

references('an unknown id is EMPTY', async () => {
  const { mine } = await makePlacement();
  const { body } = await client.get('/placements?jobOrderId=job_nothing', mine);
  assert.is(body.type, 'EMPTY');
});

references('the id of another kind is refused', async () => {
  const answer = await client.get('/placements?jobOrderId=cand_001');
  refused(answer, 400, 'invalid_request', ['jobOrderId']);
});

references('the ref of a record of another kind is refused', async () => {
  const { mine } = await makePlacement();
  const answer = await client.get('/placements?jobOrderId=%23c', mine);
  refused(answer, 400, 'invalid_request', ['jobOrderId']);
});

references('the link to the next page works', async () => {
  const { mine } = await makeSandbox(client, {
    jobOrders: [toBody.jobOrder({ ref: 'j', openings: 2 })],
    placements: ['p1', 'p2'].map((ref) => toBody.placement({ jobOrderId: '#j', ref, status: 'proposed' })),
  });
  const first = await client.get('/placements?scope=workspace&jobOrderId=%23j&limit=1', mine);
  const [, next = ''] = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '') ?? [];

  const second = await client.get(next, mine);

  assert.is(second.body.placements?.[0].ref, 'p1');
});

references('the filter ref accepts a ref with its #', async () => {
  const { mine } = await makePlacement();
  const { body } = await client.get('/candidates?ref=%23c', mine);
  assert.is(body.candidates?.[0].ref, 'c');
});

references.run();
