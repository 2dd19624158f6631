import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readReceipt } from '../../../src/placements/read-receipt.ts';
import { dayAt, today } from '../../support/days.ts';
import {
  confirm,
  openPlacement,
  openPlacementOn45,
  showConfirmation,
  yearLong,
} from '../../support/outcomes.ts';
import { makeSigner } from '../../support/receipts.ts';
import { pluck } from '../../support/rows.ts';
import { World } from '../../support/world.ts';

const facts = suite('outcomes and the facts that they repeat');
const signer = await makeSigner();
const world = new World({ ...yearLong, signer });

const place = (body?: object) => openPlacementOn45(world, body);

const changes = {
  startDate: dayAt(1),
  candidateId: 'cand_035',
  jobOrderId: 'job_033',
  onetCode: '15-1252.00',
};

for (const [member, value] of Object.entries(changes)) {
  const isBetween = member.endsWith('Id');
  facts(`a change of ${member} voids the answers, and is refused once validated`, async () => {
    const placed = await place();
    await placed.state('retained');
    if (isBetween) await placed.change({ [member]: value });
    const token = await placed.token();
    await confirm(world, token, false);
    assert.is((await placed.change({ feeModel: 'perm-fee' })).body.placement.outcome.disputed, true);
    if (!isBetween) {
      const { outcome } = (await placed.change({ [member]: value })).body.placement;
      assert.is(outcome.result, 'retained');
      assert.equal(outcome.confirmations, []);
      assert.is(outcome.disputed, true);
    } else await placed.state('converted');
    assert.is((await confirm(world, token, true)).status, 200, 'the token stays valid');
    const again = await placed.change({ [member]: member === 'startDate' ? dayAt(2) : 'x' });
    assert.ok([400, 409].includes(again.status));
    const closed = await placed.change({ startDate: dayAt(3) });
    assert.is(closed.status, 409);
    assert.is(closed.body.code, 'outcome_closed');
    assert.is((await placed.change({ feeModel: 'contract-markup' })).status, 200);
    const { receipt } = (await placed.receipt()).body;
    const read = await readReceipt(receipt, signer.keys());
    assert.ok(read.holds);
    assert.is(read.claims.startDate, member === 'startDate' ? dayAt(1) : today);
    assert.is(read.claims.onetCode, member === 'onetCode' ? '15-1252.00' : '29-1141.00');
  });
}

facts('moving the start past the stated day removes the statement', async () => {
  const placed = await place();
  await placed.state('retained', { asOf: dayAt(10) });
  const token = await placed.token();
  for (const next of [dayAt(11), null]) {
    await placed.change({ startDate: today });
    await placed.state('retained', { asOf: dayAt(10) });
    const { outcome } = (await placed.change({ startDate: next })).body.placement;
    assert.is(outcome.result, 'pending');
    assert.not.ok('asOf' in outcome);
    assert.is((await showConfirmation(world, token)).status, 404);
    assert.is((await confirm(world, token, true)).body.code, 'no_outcome');
  }
});

facts('attrited ends the placement, and another result undoes that', async () => {
  const placed = await place();
  const jobStatus = async () => (await placed.get('/job-orders/job_034')).body.jobOrder.status;
  const before = await jobStatus();
  const attrited = (await placed.state('attrited', { asOf: dayAt(20) })).body.placement;
  assert.is(attrited.status, 'ended-early');
  assert.equal(attrited.endDate, dayAt(20));
  assert.is.not(await jobStatus(), before);
  await placed.state('attrited', { asOf: dayAt(30) });
  assert.is((await placed.read()).endDate, dayAt(30));
  const undone = (await placed.state('retained')).body.placement;
  assert.is(undone.status, 'active');
  assert.not.ok('endDate' in undone);
  assert.is(await jobStatus(), before);
  await placed.state('attrited');
  await placed.delete(`/placements/${placed.id}`);
  assert.is(await jobStatus(), 'open', 'the order is free');
});

facts('an end by PATCH allows attrited only, and is refused before a final statement', async () => {
  const ended = (day: string) => ({ status: 'ended-early', endDate: day, endReason: 'client-ended' });
  const placed = await place();
  await placed.state('retained', { asOf: dayAt(40) });
  const token = await placed.token();
  const { outcome } = (await placed.change(ended(dayAt(12)))).body.placement;
  assert.is(outcome.result, 'pending');
  assert.not.ok('asOf' in outcome);
  assert.is((await confirm(world, token, true)).body.code, 'no_outcome');
  assert.is((await placed.state('retained')).status, 409);
  const { placement } = (await placed.state('attrited', { asOf: dayAt(12) })).body;
  assert.is(placement.status, 'ended-early');
  assert.equal(placement.endDate, dayAt(12));
  assert.is((await confirm(world, token, true)).status, 200, 'the token stays valid');

  const final = await place();
  await final.state('retained', { asOf: dayAt(40) });
  await confirm(world, await final.token(), true);
  const refused = await final.change(ended(dayAt(39)));
  assert.is(refused.status, 409);
  assert.is(refused.body.code, 'outcome_closed');
  assert.is(refused.body.issues[0].path, 'endDate');
  const { body } = await final.change(ended(dayAt(40)));
  assert.is(body.placement.status, 'ended-early');
  assert.is(body.placement.outcome.validated, true);
  assert.is((await final.change({ endDate: dayAt(39) })).status, 409);
  assert.is((await final.change({ feeModel: 'perm-fee' })).status, 200);
});

facts('an answer counts if the placement changes meanwhile, unless another statement is shown', async () => {
  const rows = [
    { change: { feeModel: 'perm-fee' }, status: 200 },
    { change: { onetCode: changes.onetCode }, status: 412 },
  ];
  for (const { change, status } of rows) {
    const other = new World({ ...yearLong, signer });
    const placed = await openPlacementOn45(other);
    await placed.state('retained');
    const token = { 'x-confirmation': await placed.token() };
    const { tag } = (await showConfirmation(other, token['x-confirmation'])).body;
    let meanwhile: (() => Promise<unknown>) | undefined = () => placed.change(change);
    const { platform } = other.service;
    const { sha256 } = platform;
    // A statement is read from the store, and its tag is computed, before the answer is decided.
    platform.sha256 = async (text) => {
      const run = text.includes('retained') ? meanwhile : undefined;
      if (run) meanwhile = undefined;
      await run?.();
      return sha256(text);
    };
    const answered = await other.post('/confirmation', { agrees: true, tag }, token);
    assert.is(meanwhile, undefined, 'the placement changed meanwhile');
    assert.is(answered.status, status, answered.text);
    const { feeModel, onetCode, outcome } = await placed.read();
    assert.is(outcome.validated, status === 200);
    if (!outcome.validated) continue;
    assert.is(feeModel, 'perm-fee', 'the change stays');
    const read = await readReceipt((await placed.receipt()).body.receipt, signer.keys());
    assert.ok(read.holds && read.claims.onetCode === onetCode);
  }
});

facts('two answers at once are both kept, or the second finds the outcome closed', async () => {
  const placed = await place();
  await placed.state('retained');
  const tokens = [await placed.token('client'), await placed.token('candidate')];
  const answers = await Promise.all(tokens.map((token) => confirm(world, token, false)));
  assert.equal(pluck(answers, 'status'), [200, 200]);
  assert.is((await placed.read()).outcome.confirmations.length, 2);
});

facts('a repeated request under a key gets the same token, which is stored nowhere', async () => {
  const placed = await place();
  await placed.state('retained');
  const key = { 'idempotency-key': 'k' };
  const [first, again] = [await placed.request('client', key), await placed.request('client', key)];
  assert.equal(first.body, again.body);
  assert.is(again.headers.get('idempotency-replayed'), 'true');
  assert.is((await placed.request('candidate', key)).status, 422);
  const { token, url } = first.body.confirmation;
  assert.match(token, /^cnf_[0-9a-hjkmnp-tv-z]{32}$/);
  assert.is(url, `${world.service.settings.baseUrl}/confirm.html#${token}`);
  await confirm(world, token, true);
  const { contents } = await world.service.openWorkspace(placed.workspace);
  const kept = JSON.stringify(contents.find('placement', placed.id));
  for (const secret of [token, placed.workspace]) assert.not.match(kept, secret);
  const { receipt } = (await placed.receipt()).body;
  const claims = Buffer.from(receipt.split('.')[1], 'base64url').toString();
  for (const secret of [token, placed.workspace, 'cand_', 'job_']) assert.not.match(claims, secret);
});

facts('a party sees no id and no name', async () => {
  const placed = await place();
  await placed.state('retained', { note: 'mine alone' });
  const { body } = await showConfirmation(world, await placed.token());
  assert.equal(Object.keys(body), ['type', 'statement', 'party', 'tag', 'answer']);
  const members = [
    'asOf',
    'client',
    'guaranteeDays',
    'occupation',
    'reference',
    'result',
    'startDate',
    'title',
  ];
  assert.equal(Object.keys(body.statement).sort(), members);
  assert.not.match(JSON.stringify(body), /cand_|job_|plc_|ws_|cnf_|mine alone/);
});

facts('without a signer, an outcome is validated without a receipt, and says why', async () => {
  const other = new World({ ...yearLong, signer: { reason: 'Nothing is signed here.' } as never });
  const placed = await openPlacement(other);
  other.toDay(45);
  await placed.state('retained');
  const answered = await confirm(other, await placed.token(), true);
  assert.is(answered.body.validated, true);
  assert.not('links' in answered.body);
  const { status, body } = await placed.receipt();
  assert.is(status, 409);
  assert.is(body.code, 'not_live');
  assert.is(body.reason, 'Nothing is signed here.');
});

facts.run();
