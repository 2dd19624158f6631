import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { client } from '../../support/front.ts';
import type { Body, Reply } from '../../support/http.ts';
import { words } from '../../support/rows.ts';

const rules = suite('rules of the service');

const collections = { '/placements': 'placements', '/candidates': 'candidates', '/job-orders': 'jobOrders' };
const candidate = { name: 'Rule Sample', onetCode: '15-1252.00' };

function assertOffer({ status, body }: Reply): void {
  assert.is(status, 402);
  assert.is(body.type, 'OFFER');
  for (const member of ['id', 'title', 'checkoutUrl']) assert.type(body[member], 'string', member);
  assert.ok(body.alternatives.length > 0);
  assert.is(body.stub, true, 'an offer says that it is a stub');
}

rules('4.1 a filter that matches nothing answers 200 EMPTY, with a message and no bare array', async () => {
  for (const [path, member] of Object.entries(collections)) {
    for (const query of words('status=no-such-status occupation=11-9041.01 occupation=nonsense status=')) {
      const { status, body } = await client.get(`${path}?${query}`);
      assert.is(status, 200, `${path}?${query}`);
      assert.is(body.type, 'EMPTY', `${path}?${query}`);
      assert.is(body.total, 0, `${path}?${query}`);
      assert.ok(body.message.length > 20);
      assert.not.ok(member in body);
    }
  }
  const search = (await client.get('/occupations?q=zzzzqqqq')).body;
  assert.is(search.type, 'EMPTY');
  assert.is(search.total, 0);
  const { message } = (await client.get('/placements?status=done')).body;
  for (const value of ['scheduled', 'active', 'completed', 'ended-early']) assert.match(message, value);
});

rules('4.2 scope admin or internal answers 403 BLOCKED and names the scopes to send', async () => {
  for (const scope of ['admin', 'internal']) {
    const { status, body } = await client.get(`/placements?scope=${scope}`);
    assert.is(status, 403);
    assert.is(body.type, 'BLOCKED');
    assert.match(body.reason, /public/);
    assert.match(body.reason, /workspace/);
  }
});

rules('4.3 spend above 25 answers 402 OFFER, spend up to 25 does not', async () => {
  for (const spend of ['25.0001', '26', '10349.477792624384', '1e3'])
    assertOffer(await client.get(`/placements?spend=${spend}`));
  const { alternatives } = (await client.get('/placements?spend=26')).body;
  assert.match(alternatives[0].statement, /at or below the hardCeiling/);
  for (const spend of ['0', '25', '25.0', '24.999']) {
    const { status, body } = await client.get(`/placements?spend=${spend}`);
    assert.is(status, 200, spend);
    assert.is(body.type, 'OK', spend);
  }
});

rules('4.5 a plain GET of a collection answers an anonymous caller 200 OK with typed content', async () => {
  for (const [path, member] of Object.entries({ ...collections, '/occupations': 'occupations' })) {
    const { status, body } = await client.get(path);
    assert.is(status, 200, path);
    assert.is(body.type, 'OK', path);
    assert.ok(body[member].length > 0 && body.total === body[member].length);
  }
});

rules('7 GET /offer always answers 402 OFFER, whatever its query', async () => {
  assertOffer(await client.get('/offer'));
  assertOffer(await client.get('/offer?anything=1', { Authorization: 'Bearer x', 'X-Workspace': 'ws_x' }));
});

rules('7 an unknown id and an unknown code answer 404 EMPTY', async () => {
  const ids = words(`
    /placements/plc_never /candidates/cand_never /job-orders/job_never /candidates/job_001
  `);
  for (const path of [...ids, '/occupations/15-1252.99', '/occupations/nurse']) {
    const { status, body } = await client.get(path);
    assert.is(status, 404, path);
    assert.is(body.type, 'EMPTY', path);
    assert.ok(body.message.length > 20, path);
  }
  const { body } = await client.get('/occupations/15-1252.99');
  assert.match(body.message, /15-1252\.00/, 'the nearest code is named');
});

rules('5 nothing asks for a key, and a key that is sent changes nothing', async () => {
  const plain = await client.get('/candidates?limit=3');
  const keyed = await client.get('/candidates?limit=3', { Authorization: 'Bearer nonsense', Cookie: 'a=b' });
  assert.is(keyed.text, plain.text);
  const { status } = await client.post('/candidates', candidate, { Authorization: 'Basic bm9uZTpub25l' });
  assert.is(status, 201);
});

rules('5 the ladder at /offer is pay, work and claim, and nothing is paid', async () => {
  const { body } = await client.get('/offer');
  const rungs = body.alternatives.map(({ kind, live }: Body) => [kind, live]);
  assert.equal(Object.fromEntries(rungs), { free: true, pay: false, work: true, claim: true });
  assert.is(body.settlement, 'inactive');
});

rules('8 the price is metered up to a hard ceiling of 25', async () => {
  const { body } = await client.get('/pricing');
  assert.is(body.model, 'metered');
  assert.is(body.hardCeiling, 25);
  assert.is(body.unit, 'usd-per-month');
  assert.is(body.binding, false);
  assert.ok(body.statement.length > 0 && !('termsUrl' in body));
});

rules('9 the contract is OpenAPI 3.1.0 at 0.1.0, the data O*NET 29.0, the standard AXP 2.6.0', async () => {
  const { body: contract } = await client.get('/openapi.json');
  assert.is(contract.openapi, '3.1.0');
  assert.is(contract.info.version, '0.1.0');
  const { body: read } = await client.get('/occupations/15-1252.00');
  assert.match(read.occupation.source, /29\.0/);
  const { body: verify } = await client.get('/verify');
  assert.match(verify.standard.version, /2\.6\.0/);
  assert.ok(verify.suites.length > 0);
  for (const { digest } of verify.suites) assert.match(digest, /^sha256[:-]?[0-9a-f]{64}$/);
});

rules.run();
