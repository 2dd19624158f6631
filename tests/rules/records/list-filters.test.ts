import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Body } from '../../support/http.ts';
import { client } from '../../support/in-process.ts';
import { pluck } from '../../support/rows.ts';
import { makeSandbox, refused, refusedTool, toBody } from '../../support/sandbox.ts';
import { World } from '../../support/world.ts';

const lists = suite('filters of lists');

const people = [
  toBody.candidate({ ref: 'free' }),
  toBody.candidate({ ref: 'out', status: 'withdrawn' }),
  toBody.candidate({ ref: 'busy', name: 'Zoë Müller' }),
];
const orders = [
  toBody.jobOrder({ ref: 'nurse', client: 'Pine Hill Hospital', title: 'Charge Nurse' }),
  toBody.jobOrder({ ref: 'driver', client: 'Road Works', title: 'Driver', status: 'closed' }),
];
const placed = [
  toBody.placement({ ref: 'one', candidateId: '#busy', jobOrderId: '#nurse' }),
  toBody.placement({ ref: 'two', candidateId: '#free', jobOrderId: '#driver', status: 'declined' }),
];
const batch = { candidates: people, jobOrders: orders, placements: placed };

lists('select seed placements by the client and the candidate that they refer to', async () => {
  const { placements } = (await client.get('/placements')).body;
  const { candidateId, jobOrderId } = placements[0];
  const order = (await client.get(`/job-orders/${jobOrderId}`)).body.jobOrder;
  const person = (await client.get(`/candidates/${candidateId}`)).body.candidate;
  const queries: Record<string, string>[] = [
    { client: order.client },
    { q: person.name },
    { q: order.title },
  ];
  for (const filters of queries) {
    const { body } = await client.get(`/placements?${new URLSearchParams(filters)}`);
    assert.ok(pluck(body.placements, 'id').includes(placements[0].id), JSON.stringify(filters));
    assert.ok(body.total < 40, JSON.stringify(filters));
  }
});

lists('name an unknown status beside known ones, and refuse it if strict', async () => {
  const { mine } = await makeSandbox(client, batch);
  const path = '/candidates?scope=workspace&status=available,busy';
  const { body } = await client.get(path, mine);
  assert.equal(pluck(body.candidates, 'ref'), ['free']);
  assert.is(body.warnings[0].code, 'unknown_status');
  assert.match(
    body.warnings[0].message,
    /has unknown values \(busy\), which were ignored; known are available, placed, withdrawn/,
  );
  const strict = { ...mine, Prefer: 'handling=strict' };
  refused(await client.get(path, strict), 400, 'invalid_request', ['status']);
  const none = (await client.get('/candidates?scope=workspace&status=busy,idle', mine)).body;
  assert.is(none.type, 'EMPTY');
  assert.match(none.message, /Known status values: available, placed, withdrawn/);
});

lists('of matches take several statuses too', async () => {
  const { mine, jobOrders } = await makeSandbox(client, batch);
  const path = `/job-orders/${jobOrders[0].id}/matches?scope=workspace&status=available,withdrawn`;
  const { body } = await client.get(path, mine);
  assert.equal(pluck(pluck(body.matches, 'candidate') as Body[], 'ref').toSorted(), ['free', 'out']);
});

lists('take a time whose plus a query turned into a space', async () => {
  const world = new World();
  const desk = await world.open(batch);
  world.pass(60_000);
  await desk.patch('/candidates/%23free', { note: 'Called.' });
  const berlin = `${new Date(world.clock.now + 3_600_000).toISOString().slice(0, -1)}+01:00`;
  for (const time of [berlin, encodeURIComponent(berlin)]) {
    const { body } = await desk.get(`/candidates?updatedSince=${time}`);
    assert.equal(pluck(body.candidates, 'ref'), ['free'], time);
  }
});

/** Statuses as a model may send them, and who is listed. */
const sentStatuses: [status: unknown, refs: string[]][] = [
  [
    ['available', 'withdrawn'],
    ['out', 'free'],
  ],
  ['["available", "withdrawn"]', ['out', 'free']],
  [['available'], ['free']],
  [['available,withdrawn'], ['out', 'free']],
];

for (const [status, refs] of sentStatuses)
  lists(`over MCP read the statuses ${JSON.stringify(status)}`, async () => {
    const { workspace } = await makeSandbox(client, batch);
    const args = { workspace, scope: 'workspace', status };
    const { structuredContent } = await client.tool('listCandidates', args);
    assert.equal(pluck(structuredContent.candidates, 'ref'), refs);
  });

for (const status of [[], [{}], ['available', null], { is: 'available' }])
  lists(`over MCP refuse the status ${JSON.stringify(status)}`, async () => {
    refusedTool(await client.tool('listCandidates', { status }), 'invalid_request', ['status']);
  });

lists('over MCP refuse an array for a filter of one value', async () => {
  refusedTool(await client.tool('listCandidates', { q: ['Ann', 'Lee'] }), 'invalid_request', ['q']);
});

lists(
  'by expiresBefore name the credentials that end before it, soonest first, and equal days as sent',
  async () => {
    const credentials = [
      'CDL until 2027-05-01',
      'BLS until 2027-03-01',
      'ACLS until 2027-03-01',
      'RN until 2027-02-01',
    ];
    const { mine } = await makeSandbox(client, { candidates: [toBody.candidate({ credentials })] });
    const { body } = await client.get('/candidates?expiresBefore=2027-05-01', mine);
    assert.equal(pluck(body.candidates[0].expiring, 'credential'), [
      credentials[3],
      credentials[1],
      credentials[2],
    ]);
  },
);

lists('that are empty name every filter', async () => {
  const query = { scope: 'workspace', status: 'withdrawn' };
  const { mine } = await makeSandbox(client, { candidates: [toBody.candidate()] });
  const { message } = (await client.get(`/candidates?${new URLSearchParams(query)}`, mine)).body;
  assert.match(message, /and updatedSince too/);
});

/** References that a list of placements refuses. `#free` is the ref of a candidate. */
const references: [filter: string, reference: string][] = [
  ['candidateId', '#nobody'],
  ['jobOrderId', '#nobody'],
  ['jobOrderId', 'cand_001'],
  ['jobOrderId', '#free'],
];
for (const [filter, reference] of references)
  lists(`refuse ${filter}=${reference}, which is no reference to its kind`, async () => {
    const { mine } = await makeSandbox(client, batch);
    const query = new URLSearchParams({ [filter]: reference });
    refused(await client.get(`/placements?${query}`, mine), 400, 'invalid_request', [filter]);
  });

for (const filter of ['candidateId', 'jobOrderId'])
  lists(`refuse a ref in ${filter} without a workspace, and ask for it`, async () => {
    const answer = await client.get(`/placements?${filter}=%23free`);
    const { issues } = refused(answer, 400, 'invalid_request', [filter]);
    assert.match(issues[0].message, /X-Workspace/);
  });

lists('are EMPTY for the id of no record, and for a record without placements', async () => {
  const { mine } = await makeSandbox(client, batch);
  for (const reference of ['cand_nothing', '#out']) {
    const query = new URLSearchParams({ candidateId: reference });
    assert.is((await client.get(`/placements?${query}`, mine)).body.type, 'EMPTY', reference);
  }
});

lists.run();
