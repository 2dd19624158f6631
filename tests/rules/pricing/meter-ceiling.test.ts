import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openMetered, toCounts, withRateCard } from '../../support/metered.ts';
import { pluck } from '../../support/rows.ts';
import { World } from '../../support/world.ts';

const test = suite('the ceiling of the meter');

const candidate = { name: 'Ann Sample', onetCode: '15-1252.00' };
const toPricing = (hardCeiling: number, ...rates: object[]) =>
  ({ hardCeiling, rates: rates.map((rate) => ({ unit: 'usd-per-call', ...rate })) }) as never;
const create = { operation: 'createCandidate', price: 0.02, included: 2 };
const get = { operation: 'getCandidate', price: 0.003, included: 1 };

test('a call above it is refused before it changes anything, and free calls still work', async () => {
  const world = new World(withRateCard(toPricing(0.05, create, get)));
  const { id, ask, usage, workspace } = await openMetered(world);
  for (const status of [201, 201, 201])
    assert.is((await ask('POST', '/candidates', candidate)).status, status);
  assert.is((await usage()).total, 0.04);
  assert.is((await usage()).remaining, 0.01);
  const before = await ask('GET', '/workspace');
  const key = { 'idempotency-key': 'one-of-these' };
  const over = await ask('POST', '/candidates', candidate, key);
  assert.is(over.status, 402);
  const { type, id: offer, used, alternatives, payable } = over.body;
  assert.is(type, 'OFFER');
  assert.is(offer, 'offer-meter-ceiling');
  assert.is(payable, false);
  const told = { period: '2026-11', total: 0.04, authorised: 0.05, unit: 'usd-per-month' };
  assert.equal(used, told);
  const kinds = pluck(alternatives, 'kind');
  assert.equal(new Set(kinds), new Set(['free', 'pay', 'work', 'claim']));
  assert.equal((await ask('POST', '/batch', { candidates: [candidate] })).body.used, told);
  const { structuredContent, isError } = await world.tool('createCandidate', { ...candidate, workspace });
  assert.is(isError, true);
  assert.is(structuredContent.id, 'offer-meter-ceiling');
  assert.equal(structuredContent.used, told);
  assert.equal(await ask('GET', '/workspace'), before, 'nothing has changed');

  const path = `/candidates/${id}`;
  const statuses = [];
  for (let count = 0; count < 5; count += 1) statuses.push((await ask('GET', path)).status);
  assert.equal(statuses, [200, 200, 200, 200, 402]);
  const { body, headers } = await ask('GET', path);
  assert.equal(body.used, { ...told, total: 0.049 });
  assert.is(headers.get('cache-control'), 'no-store');
  assert.is((await ask('HEAD', path)).status, 402);
  const read = await world.tool('getCandidate', { id, workspace });
  assert.is(read.isError, true);
  assert.is(read.structuredContent.used.total, 0.049);
  for (const address of ['/candidates', '/workspace', '/workspace/export', `/candidates/${id}/matches`])
    assert.is((await ask('GET', address)).status, 200, address);
  assert.is((await ask('PATCH', path, { name: 'Zoe' })).status, 200);
  assert.is((await ask('GET', '/candidates/cand_none')).status, 404);
  assert.is((await ask('GET', path, undefined, { 'if-none-match': '*' })).status, 304);
  assert.is((await ask('POST', '/candidates', { name: 'no code' })).status, 400);
  assert.is((await world.get(path.replace(id, 'cand_001'))).status, 200, 'anonymous');
  assert.is((await openMetered(world)).id.slice(0, 5), 'cand_', 'and in a new workspace');
  assert.is((await ask('DELETE', path)).status, 200);
  assert.equal(toCounts(await usage()), { createCandidate: 4, getCandidate: 4 });
});

test('a replay is answered at the ceiling, and a refused call can be repeated in the next month', async () => {
  const world = new World(withRateCard(toPricing(0.02, { ...create, included: 0 })));
  const { clock } = world;
  const { ask } = await openMetered(world);
  const send = (name: string) => ask('POST', '/candidates', candidate, { 'idempotency-key': name });
  assert.is((await send('first')).status, 402);
  clock.now = Date.parse('2026-12-01T00:00:00Z');
  const made = await send('first');
  assert.is(made.status, 201);
  assert.not(made.headers.has('idempotency-replayed'));
  assert.is((await send('second')).status, 402);
  const again = await send('first');
  assert.is(again.status, 201);
  assert.is(again.headers.get('idempotency-replayed'), 'true');
});

test('starts again each month, in UTC, to the millisecond', async () => {
  const world = new World(withRateCard(toPricing(0.004, get)));
  const { clock } = world;
  const { id, ask, usage } = await openMetered(world);
  const read = async () => (await ask('GET', `/candidates/${id}`)).status;
  clock.now = Date.parse('2026-11-30T23:59:59.999Z');
  assert.is(await read(), 200);
  assert.is(await read(), 200);
  assert.is(await read(), 402);
  assert.is((await usage()).period, '2026-11');
  assert.is((await usage()).total, 0.003);
  clock.now += 1;
  const fresh = await usage();
  assert.is(fresh.period, '2026-12');
  assert.is(fresh.total, 0);
  assert.equal(toCounts(fresh), {});
  assert.is(await read(), 200);
  assert.is(await read(), 200);
  assert.is(await read(), 402);
  clock.now -= 1;
  assert.is(await read(), 402, 'a clock that is set back does not reopen a month');
  assert.is((await usage()).period, '2026-12');
  assert.equal(toCounts(await usage()), { getCandidate: 2 });
});

test('applies to a create that makes a workspace', async () => {
  const { ask, store } = new World(withRateCard(toPricing(0.05, { ...create, included: 0 })));
  const candidates = [candidate, candidate, candidate];
  const over = await ask('POST', '/batch', { candidates });
  assert.is(over.status, 402);
  assert.is(over.body.used.total, 0);
  assert.is(store.stats().creates, 0);
  assert.is((await ask('POST', '/batch', { candidates: candidates.slice(1) })).status, 201);
});

test('any operation may have a price, and then has 402 in the contract', async () => {
  const update = { operation: 'updateCandidate', price: 0.01 };
  const list = { operation: 'listCandidates', price: 0.01, included: 'unlimited' };
  const world = new World(withRateCard(toPricing(0.01, update, list)));
  const { ask } = world;
  const { id, ask: within, usage } = await openMetered(world);
  const path = `/candidates/${id}`;
  assert.is((await within('PATCH', path, { name: 1 })).status, 400);
  assert.is((await within('PATCH', path, { name: 'Zoe' })).status, 200);
  assert.is((await within('PATCH', path, { name: 'Eve' })).status, 402);
  assert.is((await within('GET', path)).body.candidate.name, 'Zoe');
  for (const status of [200, 200]) assert.is((await within('GET', '/candidates')).status, status);
  const empty = await within('GET', '/candidates?occupation=99-9999.00');
  assert.is(empty.status, 200);
  assert.is(empty.body.type, 'EMPTY');
  const { operations } = await usage();
  assert.equal(operations, [
    { operation: 'updateCandidate', calls: 1, included: 0, billable: 1, amount: 0.01 },
    { operation: 'listCandidates', calls: 2, included: 'unlimited', billable: 0, amount: 0 },
  ]);
  const { paths } = (await ask('GET', '/openapi.json')).body;
  assert.ok(paths['/candidates/{id}'].patch.responses[402]);
  assert.not(paths['/candidates/{id}'].get.responses[402]);
});

test('METER=count counts everything and refuses nothing, and the card says so', async () => {
  const world = new World(withRateCard(toPricing(0.02, { ...create, included: 0 }), 'count'));
  const { ask } = world;
  const { ask: within, usage } = await openMetered(world);
  for (let count = 0; count < 3; count += 1)
    assert.is((await within('POST', '/candidates', candidate)).status, 201);
  const { total, authorised, remaining } = await usage();
  assert.is(total, 0.08);
  assert.is(authorised, 0.02);
  assert.is(remaining, 0);
  const { meter } = (await ask('GET', '/.well-known/agents.json')).body.monetization;
  assert.is(meter.mode, 'count');
  assert.match(meter.statement, /none is refused/);
});

test.run();
