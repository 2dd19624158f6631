import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createAnswer } from '../../src/kernel/answer.ts';
import { toTokenHash } from '../../src/records/one-time-token.ts';
import { makeWorld, sample, toDate } from '../support/outcome-world.ts';

const lists = suite('outcomes in lists, after a delete, and as snapshots');
const world = await makeWorld();

const place = world.placeOn45;

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

const order = { client: 'Ridge Clinic', title: 'Night nurse', onetCode: '29-1141.00' };
const other = { client: 'Vale Clinic', title: 'Day nurse', onetCode: '29-1141.00' };
const shownOf = ({ client, title }: typeof order) => ({ client, title });

/** A stated placement on a job order of its workspace, and what its client is shown. */
async function stateOn(first: typeof order) {
  world.to(-9);
  const placed = await world.place();
  const make = async (body: object) => (await placed.ask('POST', '/job-orders', body)).body.jobOrder.id;
  const id = await make(first);
  await placed.patch({ jobOrderId: id });
  world.to(45);
  await placed.state('retained');
  const token = await placed.token();
  const shown = async () => {
    const { client, title } = (await world.show(token)).body.statement;
    return { client, title };
  };
  return { placed, make, path: `/job-orders/${id}`, token, shown };
}

lists('what becomes of its job order later changes nothing that a party is shown, or answered', async () => {
  const { placed, path, token, shown } = await stateOn(order);
  const tag = async () => (await world.show(token)).headers.ETag;
  const before = await tag();
  assert.equal(await shown(), shownOf(order));
  assert.is((await placed.ask('PATCH', path, { client: 'Nobody', title: 'Nothing' })).status, 200);
  assert.equal([await shown(), await tag()], [shownOf(order), before]);
  assert.is((await world.confirm(token, true, {}, { 'if-match': before! })).status, 200);
  assert.is((await placed.ask('DELETE', path)).status, 200);
  assert.equal(await shown(), shownOf(order));
  assert.is((await placed.read()).outcome.validated, true);
});

lists(
  'a statement made anew, or a placement put on another order, is of the order as it is then',
  async () => {
    const { placed, make, path, token, shown } = await stateOn(order);
    await placed.ask('PATCH', path, { client: 'Ridge Hospital' });
    await placed.state('retained');
    assert.equal(await shown(), shownOf({ ...order, client: 'Ridge Hospital' }));
    await world.confirm(token, false);
    await placed.patch({ jobOrderId: await make(other) });
    assert.equal(await shown(), shownOf(other));
    assert.equal((await placed.read()).outcome.confirmations, [], 'answers to the other are void');
  },
);

lists('an order that was gone when it was stated is told as gone', async () => {
  const { placed, path, shown } = await stateOn(order);
  await placed.ask('DELETE', path);
  await placed.state('converted', { asOf: toDate(40) });
  assert.equal(await shown(), { client: null, title: null });
});

lists.run();
