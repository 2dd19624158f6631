import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { toPeriod } from '../../../src/pricing/meter.ts';
import { assertRefused, earlyInMonth, openUnclaimed, solve } from '../../support/claims.ts';
import { dayMs, hourMs, minuteMs } from '../../support/days.ts';
import type { Body } from '../../support/http.ts';
import { World } from '../../support/world.ts';

const work = suite('credits by proof-of-work');

work('a credit extends the life, raises the ceiling, and is reported', async () => {
  const world = new World(earlyInMonth);
  const { earn, look, ask } = await openUnclaimed(world);
  const before = await look();
  assert.is(before.rung, 'sandbox');
  const { status, body } = await earn();
  assert.is(status, 200);
  assert.is(body.credits, 1);
  assert.is(body.workspace.rung, 'worked');
  assert.equal(body.workspace, await look());
  assert.is(Date.parse(body.workspace.expiresAt) - Date.parse(before.expiresAt), dayMs);
  assert.is(body.workspace.ceilings.records, before.ceilings.records + 250);
  assert.is(body.workspace.ceilings.bytes, (before.ceilings.records + 250) * 4096);
  const { retention } = (await ask('POST', '/candidates', { name: 'Bob', onetCode: '15-1252.00' })).body;
  const lives = Date.parse(retention.expiresAt) - world.clock.now;
  assert.equal(
    [retention.seconds, lives],
    [2 * 86_400, 2 * dayMs],
    'a create in it reports the new retention',
  );
});

work('a workspace with a credit expires at its later time, and another at its own', async () => {
  const world = new World(earlyInMonth);
  const [plain, worked] = [await openUnclaimed(world), await openUnclaimed(world)];
  await worked.earn();
  world.pass(dayMs - 1);
  assert.is((await plain.get('/workspace')).status, 200);
  world.pass(1);
  assert.is((await plain.get('/workspace')).status, 401);
  world.pass(dayMs - 1);
  assert.is((await worked.get('/workspace')).status, 200);
  // A write starts the whole life again.
  assert.is((await worked.patch(`/candidates/${worked.record}`, { name: 'Ida' })).status, 200);
  world.pass(2 * dayMs - 1);
  assert.is((await worked.get('/workspace')).status, 200);
  world.pass(1);
  assert.is((await worked.get('/workspace')).status, 401);
});

work('a credit includes creates of its month only', async () => {
  const world = new World(earlyInMonth);
  const { earn, look } = await openUnclaimed(world);
  const included = async (): Promise<Record<string, number>> =>
    Object.fromEntries((await look()).usage.operations.map((row: Body) => [row.operation, row.included]));
  const before = await included();
  await earn();
  const after = await included();
  for (const name of Object.keys(before))
    assert.is(after[name]! - before[name]!, name.startsWith('create') ? 250 : 0, name);
  for (let count = 0; count < 25; count += 1) await earn();
  world.pass(25 * dayMs);
  assert.equal(await included(), before);
});

work('credits end at a month of life, 5,000 records and 30 a month, until the next month', async () => {
  const world = new World(earlyInMonth);
  const { earn, look } = await openUnclaimed(world);
  for (let count = 1; count <= 30; count += 1) assert.is((await earn()).body.credits, count);
  const full = await look();
  assert.is(Date.parse(full.expiresAt), world.clock.now + 30 * dayMs);
  assert.is(full.ceilings.records, 5000);
  const over = await earn();
  assertRefused(over, 409, 'at_limit');
  assert.match(over.body.reason, /30 credits in 2026-11/);
  world.pass(25 * dayMs);
  assert.is(toPeriod(world.clock.now), '2026-12');
  assert.is((await earn()).body.credits, 31);
});

work('a wrong proof is refused with the reason, and the right one is accepted afterwards', async () => {
  const world = new World(earlyInMonth);
  const [one, other] = [await openUnclaimed(world), await openUnclaimed(world)];
  const challenge = await one.challenge();
  const { sha256 } = world.service.platform;
  const { nonce } = await solve(challenge, sha256);
  let wrong = 'x';
  while ((await sha256(`${challenge.salt}.${wrong}`)).startsWith('00')) wrong += 'x';
  const refusals: [object, RegExp][] = [
    [{ challenge: { ...challenge, bits: 1 }, nonce }, /not given to this workspace, or was changed/],
    [{ challenge: { ...challenge, salt: `${challenge.salt}0` }, nonce }, /was changed/],
    [{ challenge: { ...challenge, expiresAt: '2027-01-01T00:00:00.000Z' }, nonce }, /was changed/],
    [{ challenge: { ...challenge, algorithm: 'SHA-1' }, nonce }, /was changed/],
    [{ challenge: { ...challenge, signature: 'A'.repeat(43) }, nonce }, /was changed/],
    [{ challenge: { ...challenge, signature: '\u0000' }, nonce }, /was changed/],
    [{ challenge, nonce: wrong }, /does not begin with 8 zero bits: it is [0-9a-f]{16}…/],
  ];
  for (const [proof, reason] of refusals) {
    const answer = await one.submit(proof);
    assertRefused(answer, 400, 'wrong_proof');
    assert.match(answer.body.reason, reason);
  }
  assertRefused(await other.submit({ challenge, nonce }), 400, 'wrong_proof');
  for (const shapeless of [
    {},
    { challenge },
    { challenge, nonce: '' },
    { challenge, nonce: 'n'.repeat(65) },
    { challenge: 'x', nonce },
    { challenge: null, nonce },
  ])
    assertRefused(await one.submit(shapeless), 400, 'invalid_request');
  assert.is((await one.submit({ challenge, nonce })).status, 200);
  assertRefused(await one.submit({ challenge, nonce }), 409, 'spent');
  assert.is((await one.look()).rung, 'worked');
  assert.is((await other.look()).rung, 'sandbox');
});

work('an expired challenge is refused, whether it was used or not', async () => {
  const world = new World(earlyInMonth);
  const { challenge: give, submit } = await openUnclaimed(world);
  const [spent, unspent] = [await give(), await give()];
  const { sha256 } = world.service.platform;
  assert.is((await submit({ challenge: spent, nonce: (await solve(spent, sha256)).nonce })).status, 200);
  world.pass(10 * 60_000);
  for (const challenge of [spent, unspent]) {
    const { body } = await submit({ challenge, nonce: (await solve(challenge, sha256)).nonce });
    assert.is(body.code, 'wrong_proof');
    assert.match(body.reason, /expired/);
  }
});

/** Makes a workspace and an accepted proof that also solves the challenge that is issued first. */
async function makePaid() {
  const world = new World(earlyInMonth);
  const workspace = await openUnclaimed(world);
  const challenge = await workspace.challenge();
  const { nonce } = await solve(challenge, world.service.platform.sha256);
  const proof = { challenge, nonce };
  assert.is((await workspace.submit(proof)).status, 200);
  return { proof, ...workspace };
}

for (const [minutes, others] of [
  [11, 0],
  [12, 1],
  [45, 3],
  [200, 29],
] as const)
  work(`accepts no proof again after ${others} others and a clock ${minutes} minutes back`, async () => {
    const { world, proof, submit, earn } = await makePaid();
    world.pass(minutes * minuteMs);
    for (let count = 0; count < others; count += 1) await earn();
    world.pass(-minutes * minuteMs);
    assertRefused(await submit(proof), 409, 'spent');
  });

work('accepts no proof again after a clock went back over more proofs than are remembered', async () => {
  const { world, proof, submit, earn } = await makePaid();
  for (const days of [0, 25]) {
    world.pass(days * dayMs);
    for (let count = 0; count < 29; count += 1) await earn();
  }
  world.pass(-25 * dayMs);
  assertRefused(await submit(proof), 400, 'wrong_proof');
});

work('issues a challenge that can be solved after the clock went back', async () => {
  const { world, earn } = await makePaid();
  world.pass(3 * hourMs);
  await earn();
  world.pass(-3 * hourMs);
  assert.is((await earn()).status, 200);
});

work('answers a keyed proof again after its challenge has expired', async () => {
  const world = new World(earlyInMonth);
  const { challenge: give, ask } = await openUnclaimed(world);
  const challenge = await give();
  const { nonce } = await solve(challenge, world.service.platform.sha256);
  const submit = () =>
    ask('POST', '/work', { challenge, nonce }, { 'idempotency-key': 'a-proof-of-work-once' });
  assert.is((await submit()).status, 200);
  world.pass(11 * minuteMs);
  const again = await submit();
  assert.is(again.status, 200);
  assert.is(again.headers.get('idempotency-replayed'), 'true');
});

work('the published snippet solves a challenge, in at most ten lines', async () => {
  const world = new World(earlyInMonth);
  const { ask, submit } = await openUnclaimed(world);
  const { challenge, howTo } = (await ask('GET', '/work')).body;
  assert.ok(howTo.snippet.split('\n').length <= 10);
  const run = new Function(`return (${howTo.snippet})`)() as (one: object) => Promise<string>;
  assert.is((await submit({ challenge, nonce: await run(challenge) })).status, 200);
});

work('where work is not live, each document says why', async () => {
  const cases: [object, RegExp][] = [
    [{ settings: { ladder: false } }, /operator of this service takes neither/],
    [{ signer: { reason: 'Without a key nothing signs.' } }, /nothing signs\./],
    [{ settings: { live: false } }, /static preview/],
  ];
  for (const [more, reason] of cases) {
    const world = new World({ ...earlyInMonth, ...more });
    const { ask, look } = await openUnclaimed(world);
    const challenge = { algorithm: 'a', salt: 's', bits: 8, expiresAt: 'e', signature: 's' };
    const answers = [
      await ask('GET', '/work'),
      await ask('POST', '/work', { challenge, nonce: '1' }),
      await ask('POST', '/workspace/claim'),
      await ask('POST', '/workspace/authorization', { ceiling: 50 }),
      await world.get('/owner/challenge'),
    ];
    for (const name of ['getWork', 'submitWork', 'startClaim', 'authorizeSpend'])
      assert.ok(
        world.service.operations.find(({ operationId }) => operationId === name)!.contract.replies[409],
        name,
      );
    for (const answer of answers) {
      assertRefused(answer, 409, 'not_live');
      assert.match(answer.body.reason, reason);
    }
    const { alternatives } = (await world.get('/offer')).body;
    const rungs = alternatives.filter(({ kind }: { kind: string }) => kind === 'work' || kind === 'claim');
    assert.is(rungs.length, 2);
    for (const { live, method, url, statement } of rungs) {
      assert.is(live, false);
      assert.is(method, undefined);
      assert.is(url, undefined);
      assert.match(statement, reason);
    }
    assert.is((await look()).rung, 'sandbox');
  }
});

work('a claim needs a host that can be a relying party, and work does not', async () => {
  for (const [baseUrl, claims] of [
    ['https://careers.example', true],
    ['http://localhost:4321', true],
    ['http://careers.example', false],
    ['https://192.0.2.1', false],
    ['https://[2001:db8::1]', false],
  ] as const) {
    const world = new World({ ...earlyInMonth, settings: { baseUrl } });
    const { ask } = await openUnclaimed(world);
    assert.is((await ask('GET', '/work')).status, 200);
    assert.is((await ask('POST', '/workspace/claim')).status, claims ? 201 : 409, baseUrl);
  }
});

work('a workspace has no work without its id', async () => {
  const world = new World(earlyInMonth);
  assert.is((await world.get('/work')).status, 401);
  assert.is((await world.post('/work', {})).status, 401);
});

work.run();
