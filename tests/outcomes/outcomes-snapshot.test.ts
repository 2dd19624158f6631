import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { makeWorld, toDate } from '../support/outcome-world.ts';

const snapshot = suite('a statement is a snapshot');
const world = await makeWorld();

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

snapshot(
  'what becomes of its job order later changes nothing that a party is shown, or answered',
  async () => {
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
  },
);

snapshot(
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

snapshot('an order that was gone when it was stated is told as gone', async () => {
  const { placed, path, shown } = await stateOn(order);
  await placed.ask('DELETE', path);
  await placed.state('converted', { asOf: toDate(40) });
  assert.equal(await shown(), { client: null, title: null });
});

snapshot.run();
