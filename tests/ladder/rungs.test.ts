import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { makeLadderWorld } from '../support/ladder-world.ts';

const rungs = suite('which rungs are live');

rungs('the snippet that is told solves it, in at most ten lines', async () => {
  const world = await makeLadderWorld();
  const { ask, submit } = await world.mint();
  const { challenge, howTo } = (await ask('GET', '/work')).body;
  assert.ok(howTo.snippet.split('\n').length <= 10);
  const run = new Function(`return (${howTo.snippet})`)() as (one: object) => Promise<string>;
  assert.is((await submit({ challenge, nonce: await run(challenge) })).status, 200);
});

rungs('where it is not live it says why, at every place', async () => {
  const cases: [object, RegExp][] = [
    [{ settings: { ladder: false } }, /operator of this service takes neither/],
    [{ signer: { reason: 'Nothing signs.' } }, /Nothing signs\./],
    [{ settings: { live: false } }, /static preview/],
  ];
  for (const [more, reason] of cases) {
    const world = await makeLadderWorld(more);
    const { ask, look } = await world.mint();
    const answers = [
      await ask('GET', '/work'),
      await ask('POST', '/work', {
        challenge: { algorithm: 'a', salt: 's', bits: 8, expiresAt: 'e', signature: 's' },
        nonce: '1',
      }),
      await ask('POST', '/workspace/claim'),
      await ask('POST', '/workspace/authorization', { ceiling: 50 }),
      await world.ask('GET', '/owner/challenge'),
    ];
    for (const name of ['getWork', 'submitWork', 'startClaim', 'authorizeSpend'])
      assert.ok(world.service.operations.find(({ operationId }) => operationId === name)!.replies[409], name);
    for (const { status, body } of answers) {
      assert.is(status, 409);
      assert.is(body.code, 'not_live');
      assert.match(body.reason, reason);
    }
    const { alternatives } = (await world.ask('GET', '/offer')).body;
    const rungs = alternatives.filter(({ kind }: { kind: string }) => kind === 'work' || kind === 'claim');
    assert.is(rungs.length, 2);
    for (const { live, method, url, statement } of rungs) {
      assert.equal([live, method, url], [false, undefined, undefined]);
      assert.match(statement, reason);
    }
    assert.is((await look()).rung, 'sandbox');
  }
});

rungs('a claim needs a host that can be a relying party; work does not', async () => {
  for (const [baseUrl, claims] of [
    ['https://careers.example', true],
    ['http://localhost:4321', true],
    ['http://careers.example', false],
    ['https://192.0.2.1', false],
    ['https://[2001:db8::1]', false],
  ] as const) {
    const world = await makeLadderWorld({ settings: { baseUrl } });
    const { ask } = await world.mint();
    assert.is((await ask('GET', '/work')).status, 200);
    assert.is((await ask('POST', '/workspace/claim')).status, claims ? 201 : 409, baseUrl);
  }
});

rungs('a workspace has no work without its id', async () => {
  const world = await makeLadderWorld();
  assert.is((await world.ask('GET', '/work')).status, 401);
  assert.is((await world.ask('POST', '/work', {})).status, 401);
});

rungs.run();
