import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { workspaceIdPattern } from '../../../src/records/account/workspace.ts';
import { dayMs } from '../../support/days.ts';
import { inside } from '../../support/doors.ts';
import type { Body } from '../../support/http.ts';
import { client } from '../../support/in-process.ts';
import { pluck } from '../../support/rows.ts';
import { refused, strict } from '../../support/sandbox.ts';
import { World } from '../../support/world.ts';

const sandbox = suite('workspace');

const candidate = { name: 'Mine', onetCode: '15-1252.00', skills: ['Go'], metro: 'Columbus, OH' };
const jobOrder = { client: 'Example Works', title: 'Developer', onetCode: '15-1252.00', billRateUsdHour: 90 };
const placement = { candidateId: 'cand_006', jobOrderId: 'job_006', onetCode: '15-1252.00' };
const bodies: [string, string, object][] = [
  ['/candidates', 'candidate', candidate],
  ['/job-orders', 'jobOrder', jobOrder],
  ['/placements', 'placement', placement],
];
const toIds = (rows: Body[]) => pluck(rows, 'id');

async function mint(): Promise<string> {
  return (await client.post('/candidates', candidate)).body.workspace;
}

sandbox('a create makes a workspace, says how long it lives, and is read with its id only', async () => {
  const seen = new Set<string>();
  for (const [path, member, sent] of bodies) {
    const { status, body, headers } = await client.post(path, sent);
    assert.is(status, 201);
    assert.match(body.workspace, new RegExp(workspaceIdPattern));
    seen.add(body.workspace);
    assert.is(headers.get('x-workspace'), body.workspace);
    const location = headers.get('location')!;
    assert.is(location, `${path}/${body[member].id}`);
    assert.is(headers.get('cache-control'), 'no-store');
    for (const [name, value] of Object.entries(sent)) assert.equal(body[member][name], value, name);
    const { policy, expiresAt, seconds, statement } = body.retention;
    assert.is(policy, 'ephemeral');
    assert.is(seconds, 86_400);
    assert.is(Date.parse(expiresAt), client.clock.now + dayMs);
    assert.match(statement, /24 h.*personal data/);

    const read = await client.get(location, inside(body.workspace));
    assert.equal(read.body, { type: 'OK', [member]: body[member] });
    assert.is(read.headers.get('cache-control'), 'private, no-store');
    assert.match(read.headers.get('vary')!, /X-Workspace/);
    const never = await client.get(`${path}/${'0'.repeat(16)}`);
    for (const headers of [{}, inside(await mint())]) {
      const other = await client.get(location, headers);
      assert.equal([other.status, other.text], [404, never.text], 'as if it had never existed');
    }
  }
  assert.is(seen.size, 3, 'each keyless create makes a new workspace');
});

sandbox('a seed record that an own placement holds is placed or filled in that workspace only', async () => {
  const available = (await client.get('/candidates?status=available')).body.candidates[0];
  const open = (await client.get('/job-orders?status=open')).body.jobOrders[0];
  const sent = { candidateId: available.id, jobOrderId: open.id, onetCode: open.onetCode };
  const { body } = await client.post('/placements', sent);
  const mine = inside(body.workspace);
  assert.is((await client.get(available.links.self, mine)).body.candidate.status, 'placed');
  assert.is((await client.get(open.links.self, mine)).body.jobOrder.status, 'filled');
  const free = toIds((await client.get('/candidates?status=available&scope=all', mine)).body.candidates);
  assert.not.ok(free.includes(available.id));
  assert.is((await client.get(available.links.self)).body.candidate.status, 'available');
  const other = inside(await mint());
  assert.is((await client.get(available.links.self, other)).body.candidate.status, 'available');
  assert.is((await client.get(open.links.self, other)).body.jobOrder.status, 'open');
});

sandbox('an empty list of a workspace says how to see the seed', async () => {
  const { body } = await client.get('/job-orders', inside(await mint()));
  assert.is(body.type, 'EMPTY');
  assert.match(body.message, /No job orders of your workspace match.*scope=all shows the public seed too\.$/);
  assert.not.match((await client.get('/job-orders?metro=Nowhere')).body.message, 'scope=all');
});

sandbox('refuses an id of another kind, and does not link text that is not an id', async () => {
  const swapped = { ...placement, candidateId: 'job_001', jobOrderId: 'cand_001' };
  const named = { ...placement, candidateId: 'Sam B.' };
  const { body: made } = await client.post('/placements', placement);
  const mine = inside(made.workspace);
  const both = ['candidateId', 'jobOrderId'];
  const [first] = both as [string];
  refused(await client.post('/placements', swapped, mine), 400, 'invalid_request', both);
  const moved = await client.patch(made.placement.links.self, { candidateId: 'job_001' }, mine);
  refused(moved, 400, 'invalid_request', [first]);
  for (const [body, names] of [
    [swapped, both],
    [named, [first]],
  ] as const) {
    const places = names.map((name) => `placements[0].${name}`);
    refused(await client.post('/batch', { placements: [body] }), 400, 'invalid_request', places);
  }
  refused(await client.post('/placements', named, strict), 400, 'invalid_request', [first]);
  const tool = await client.tool('createPlacement', named);
  assert.match(tool.structuredContent.reason, /no id of a candidate.*listCandidates/);
  const { status, body } = await client.post('/placements', named, mine);
  assert.is(status, 201);
  assert.is(body.placement.links.candidate, null);
  assert.is(body.warnings[0].code, 'wrong_reference');
  assert.match(body.warnings[0].message, /\/candidates/);
  assert.not.match(body.warnings[0].message, /X-Workspace/);
  const page = await client.get('/workspace/export', mine);
  assert.is((await client.post('/batch', page.body)).status, 201, 'the export can be imported');
});

sandbox('paging while records are added repeats none and skips none', async () => {
  const { workspace } = (await client.post('/candidates', candidate)).body;
  for (let n = 1; n < 65; n++) await client.post('/candidates', candidate, inside(workspace));
  const before = await client.get('/candidates?limit=200&scope=all', inside(workspace));
  assert.is(before.body.total, 65 + 48);
  const walked: string[] = [];
  for (let next: string | undefined = '/candidates?limit=10&scope=all'; next !== undefined; ) {
    const { body, headers }: { body: Body; headers: Headers } = await client.get(next, inside(workspace));
    walked.push(...toIds(body.candidates));
    await client.post('/candidates', { ...candidate, name: 'Late' }, inside(workspace));
    next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
  }
  assert.equal(walked, toIds(before.body.candidates));
});

sandbox('at the record ceiling a create is an OFFER whose first alternative is free', async () => {
  const { ask } = new World({ settings: { recordCeiling: 3 } });
  const mine = { 'x-workspace': (await ask('POST', '/candidates', candidate)).body.workspace };
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => ask('POST', '/job-orders', jobOrder, mine)),
  );
  assert.equal(pluck(answers, 'status').sort(), [201, 201, 402, 402, 402, 402, 402, 402]);
  const { type, alternatives } = answers.find(({ status }) => status === 402)!.body;
  const [{ kind, live, method, statement }] = alternatives;
  assert.is(type, 'OFFER');
  assert.is(kind, 'free');
  assert.is(live, true);
  assert.is(method, 'POST');
  assert.match(statement, /without X-Workspace/);
  assert.is((await ask('GET', '/job-orders?limit=200', undefined, mine)).body.total, 2);
  for (const { body } of answers.filter(({ status }) => status === 201))
    assert.is((await ask('GET', body.jobOrder.links.self, undefined, mine)).status, 200);
  assert.is((await ask('POST', '/job-orders', jobOrder)).status, 201, 'the first alternative works');
});

sandbox('a write extends the expiry, and a read does not', async () => {
  const { body } = await client.post('/candidates', candidate);
  const mine = inside(body.workspace);
  const expiry = async () => (await client.get('/workspace', mine)).body.workspace.expiresAt;
  client.pass(5);
  assert.is((await client.get('/candidates', mine)).status, 200);
  assert.is(await expiry(), body.retention.expiresAt);
  const { retention } = (await client.post('/candidates', candidate, mine)).body;
  assert.ok(retention.expiresAt > body.retention.expiresAt);
  assert.is(await expiry(), retention.expiresAt);
});

sandbox.run();
