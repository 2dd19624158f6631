import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inside, patch, remove } from '../support/doors.ts';
import type { Body } from '../support/http.ts';
import { client, order, person, registered } from '../support/matches.ts';

const doors = suite('matches by every door');

/** The addresses of every seed order and candidate. */
async function readSeed(): Promise<string[]> {
  const lists = await Promise.all(
    ['/job-orders', '/candidates'].map(async (path) => (await client.get(`${path}?limit=200`)).body),
  );
  const rows: Body[] = [...lists[0].jobOrders, ...lists[1].candidates];
  assert.ok(rows.length > 60);
  return rows.map(({ links }) => links.self);
}

doors('what is frozen says what is answered live, with a query and in a workspace', async () => {
  const { candidates, mine } = await client.make({ candidates: [person()] });
  await remove(client, candidates[0].links.self, mine);
  assert.is((await client.get('/candidates?scope=workspace', mine)).body.total, 0, 'nothing is left in it');
  let ranked = 0;
  for (const path of await readSeed()) {
    const [frozen, json, asked, within] = await Promise.all([
      client.matches(path),
      client.get(`${path}/matches.json`),
      client.matches(path, 'limit=10'),
      client.matches(path, '', mine),
    ]);
    for (const { status, body } of [json, asked, within]) {
      assert.equal([status, body], [frozen.status, frozen.body], path);
    }
    assert.match(json.headers.get('cache-control')!, /public/);
    assert.is(within.headers.get('cache-control'), 'private, no-store');
    assert.match(within.headers.get('vary')!, /X-Workspace/);
    if (frozen.body.type === 'OK') ranked += 1;
  }
  assert.ok(ranked > 30, `${ranked} have matches`);
});

doors('an ETag in a workspace is good until its next revision, and for its own address', async () => {
  const { candidates, jobOrders, mine } = await client.make({
    candidates: [person(), person(registered)],
    jobOrders: [order],
  });
  const path = jobOrders[0].links.self;
  const [one, two] = candidates.map(({ links }) => links.self);
  const tagOf = async () => (await client.matches(path, '', mine)).headers.get('etag')!;
  const ask = (tag: string, query = '', address = path) =>
    client.get(`${address}/matches${query}`, { ...mine, 'If-None-Match': tag });
  let tag = await tagOf();
  const again = await ask(tag);
  assert.equal([again.status, again.text, again.headers.get('etag')], [304, '', tag]);
  assert.is((await ask(tag, '?limit=1')).status, 200);
  assert.is((await ask(tag, '', one)).status, 200);
  const other = await client.make({ candidates: [person()] });
  assert.is((await client.get(`${path}/matches`, { ...other.mine, 'If-None-Match': tag })).status, 404);

  const sent = { candidateId: candidates[0].id, jobOrderId: 'job_001', onetCode: registered };
  for (const change of [
    () => patch(client, one, { skills: ['CRRT'] }, mine),
    () => client.post('/candidates', person(), mine),
    () => client.post('/placements', sent, mine),
    () => patch(client, two, { status: 'withdrawn' }, mine),
    () => remove(client, two, mine),
  ]) {
    assert.ok((await change()).status < 300);
    const { status, headers } = await ask(tag);
    assert.is(status, 200, 'a new revision is told');
    assert.is.not(headers.get('etag'), tag);
    tag = headers.get('etag')!;
    assert.is((await ask(tag)).status, 304);
  }
  const frozen = await client.matches('/job-orders/job_001');
  const since = { 'If-None-Match': frozen.headers.get('etag')! };
  assert.is((await client.get('/job-orders/job_001/matches', since)).status, 304);
});

doors('the tools answer as HTTP does', async () => {
  const { candidates, jobOrders, mine } = await client.make({
    candidates: [person(), person(registered), person(), person()],
    jobOrders: [order, { ...order, onetCode: registered }],
  });
  await patch(client, candidates[2].links.self, { status: 'withdrawn' }, mine);
  const workspace = mine['X-Workspace'];
  const same = async (path: string, args: Body, isError = false) => {
    const [, kind, id] = path.split('/');
    const name = kind === 'candidates' ? 'matchJobOrders' : 'matchCandidates';
    const { workspace: own, ...asked } = args;
    const query = new URLSearchParams(asked).toString();
    const { body } = await client.matches(path, query, inside(own));
    const result = await client.tool(name, { id, ...args });
    assert.equal(result.structuredContent, body, `${name} ${JSON.stringify(args)}`);
    assert.is(result.isError, isError || undefined, `${name} ${JSON.stringify(args)}`);
    return body;
  };
  for (const path of [jobOrders[0], candidates[0]].map(({ links }) => links.self)) {
    const first = await same(path, { workspace, limit: 2 });
    assert.is(first.matches.length, 2);
    const rest = await same(path, { workspace, limit: 2, cursor: first.nextCursor });
    assert.ok(first.matches[1].score >= rest.matches[0].score);
    await same(path, { workspace, scope: 'workspace', minScore: 50, skill: 'ICU', metro: 'Columbus' });
    assert.is((await same(path, { workspace, skill: 'Falconry' })).type, 'EMPTY');
    await same(path, { workspace, minScore: 101 }, true);
    await same(path, { workspace, scope: 'admin' }, true);
    const absent = await client.tool('getCandidate', { id: 'cand_none' });
    assert.is((await same(path, { limit: 3 }, absent.isError === true)).type, 'EMPTY');
  }
  assert.is((await same(candidates[2].links.self, { workspace })).type, 'EMPTY');
  await same('/job-orders/job_001', { limit: 10 });
  await same('/candidates/cand_001', { limit: 10 });
});

doors.run();
