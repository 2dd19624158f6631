import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createAnswer } from '../../src/kernel/answer.ts';
import { toTokenHash } from '../../src/records/one-time-token.ts';
import { makeWorld, sample, toDate } from '../support/outcome-world.ts';

const lists = suite('outcomes in lists, and after a delete');
const world = await makeWorld();

/** A placement on its 45th day. */
async function place(more: object = {}) {
  world.to(-9);
  const placed = await world.place(more);
  world.to(45);
  return placed;
}

lists('filters of a list that are none, while good ones keep what they say', async () => {
  const placed = await place();
  await placed.state('retained');
  const list = async (query: string) => {
    const headers = { 'x-workspace': placed.workspace };
    const call = { method: 'GET', path: '/placements', query, headers, body: new Uint8Array() };
    const { status, body } = await createAnswer(world.service)(call);
    return { status, ids: (JSON.parse(body).placements ?? []).map(({ id }: { id: string }) => id) };
  };
  for (const query of ['outcome=won', 'validated=1', 'dueBefore=soon', 'dueBefore=2026-02-31'])
    assert.is((await list(query)).status, 400, query);
  const { ids } = await list('outcome=retained&validated=false&scope=workspace');
  assert.equal(ids, [placed.id]);
  assert.equal((await list(`dueBefore=${toDate(91)}&scope=workspace`)).ids, [placed.id]);
  assert.equal((await list(`dueBefore=${toDate(90)}&scope=workspace`)).ids, []);
  assert.equal((await list('outcome=attrited&scope=workspace')).ids, []);
  const late = (await placed.ask('POST', '/placements', { ...sample, startDate: toDate(2) })).body.placement
    .id;
  assert.equal((await list(`dueBefore=${toDate(92)}&scope=workspace`)).ids, [placed.id]);
  assert.equal((await list('outcome=pending&scope=workspace')).ids, [late]);
  assert.equal((await list('validated=true&scope=workspace')).ids, []);
  await world.confirm(await placed.token(), true);
  assert.equal((await list('validated=true&scope=workspace')).ids, [placed.id]);
  assert.equal((await list('validated=false&scope=workspace')).ids, [late]);
  assert.equal(
    (await list(`dueBefore=${toDate(93)}&scope=workspace`)).ids,
    [late],
    'what is validated is not due',
  );
  for (const id of (await list('outcome=retained&validated=true')).ids) {
    const { outcome } = (await placed.ask('GET', `/placements/${id}`)).body.placement;
    assert.equal([outcome.result, outcome.validated], ['retained', true], id);
  }
});

lists('a placement that is deleted takes its tokens along: nothing of them is kept', async () => {
  const placed = await world.place();
  world.to(45);
  await placed.state('retained');
  const token = await placed.token();
  const hash = await toTokenHash(world.service, 'confirmation', token);
  const follow = () => world.store.follow(hash, world.service.platform.now());
  assert.is((await follow())?.to, placed.id);
  assert.is((await placed.ask('DELETE', `/placements/${placed.id}`)).status, 200);
  assert.is(await follow(), undefined);
  assert.is((await world.confirm(token, true)).status, 401);
});

lists.run();
