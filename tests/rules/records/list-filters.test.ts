import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inside } from '../../support/doors.ts';
import type { Body } from '../../support/http.ts';
import { client } from '../../support/in-process.ts';
import { pluck } from '../../support/rows.ts';
import { makeSandbox, onetCode, refused, refusedTool, toBody } from '../../support/sandbox.ts';
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

const members: Record<string, string> = {
  candidates: 'candidates',
  'job-orders': 'jobOrders',
  placements: 'placements',
};

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

lists('show what was created or changed since a time', async () => {
  const { ask, clock } = new World();
  const start = clock.now;
  const { workspace, candidates } = (await ask('POST', '/batch', batch)).body;
  const mine = inside(workspace);
  const at = (ms: number) => new Date(start + ms).toISOString();
  clock.now = start + 60_000;
  await ask('PATCH', `/candidates/${candidates[0].id}`, { note: 'Called.' }, mine);
  clock.now = start + 120_000;
  const read = async (path: string, updatedSince: string) => {
    const { body, text } = await ask('GET', `/${path}?updatedSince=${updatedSince}`, undefined, mine);
    assert.not(body.type === 'BLOCKED', text);
    return pluck(body[members[path]!] ?? [], 'ref');
  };
  assert.equal(await read('candidates', at(0)), ['busy', 'out', 'free']);
  assert.equal(await read('candidates', at(1)), ['free']);
  assert.equal(await read('candidates', at(60_000)), ['free']);
  assert.equal(await read('candidates', at(60_001)), []);
  assert.equal(await read('job-orders', at(0)), ['driver', 'nurse']);
  assert.equal(await read('placements', at(0)), ['two', 'one']);
  const berlin = `${new Date(start + 60_000 + 3_600_000).toISOString().slice(0, -1)}+01:00`;
  assert.equal(await read('candidates', berlin), ['free'], 'a plus that a query turned into a space');
  assert.equal(await read('candidates', encodeURIComponent(berlin)), ['free']);
});

lists('do not count a status that follows from another record as a change', async () => {
  const { ask, clock } = new World();
  const { workspace } = (await ask('POST', '/batch', batch)).body;
  const since = new Date(clock.now + 1).toISOString();
  clock.now += 60_000;
  const accepted = { ref: 'three', candidateId: '#free', jobOrderId: '#driver', onetCode };
  await ask('POST', '/placements', accepted, inside(workspace));

  const free = (await ask('GET', '/candidates/%23free', undefined, inside(workspace))).body.candidate;
  assert.is(free.status, 'placed');
  const listed = await ask('GET', `/candidates?updatedSince=${since}`, undefined, inside(workspace));
  assert.is(listed.body.type, 'EMPTY');
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

lists('of matches over MCP take an array of statuses', async () => {
  const { workspace } = await makeSandbox(client, batch);
  const args = { workspace, id: '#nurse', scope: 'workspace', status: ['available', 'withdrawn'] };
  const { structuredContent } = await client.tool('matchCandidates', args);
  assert.equal(pluck(pluck(structuredContent.matches, 'candidate') as Body[], 'ref').toSorted(), [
    'free',
    'out',
  ]);
});

for (const status of [[], [{}], ['available', null], { is: 'available' }])
  lists(`over MCP refuse the status ${JSON.stringify(status)}`, async () => {
    refusedTool(await client.tool('listCandidates', { status }), 'invalid_request', ['status']);
  });

lists('over MCP refuse an array for a filter of one value', async () => {
  refusedTool(await client.tool('listCandidates', { q: ['Ann', 'Lee'] }), 'invalid_request', ['q']);
});

lists('that are empty name every filter', async () => {
  const query = { scope: 'workspace', status: 'withdrawn' };
  const { mine } = await makeSandbox(client, { candidates: [toBody.candidate()] });
  const { message } = (await client.get(`/candidates?${new URLSearchParams(query)}`, mine)).body;
  assert.match(message, /and updatedSince too/);
});

lists.run();
