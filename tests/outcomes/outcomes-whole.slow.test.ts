import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readReceipt } from '../../src/outcomes/read-receipt.ts';
import { connect } from '../support/http.ts';
import { makeKey, toPem } from '../support/receipts.ts';
import { makeFolder, withServer } from '../support/server.ts';

const whole = suite('an outcome from its statement to its receipt');
const startDate = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10);
const onetCode = '29-1141.00';
const body = { candidateId: 'cand_036', jobOrderId: 'job_034', onetCode, startDate };

/** A party that reads what is stated, and agrees with that. */
async function agree(http: Awaited<ReturnType<typeof connect>>, party: Record<string, string>) {
  const { tag } = (await http.get('/confirmation', party)).body;
  return http.post('/confirmation', { agrees: true, tag }, party);
}

/** A stated outcome by HTTP: where it is, and what its owner and its candidate show. */
async function state({ post }: Awaited<ReturnType<typeof connect>>) {
  const made = (await post('/placements', body)).body;
  const { self } = made.placement.links;
  const owner = { 'X-Workspace': made.workspace };
  await post(`${self}/outcome`, { result: 'converted' }, owner);
  const asked = await post(`${self}/confirmations`, { party: 'candidate' }, owner);
  return { self, owner, party: { 'X-Confirmation': asked.body.confirmation.token } };
}

whole('a restart and a rotation of the key: what was signed holds, what was asked is answered', async () => {
  const DATA_DIR = makeFolder();
  const [old, next] = [toPem(makeKey()), toPem(makeKey())];
  const placed: Awaited<ReturnType<typeof state>>[] = [];
  let receipt = '';
  await withServer({ DATA_DIR, SIGNING_KEY: old }, async ({ origin }) => {
    const http = await connect(origin);
    placed.push(await state(http), await state(http));
    const { self, owner, party } = placed[0]!;
    assert.is((await agree(http, party)).status, 200);
    receipt = (await http.get(`${self}/receipt`, owner)).body.receipt;
    const kept = readFileSync(join(DATA_DIR, 'workspaces.sqlite-wal'), 'latin1');
    for (const one of placed) assert.not.ok(kept.includes(one.party['X-Confirmation']));
  });
  await withServer({ DATA_DIR, SIGNING_KEY: `${next}\n${old}` }, async ({ origin }) => {
    const http = await connect(origin);
    const [{ self, owner, party }, late] = placed as [(typeof placed)[number], (typeof placed)[number]];
    assert.is((await http.get(`${self}/receipt`, owner)).body.receipt, receipt);
    assert.is((await http.get('/confirmation', party)).body.answer.agrees, true);
    const jwks = (await http.get('/.well-known/jwks.json')).body;
    assert.is(jwks.keys.length, 2);
    const read = await readReceipt(receipt, jwks);
    assert.ok(read.holds && read.kid === jwks.keys[1].kid);
    assert.is((await agree(http, late.party)).status, 200);
    const fresh = await http.get(`${late.self}/receipt`, late.owner);
    const readFresh = await readReceipt(fresh.body.receipt, jwks, { issuer: origin });
    assert.ok(readFresh.holds && readFresh.kid === jwks.keys[0].kid, 'the first key signs');
  });
});

whole.run();
