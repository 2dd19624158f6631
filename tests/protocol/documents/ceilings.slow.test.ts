import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connect } from '../../support/http.ts';
import { withServer } from '../../support/server.ts';

const told = suite('published ceilings');
const candidate = { name: 'A', onetCode: '15-1252.00' };
const rates = { RATE_LIMIT_LIVE: '77', RATE_LIMIT_MINT: '7' };

/** Reads what the card, the workspace and llms.txt say. */
async function read(origin: string) {
  const client = await connect(origin);
  const { ceilings: card } = (await client.get('/.well-known/agents.json')).body;
  const { workspace, retention } = (await client.post('/candidates', candidate)).body;
  const { ceilings: own } = (await client.get('/workspace', { 'X-Workspace': workspace })).body.workspace;
  const [, llms] = /(Ceilings: .*?\.)(?:\n| )/.exec((await client.get('/llms.txt')).text)!;
  const contract = client.contract.paths!['/workspace']!.get!.responses!['200'];
  return { client, card, own, llms: llms!, retention, contract: JSON.stringify(contract) };
}

told('the card, llms.txt, the contract and the workspace show what the operator set', async () => {
  await withServer({ RECORD_CEILING: '77', RETENTION_SECONDS: '5400', ...rates }, async ({ origin }) => {
    const { client, card, own, llms, contract, retention } = await read(origin);
    const bounds = { batch: 200, body: 65_536, batchBody: 1_048_576, rates: { live: 77, mint: 7 } };
    assert.equal(card, { records: 77, bytes: 77 * 4096, ...bounds });
    assert.equal(own, card);
    assert.match(llms, /77 records, 200 a batch; bodies 64 KiB, of a batch 1 MiB/);
    assert.match(llms, /77 live calls, 7 new workspaces/);
    assert.match(contract, /"rates":\{"live":77,"mint":7\}/);
    // A 201 says briefly how long the workspace lives, and the contract explains it.
    assert.equal(Object.keys(retention), ['policy', 'expiresAt', 'seconds', 'statement']);
    assert.is(retention.policy, 'ephemeral');
    assert.is(retention.seconds, 5400);
    assert.ok(retention.statement.length < 90, retention.statement);
    assert.match(retention.statement, /90 min after the last write\. Send no personal data/);
    const { description } = client.contract.components!.schemas!.Retention as { description: string };
    assert.match(description, /ephemeral sandbox.*claimed/s);
    assert.match(description, /[Aa]nyone with the workspace id can read it.*keep it to yourself/s);
  });
});

told('without a rate limit none is published', async () => {
  await withServer({ RATE_LIMIT: 'off', ...rates }, async ({ origin }) => {
    const { card, own, llms, contract } = await read(origin);
    assert.is(card.rates, undefined);
    assert.is(own.rates, undefined);
    assert.not.match(llms, /minute/);
    assert.not.match(contract, /"rates":\{"live"/);
  });
});

told.run();
